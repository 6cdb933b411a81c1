import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

/** These hold what they see against the clock, to some milliseconds: they run last, one at a time, beside nothing. */
const timed = [
  "test/workflows/rate.test.ts",
  "test/workflows/fairness.test.ts",
  "test/workflows/slowing.test.ts",
  "test/workflows/scale.test.ts",
  "test/worker/pacer.test.ts",
  "test/activities/service-faults.test.ts",
  "test/sandbox/control.test.ts",
];

export default defineConfig({
  test: {
    pool: "forks", // Temporal's native bridge crashes under worker threads
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Compiled code is kept for the next process: a fork for each file and hundreds of sandboxes load the same packages.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/almanac-tests", import.meta.url)) },
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...timed],
          maxWorkers: 3, // on two cores: many tests wait more than they work
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: "timed", include: timed, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
