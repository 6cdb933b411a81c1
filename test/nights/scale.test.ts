// Ten thousand requests in one night: what they cost in memory, in history and in time. With ALMANAC_TEST_DEEP=1 only;
// ALMANAC_TEST_PROFILE=<folder> keeps a CPU profile of the worker there.
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { taskQueue } from "../../workflows/names.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";
import { deep } from "../support/deep.ts";

const profile = process.env["ALMANAC_TEST_PROFILE"];

const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
/** Every language, operation and pair, as on a first night, and people enough to make it ten thousand. */
const configuration: ConfigurationInput = {
  people: Array.from({ length: 200 }, (_, index) => ({
    id: `person-${index}`,
    fullName: "Example Person",
    birthDate: "1992-02-29",
  })),
  service: { ratePerSecond: all(1_000), concurrency: all(32), answerTimeoutSeconds: all(30) },
};

/** Samples the resident memory of a process, in MB, every second. */
function watchMemory(pid: number) {
  const samples: number[] = [];
  const timer = setInterval(() => {
    void readFile(`/proc/${pid}/status`, "utf8")
      .then((status) => samples.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024))
      .catch(() => undefined);
  }, 1_000);
  return { samples, stop: () => clearInterval(timer) };
}

function spread(samples: readonly number[]) {
  const sorted = samples.toSorted((one, other) => one - other).map(Math.round);
  return { min: sorted[0] ?? 0, median: sorted[sorted.length >> 1] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** The longest history of each kind of workflow. */
async function longestHistories({ client, id }: World): Promise<Record<string, number>> {
  const longest: Record<string, number> = {};
  for await (const { type, historyLength } of client.workflow.list({
    query: `TaskQueue = "${taskQueue(id, "main")}"`,
  })) {
    longest[type] = Math.max(longest[type] ?? 0, historyLength);
  }
  return longest;
}

test.runIf(deep)(
  "ten thousand requests in one night leave memory flat and no history over 10,000 events",
  async () => {
    const temporal = await temporalForTests({ database: "file" });
    const world = await createWorld(temporal, configuration);
    if (profile !== undefined) world.env["NODE_OPTIONS"] = `--cpu-prof --cpu-prof-dir=${profile}`;
    const worker = await world.worker();
    const memory = watchMemory(worker.pid);
    const beganMs = performance.now();
    const run = await world.nightly();
    const ended = await run.result();
    const tookSeconds = (performance.now() - beganMs) / 1000;
    memory.stop();

    const { calls, byAddress, repeats } = await world.sandbox.stats();
    const gatheredSeconds = ((byAddress.translator.lastMs ?? 0) - (byAddress.translator.firstMs ?? 0)) / 1000;
    const histories = await longestHistories(world);
    const third = Math.floor(memory.samples.length / 3);
    const [second, last] = [memory.samples.slice(third, 2 * third), memory.samples.slice(2 * third)].map(
      spread,
    );
    console.log(
      `${calls} calls, gathered in ${gatheredSeconds.toFixed(0)} s (${(calls / gatheredSeconds).toFixed(1)} a second), ` +
        `published ${ended.published.length} times, all in ${tookSeconds.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`,
    );
    console.log("memory of the worker in MB: second third", second, "last third", last);
    console.log("longest histories", histories);

    expect(countsIn(ended)).toMatchObject({ planned: ended.planned, kept: ended.planned, setAside: 0 });
    expect(ended.planned).toBeGreaterThan(9_000);
    expect(calls).toBe(ended.planned);
    expect(repeats).toBeGreaterThan(0); // the sandbox does not tell people apart
    for (const events of Object.values(histories)) expect(events).toBeLessThan(10_000);
    expect(last?.median ?? 0).toBeLessThan((second?.median ?? 0) * 1.25);
    await worker.stop();
  },
  1_800_000,
);
