// Where a test is about what a disk keeps: elsewhere the tests' folders are in memory (vitest.config.ts).
import { tmpdir } from "node:os";

export const disk = process.env["ALMANAC_TEST_DISK"] ?? tmpdir();
