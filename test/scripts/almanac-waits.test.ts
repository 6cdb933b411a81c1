// Commands that wait for another process: within seconds they name it and its start, and the wait is bounded.
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownKey, placeOn } from "../support/places.ts";
import { openFolder } from "../../store/folder.ts";
import { always } from "../../store/store.ts";
import { siteLayout } from "../../vault/files.ts";
import { identify } from "../../vault/installation.ts";
import { start } from "../support/cli.ts";
import { deep } from "../support/deep.ts";
import { withEnds } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { testDate, testNow } from "../support/noon.ts";
import { bytes } from "../support/stores.ts";
import { temporalForTests } from "../support/temporal.ts";
import { siteInFolder } from "./site-in-folder.ts";

const configuration = {
  site: { url: "https://almanac.example" },
  languages: ["en"],
  operations: ["daily-tarot"],
  zones: { en: "UTC" },
} as const;
const path = "/en/daily-tarot/";
const line = ["withdraw", path, "--reason", "somebody complained"];

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-waits-"));
  const made = await siteInFolder(folder, {
    ...configuration,
    languages: ["en"],
    operations: ["daily-tarot"],
  });
  env = made.env;
  made.site.setClock(`${testDate}T12:00:00Z`);
  await made.site.gather(testDate, testDate);
  await made.site.night();
  await identify(
    placeOn({ vault: openFolder(join(folder, "vault")), site: openFolder(join(folder, "site")) }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy of vault and site, with the variables that name them. */
async function copied() {
  const copy = await mkdtemp(join(tmpdir(), "almanac-waits-"));
  await cp(folder, copy, { recursive: true });
  const own = Object.entries(env).map(([name, value]) => [name, value.replaceAll(folder, copy)] as const);
  return {
    copy,
    env: Object.fromEntries(own),
    vault: openFolder(join(copy, "vault")),
    site: openFolder(join(copy, "site")),
  };
}

test("withdraw names the process that it waits for, and continues once that one has released the site's lease", async () => {
  const { copy, env: own, vault } = await copied();
  const holder = { where: "4711@press.example", purpose: "almanac gc", since: testNow().toISOString() };
  const write = async (state: "held" | "released", renewal: number): Promise<void> => {
    const entry = { format: 1, epoch: 99, renewal, owner: "another", holder, state, isLocked: false };
    await vault.write(
      ownKey(siteLayout.lease),
      bytes(JSON.stringify(entry)),
      { type: "application/json" },
      always,
    );
  };
  await write("held", 0);
  const child = start(line, { env: own, cwd: copy });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  const ended = once(child, "close");
  try {
    await until("a word about the wait", async () => said.includes("waiting for"));
    expect(said).toContain(
      `waiting for the lease sites/almanac/lease.json, held by 4711@press.example (almanac gc) since ${holder.since}`,
    );
    expect(child.exitCode).toBeNull();
    await write("released", 1);
    await ended;
    expect(child.exitCode).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});

test("nightly --wait names what it waits for when Temporal dies, and its wait ends with the next step", async () => {
  await withEnds(async (atEnd) => {
    const temporal = await temporalForTests({}, atEnd);
    const { copy: cwd } = await copied();
    const child = start(["nightly", "--wait"], { env: { TEMPORAL_ADDRESS: temporal.address }, cwd });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
    const ended = once(child, "close");
    try {
      // No worker runs here, so the first report is about the worker; the run itself has begun.
      const id = await until("a run", async () => /waiting since \S+ .* about (\S+)\. `/.exec(said)?.[1]);
      expect(said).toContain("`almanac check` shows which of them is unreachable");
      await temporal.kill();
      if (!deep) return; // its patience with Temporal is a minute
      await ended;
      expect(said).toContain(`error: Temporal has not responded about ${id} for more than a minute`);
      expect(said).toContain(`follow it with \`almanac status ${id} --watch\``);
      expect(child.exitCode).toBe(1);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
