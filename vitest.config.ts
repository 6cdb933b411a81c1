import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks", // Temporal's native bridge crashes under worker threads
    maxWorkers: 2, // many tests start servers and processes of their own and measure time
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
