import { existsSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { FailedLast } from "./test/support/failed-last.ts";
import { deep } from "./test/support/deep.ts";
import { measuresTimes, Times } from "./test/support/times.ts";
import { WaitingEarly } from "./test/support/waiting-early.ts";

/** These compare times within one run, or with test:deep measure them: they run last, two at a time, with test:deep one at a time. */
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
 * These install Temporal's runtime, which a process can do once, so each has a separate process. All others clean up after
 * themselves and share processes, which saves each file a second at the start.
 */
const alone = ["test/nights/replay.test.ts", "test/nights/traces.test.ts"];

/** More than the two cores, because many tests mostly wait. */
const maxWorkers = 8;

/** Tests against real third-party programs: `npm run test:real`. */
const real = ["test/real/**/*.test.ts"];

/** Tests that need a network of several hosts, or servers that are built first: `npm run test:fleet`. */
const fleet = ["test/fleet/**/*.test.ts"];

const memory = "/dev/shm";
const enoughBytes = 2 ** 31;

/** A folder in memory if there is space: thousands of small files would wait for the disk. Tests of the folder store use the disk. */
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
    // A larger young generation: with the default 16 MB, a quarter of the time goes to moving young objects.
    execArgv: ["--max-semi-space-size=64"],
    // Only a bug reaches these: `until` gives up earlier, and reports its condition.
    testTimeout: deep ? 900_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ["default", new FailedLast(), ...(measuresTimes ? [new Times(runFolder)] : [])],
    sequence: { sequencer: WaitingEarly },
    setupFiles: ["test/support/setup.ts"],
    // The compile cache serves later processes: a fork per file and hundreds of sandboxes load the same packages.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/almanac-tests", import.meta.url)),
      TMPDIR: quickFolder(),
      ALMANAC_TEST_DISK: tmpdir(),
      ALMANAC_TEST_RUN: runFolder,
      ALMANAC_TEST_PID: String(process.pid),
    },
    // Node runs our TypeScript directly, as in production: no second translation, and its compile cache is kept.
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
