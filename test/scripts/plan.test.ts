// The pace that `almanac plan` reckons with, where no service is set up.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { almanac } from "../support/cli.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-plan-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const planned = (...words: string[]) =>
  almanac(["plan", "--as-of", "2026-11-21T03:05:00Z", "--languages", "en", ...words], { cwd: folder });

const forecastSchema = z.object({
  forecast: z.object({
    addresses: z.array(z.object({ ratePerSecond: z.number(), concurrency: z.number() })),
  }),
});

async function pacesOf(...words: string[]): Promise<object[]> {
  return forecastSchema.parse(JSON.parse((await planned(...words, "--json")).stdout)).forecast.addresses;
}

test("is the configured one unless said", async () => {
  expect(await pacesOf()).toContainEqual({ ratePerSecond: 5, concurrency: 8 });
  expect(await pacesOf("--rate", "200", "--concurrency", "16")).toContainEqual({
    ratePerSecond: 200,
    concurrency: 16,
  });
  expect(await planned("--rate", "0")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--rate takes a number from 0.01"),
  });
});

test("is not that of `almanac local` with the sandbox, which is said until it is", async () => {
  const configured = await planned();
  expect(configured.stderr).toBe(
    "reckoned at the configured pace; `almanac local` asks the sandbox faster: --rate 200 --concurrency 32\n",
  );
  const quick = await planned("--rate", "200", "--concurrency", "32");
  expect(quick.stderr).toBe("");
  expect(quick.stdout).not.toBe(configured.stdout);
});
