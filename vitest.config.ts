import { existsSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { FailedLast } from "./test/support/failed-last.ts";
import { deep } from "./test/support/deep.ts";
import { measuresTimes, Times } from "./test/support/times.ts";
import { WaitingEarly } from "./test/support/waiting-early.ts";

/** These compare times of one run, or with test:deep measure them: they run last, two at a time, or with test:deep one. */
const timed = [
  "test/nights/rate.test.ts",
  "test/nights/owner.test.ts",
  "test/nights/rehearsed.test.ts",
  "test/nights/fairness.test.ts",
  "test/nights/slowing.test.ts",
  "test/nights/scale.test.ts",
  "test/browser/preview-speed.test.ts",
];

/**
 * These install Temporal's runtime, which a process has once, so each has a process of its own. All others leave nothing behind and
 * share theirs, which spares each file a second of starting.
 */
const alone = ["test/nights/replay.test.ts", "test/nights/traces.test.ts"];

/** On two cores: many tests wait more than they work. */
const maxWorkers = 8;

/** These try us with other people's big parts: `npm run test:real`. */
const real = ["test/real/**/*.test.ts"];

/** These need a network of several hosts, or servers that are built first: `npm run test:fleet`. */
const fleet = ["test/fleet/**/*.test.ts"];

const memory = "/dev/shm";
const enoughBytes = 2 ** 31;

/** In memory where there is room: thousands of small files would wait for the disk. The tests of the folder use the disk. */
function quickFolder(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > enoughBytes ? memory : tmpdir();
}

/** Data that the processes of one run share; the first one that needs it creates it. */
const runFolder = join(quickFolder(), `almanac-run-${process.pid}`);
process.once("exit", () => rmSync(runFolder, { recursive: true, force: true }));

export default defineConfig({
  test: {
    pool: "forks", // Temporal's native bridge crashes under worker threads
    // Room for what lives shortly: with the usual 16 MB a quarter of the time goes to moving young objects about.
    execArgv: ["--max-semi-space-size=64"],
    // Only a fault reaches these: `until` gives up sooner, and says what it waited for.
    testTimeout: deep ? 900_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ["default", new FailedLast(), ...(measuresTimes ? [new Times(runFolder)] : [])],
    sequence: { sequencer: WaitingEarly },
    setupFiles: ["test/support/setup.ts"],
    // Compiled code is kept for the next process: a fork for each file and hundreds of sandboxes load the same packages.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/almanac-tests", import.meta.url)),
      TMPDIR: quickFolder(),
      ALMANAC_TEST_DISK: tmpdir(),
      ALMANAC_TEST_RUN: runFolder,
      ALMANAC_TEST_PID: String(process.pid),
    },
    // Node reads our TypeScript itself, as in production: no file is translated once more, and what it compiled is kept.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: alone,
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...timed, ...alone, ...real, ...fleet],
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: timed,
          isolate: deep,
          maxWorkers: deep ? 1 : 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: "real", include: real, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
      {
        extends: true,
        test: { name: "fleet", include: fleet, maxWorkers: 1, sequence: { groupOrder: 4 } },
      },
    ],
  },
});
