// Leases in a real folder, next to processes that are killed and stopped, and in a real bucket whose responses are lost.
import { type ChildProcess, spawn } from "node:child_process";
import { on } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { clockAt, processClock } from "../../store/clock.ts";
import { openFolder } from "../../store/folder.ts";
import { lockFolderOf } from "../../store/kinds.ts";
import { type LeaseEntry, LeaseFile, leaseLimits } from "../../store/held-lease.ts";
import { LeaseHeld, Leases, withLease } from "../../store/lease.ts";
import { always, type Store } from "../../store/store.ts";
import { deep } from "../support/deep.ts";
import { disk } from "../support/disk.ts";
import { startProxy } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";
import { bytes } from "../support/stores.ts";
import { until } from "../support/until.ts";

const s3 = await s3ForTests();
const key = "leases/english.json";
const headers = { type: "application/json" };
const patient = { purpose: "test", maxWaitMs: 120_000 };
/** Both processes wait for seconds instead of minutes, in the same order. */
const speed = deep ? 1 : 5;
const child = join(import.meta.dirname, "lease-child.ts");
const said = z.object({ word: z.string(), epoch: z.int().optional(), before: z.string().optional() });

let folder: string;
let children: ChildProcess[];
let warnings: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(disk, "almanac-lease-"));
  await openFolder(folder).write("vault.json", bytes("{}"), headers, always);
  children = [];
  warnings = [];
});
afterEach(async () => {
  for (const one of children) one.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

function leasesIn(store: Store, lockFolder?: string, fast = speed): Leases {
  const log = { warn: (_facts: object, message: string) => void warnings.push(message) };
  return new Leases({ store, lockFolder, where: "here", log, clock: clockAt(fast) });
}

const inFolder = (fast = speed) => leasesIn(openFolder(folder), lockFolderOf(`file://${folder}`), fast);

/** A process that holds the lease; `next` is its next message. */
async function holder(fast = speed) {
  const running = spawn(process.execPath, [child, folder, key, String(fast)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(running);
  const lines = on(createInterface(running.stdout), "line");
  const next = async () => {
    const { value } = await lines.next();
    return said.parse(JSON.parse(z.tuple([z.string()]).parse(value)[0]));
  };
  return { running, next, taken: await next() };
}

test("a killed process's lease is taken at once, and a living one's is not", async () => {
  const { running, taken } = await holder(1);
  expect(taken).toMatchObject({ word: "taken", epoch: 1, before: "none" });
  const own = inFolder(1);
  expect(await own.look(key)).toMatchObject({ isTakeable: false, entry: { isLocked: true, state: "held" } });
  await expect(own.take(key, { purpose: "test", maxWaitMs: 0 })).rejects.toThrow(
    /LeaseHeld|is held by \d+@test \(child\) since 20/,
  );
  const taking = own.take(key, patient);
  running.kill("SIGKILL");
  const killedMs = performance.now();
  const lease = await taking;
  expect(lease).toMatchObject({ epoch: 2, before: "unreleased" });
  expect(performance.now() - killedMs).toBeLessThan(20_000); // a takeover by time needs 25 s
  await lease.release("idle");
  expect(await own.look(key)).toMatchObject({ isTakeable: true, entry: { state: "idle", epoch: 2 } });
});

test("a released lease is taken with the kernel's lock, and its epoch is higher", async () => {
  const { running, next } = await holder();
  const taking = inFolder().take(key, patient);
  running.stdin?.write("release\n");
  expect(await next()).toMatchObject({ word: "released" });
  const lease = await taking;
  expect(lease.before).toBe("released");
  expect(lease.epoch).toBeGreaterThan(1); // an attempt that came just before the release was refused, and used up a number
  const { entry } = await until("the kernel's lock in the entry", async () => {
    const seen = await inFolder().look(key);
    return seen.entry?.isLocked === true && seen;
  });
  expect(entry?.epoch).toBe(lease.epoch);
  await lease.release();
});

test("a stopped holder loses its lease, and its lock, released late, proves nobody's death", async () => {
  const { running, next } = await holder();
  running.kill("SIGSTOP");
  const own = inFolder();
  const lease = await own.take(key, patient);
  expect(lease).toMatchObject({ epoch: 2, before: "unreleased" });
  expect(await own.look(key)).toMatchObject({ entry: { isLocked: false }, isTakeable: false });
  running.kill("SIGCONT");
  expect(await next()).toMatchObject({ word: "lost" });
  const others = inFolder();
  await until("the lock of the stopped process", async () => {
    const { entry, isTakeable } = await others.look(key);
    expect(isTakeable).toBe(false); // at each look, with its lock free, too
    return entry?.isLocked === true;
  });
  expect(lease.remainingMs()).toBeGreaterThan(0);
  await lease.release();
});

test("a damaged lease counts as held by an unknown process, and its epoch continues from the given one", async () => {
  const store = openFolder(folder);
  await store.write(key, bytes("{"), headers, always);
  const own = inFolder();
  await expect(own.take(key, { purpose: "test", maxWaitMs: 0 })).rejects.toThrow("an unknown process");
  const lease = await own.take(key, { ...patient, atLeastEpoch: async () => 8 });
  expect(lease).toMatchObject({ epoch: 8, before: "unreleased" });
  await store.remove([key]);
  await until("the loss", () => lease.signal.aborted);
  await expect(lease.enough(1)).rejects.toThrow("another process has taken it");
  expect(lease.remainingMs()).toBe(0);
  await lease.release();
  expect(await own.take(key, patient)).toMatchObject({ epoch: 9, before: "none" });
});

test("in a bucket, one process at a time has the lease, and work under it knows how long it has", async () => {
  const options = { prefix: "lease", limits: leaseLimits };
  const [one, other] = [leasesIn(s3.open(options), undefined, 1), leasesIn(s3.open(options), undefined, 1)];
  const held = await withLease(one, key, patient, async (lease) => {
    await lease.enough(10_000);
    const refused = await other.take(key, { purpose: "test", maxWaitMs: 0 }).catch((error: unknown) => error);
    return { lease, refused, remainingMs: lease.remainingMs() };
  });
  expect(held.refused).toBeInstanceOf(LeaseHeld);
  expect(held.remainingMs).toBeGreaterThan(0);
  expect(held.lease.remainingMs()).toBe(0);
  const next = await other.take(key, patient);
  expect(next).toMatchObject({ epoch: 2, before: "released" });
  await next.release("idle");
  expect(await one.take(key, patient)).toMatchObject({ epoch: 3, before: "idle" });
});

test("in a bucket that loses every third response, each entry is written by one process only", async () => {
  const proxy = await startProxy(s3.endpoint);
  let calls = 0;
  proxy.byChance(() => ((calls += 1) % 3 === 0 ? "lost" : "pass"));
  const { endpoint } = proxy;
  const store = s3.open({ endpoint, prefix: "lost", limits: leaseLimits });
  const entryOf = (owner: string, renewal: number): LeaseEntry => ({
    format: 1,
    epoch: 1,
    renewal,
    owner,
    state: "held",
    isLocked: false,
    holder: { where: "here", purpose: "test", since: "now" },
  });
  /** Writes like the holder of a lease: the same entry, until the outcome is known. */
  const written = async (entry: LeaseEntry, version: string | undefined): Promise<string | undefined> => {
    try {
      return await new LeaseFile({ store, clock: processClock }, key).write(entry, version);
    } catch {
      return written(entry, version);
    }
  };
  let version: string | undefined;
  for (let renewal = 0; renewal < 40; renewal += 1) {
    const owners = ["one", "two", "three"];
    const versions = await Promise.all(owners.map((owner) => written(entryOf(owner, renewal), version)));
    const won = versions.filter((one) => one !== undefined);
    expect(won).toHaveLength(1);
    [version] = won;
  }
  expect(calls).toBeGreaterThan(240);
});
