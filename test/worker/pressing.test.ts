// That a worker presses in a process beside it, which ends when it is told to or has failed, and is started again.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { catalogue } from "../../readings/catalogue.ts";
import { openFolder } from "../../store/folder.ts";
import { createVault } from "../../vault/vault.ts";
import { layout } from "../../vault/layout.ts";
import { PressProcess } from "../../worker/pressing/press-process.ts";
import { captureOf } from "../support/captures.ts";
import { keysOf } from "../support/stores.ts";
import { until } from "../support/night.ts";
import { configured } from "../publish/support/published-site.ts";

const noon = new Date("2026-11-21T12:00:00Z");
const folder = await mkdtemp(join(tmpdir(), "almanac-pressing-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const configuration = configurationSchema.parse({ ...configured, operations: ["daily-horoscope"] });
const vault = createVault(openFolder(join(folder, "vault")));
for (const { requests } of catalogue(configuration, noon, {}, { from: "2026-11-21", to: "2026-11-21" }))
  for (const request of requests) await vault.keep(captureOf(request));

/** The processes that this one has started and that live. */
async function children() {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "ppid=,pid=,args="]);
  const rows = stdout.split("\n").map((row) => row.trim().split(/\s+/));
  return rows.flatMap(([parent, id = "", ...words]) =>
    parent === String(process.pid) && words.some((word) => word.endsWith("process.ts")) ? [id] : [],
  );
}

/** How many writes of the processes have been told. */
let puts = 0;

function pressing(site: string) {
  const place = { vault: pathToFileURL(join(folder, "vault")).href, site };
  const settings = {
    configuration,
    place,
    s3: {},
    fingerprint: "sha256-a",
    workings: "tests",
    isSandbox: false,
  };
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const metrics = { put: () => void (puts += 1), storeFailed: () => undefined };
  const log = { info: note, warn: note, error: note };
  return new PressProcess(settings, { metrics, alert: async () => undefined, now: () => noon, log });
}

const siteIn = (name: string) => pathToFileURL(join(folder, name)).href;
const { signal } = new AbortController();

test("a language is pressed in a process beside this one, which says how far it is and ends with the worker", async () => {
  const before = await children();
  const press = pressing(siteIn("one"));
  const told: [number, number][] = [];
  await press.press({ language: "en", beside: [] }, (printed, of) => told.push([printed, of]), signal);
  const objects = await keysOf(openFolder(join(folder, "one")), "v1/objects/");
  expect(objects.length).toBeGreaterThan(50);
  expect(puts).toBeGreaterThan(objects.length); // with the names of the files, in the vault
  expect(told.map(([printed]) => printed)).toEqual(told.map((_, index) => index + 1));
  expect(told.at(-1)).toEqual([told.length, told.length]);
  expect(await vault.store.read(layout.pressed("en"))).toBeDefined();
  const [child, ...more] = (await children()).filter((id) => !before.includes(id));
  expect(child).toBeDefined();
  expect(more).toEqual([]);
  press.end();
  await until("its end", async () => !(await children()).includes(child ?? ""));
});

test("a process that dies is told by a name that Temporal tries again, and the next language has a new one", async () => {
  const before = await children();
  const press = pressing(siteIn("two"));
  const dying = press.press({ language: "hi", beside: [] }, () => undefined, signal);
  const child = (await children()).find((id) => !before.includes(id));
  process.kill(Number(child), "SIGKILL");
  await expect(dying).rejects.toMatchObject({ name: "PressEnded" });
  await press.press({ language: "hi", beside: [] }, () => undefined, signal);
  expect(await keysOf(openFolder(join(folder, "two")), "v1/objects/")).not.toEqual([]);
  press.end();
});

test("what a store says comes as the failure that it is, and a cancellation ends the process", async () => {
  const press = pressing("s3://no-bucket-of-ours/site");
  await expect(press.press({ language: "en", beside: [] }, () => undefined, signal)).rejects.toMatchObject({
    name: "StoreFailure",
  });
  const before = await children();
  const other = pressing(siteIn("three"));
  const cancelled = other.press({ language: "en", beside: [] }, () => undefined, AbortSignal.timeout(20));
  await expect(cancelled).rejects.toThrow("abort");
  await until("its end", async () => (await children()).every((id) => before.includes(id)));
});
