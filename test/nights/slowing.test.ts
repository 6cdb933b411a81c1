// An operator slows a night that is running, with Temporal's own command line: docs/tune.md describes it.
import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readNote } from "../../vault/note.ts";
import { vaultNote } from "../../vault/installation.ts";
import { callQueue } from "../../workflows/names.ts";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
import { temporalExecutable, temporalForTests } from "../support/temporal.ts";

const atEnd = fileEnd();

/** Same commands as in docs/tune.md. Batches that the worker has already started still finish. */
async function setConfig(world: World, flags: string): Promise<void> {
  const queue = [
    "--task-queue",
    callQueue((await readNote(world.vault.store, vaultNote))?.vault ?? "", "translator"),
    "--task-queue-type",
    "activity",
  ];
  const command = ["task-queue", "config", "set", "--address", world.env["TEMPORAL_ADDRESS"] ?? "", ...queue];
  await promisify(execFile)(await temporalExecutable(), [...command, ...flags.split(" ")]);
  await delay(3_000);
}

/** Calls a second, for one language or for all. */
async function ratePerSecond({ sandbox }: World, seconds: number, language = ""): Promise<number> {
  const count = async () => {
    const { byRequest } = await sandbox.stats();
    return Object.keys(byRequest).filter((key) => key.includes(`/${language}`)).length;
  };
  const before = await count();
  const fromMs = performance.now();
  await delay(seconds * 1_000);
  return (((await count()) - before) * 1_000) / (performance.now() - fromMs);
}

test.runIf(deep)(
  "a running night slows to the rate that `temporal task-queue config set` gives its queue or a language, and takes up its own again",
  async () => {
    const temporal = await temporalForTests({}, atEnd);
    const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
    const world = await createWorld(temporal, {
      languages: ["hi", "ja", "de"],
      operations: ["love-compatibility"],
      service: { ratePerSecond: all(20), concurrency: all(16), answerTimeoutSeconds: all(10) },
    });
    await world.worker();
    const run = await world.nightly();
    await until("the first calls", async () => (await world.sandbox.stats()).calls > 10);
    const ownRate = await ratePerSecond(world, 3);
    // A batch is up to twelve calls: one in four seconds is three calls a second.
    await setConfig(world, "--queue-rps-limit 0.25 --queue-rps-limit-reason asked");
    const slowed = await ratePerSecond(world, 16);
    await setConfig(world, "--queue-rps-limit 0");
    const stopped = await ratePerSecond(world, 3);
    await setConfig(
      world,
      "--queue-rps-limit default --fairness-key-rps-limit-default 0.25 --fairness-key-weight hi=0.25",
    );
    const [hindi, japanese] = await Promise.all([
      ratePerSecond(world, 16, "hi/"),
      ratePerSecond(world, 16, "ja/"),
    ]);
    await setConfig(world, "--fairness-key-rps-limit-default default --fairness-key-weight-clear-all");
    const again = await ratePerSecond(world, 2);
    const rates = { ownRate, slowed, stopped, hindi, japanese, again };
    console.log("calls a second:", rates);
    expect(ownRate).toBeGreaterThan(15);
    expect(slowed).toBeGreaterThan(1.5);
    expect(slowed).toBeLessThan(4.6);
    expect(stopped).toBe(0);
    expect(hindi).toBeLessThan(1.6);
    expect(japanese).toBeGreaterThan(1.5);
    expect(japanese).toBeLessThan(4.6);
    expect(again).toBeGreaterThan(15);
    const ended = await run.result();
    expect(countsIn(ended)).toMatchObject({ stored: 432, retried: 0, skipped: 0 });
  },
);
