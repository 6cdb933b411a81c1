import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks", // Temporal's native bridge crashes under worker threads
    maxWorkers: 3, // on two cores: many tests wait for servers and timers
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
