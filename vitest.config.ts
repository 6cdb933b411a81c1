import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks", // Temporal's native bridge crashes under worker threads
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
