// Nights of ten thousand requests: their costs in memory, history and time. Only with ALMANAC_TEST_DEEP=1;
// ALMANAC_TEST_PROFILE=<folder> stores a CPU profile of the worker there.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { languageNames, type Language } from "../../readings/tables.ts";
import { mainQueue } from "../../workflows/names.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";
import { deep } from "../support/deep.ts";

const profile = process.env["ALMANAC_TEST_PROFILE"];

const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
/** Every operation and pair, as on a first night, and people enough to make it ten thousand for half the languages. */
const configuration: ConfigurationInput = {
  people: Array.from({ length: 600 }, (_, index) => ({
    id: `person-${index}`,
    fullName: "Example Person",
    birthDate: "1992-02-29",
  })),
  languages: languageNames,
  service: { ratePerSecond: all(1_000), concurrency: all(32), answerTimeoutSeconds: all(30) },
};

/** The resident memory of a process every second, in MB. */
function watchMemory(pid: number) {
  const samples: number[] = [];
  const timer = setInterval(() => {
    void readFile(`/proc/${pid}/status`, "utf8")
      .then((status) => samples.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024))
      .catch(() => undefined);
  });
  return {
    stop: () => {
      clearInterval(timer);
      const sorted = samples.toSorted((one, other) => one - other).map(Math.round);
      return { median: sorted[sorted.length >> 1] ?? 0, max: sorted.at(-1) ?? 0 };
    },
  };
}

/** The longest history of each kind of workflow. */
async function longestHistories({ client, id }: World): Promise<Record<string, number>> {
  const longest: Record<string, number> = {};
  for await (const { type, historyLength } of client.workflow.list({
    query: `TaskQueue = "${mainQueue(id)}"`,
  })) {
    longest[type] = Math.max(longest[type] ?? 0, historyLength);
  }
  return longest;
}

async function nightOf(languages: readonly Language[], world: World, pid: number) {
  await world.sandbox.clearStats();
  const memory = watchMemory(pid);
  const beganMs = performance.now();
  const ended = await (await world.nightly({ languages })).result();
  const tookSeconds = (performance.now() - beganMs) / 1000;
  const used = memory.stop();
  const { calls, repeats } = await world.sandbox.stats();
  console.log(
    `${calls} calls, published ${ended.published.length} times, all in ${tookSeconds.toFixed(0)} s; ` +
      `the worker's memory: median ${used.median} MB, at most ${used.max} MB`,
  );
  expect(countsIn(ended)).toMatchObject({ planned: ended.planned, stored: ended.planned, skipped: 0 });
  expect(ended.planned).toBeGreaterThan(9_000);
  expect(calls).toBe(ended.planned);
  expect(repeats).toBeGreaterThan(0); // the sandbox does not distinguish people
  return used;
}

test.runIf(deep)(
  "a second night of ten thousand requests takes no more memory than the first, and no history is over 10,000 events",
  async () => {
    const temporal = await temporalForTests({ database: "file" });
    const world = await createWorld(temporal, configuration);
    if (profile !== undefined) world.env["NODE_OPTIONS"] = `--cpu-prof --cpu-prof-dir=${profile}`;
    const worker = await world.worker();
    const first = await nightOf(
      languageNames.filter((_, index) => index % 2 === 0),
      world,
      worker.pid,
    );
    const second = await nightOf(
      languageNames.filter((_, index) => index % 2 === 1),
      world,
      worker.pid,
    );
    const histories = await longestHistories(world);
    console.log("longest histories", histories);
    for (const events of Object.values(histories)) expect(events).toBeLessThan(10_000);
    expect(second.max).toBeLessThan(first.max * 1.15);
    await worker.stop();
  },
  1_800_000,
);
