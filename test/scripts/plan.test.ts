// Output of `almanac plan`, and the pace of its estimate, without a configured service.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { almanac } from "../support/cli.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-plan-"));
  await writeFile(join(folder, "almanac.config.ts"), "export default {};\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const planned = (...words: string[]) =>
  almanac(["plan", "--as-of", "2026-11-21T03:05:00Z", "--languages", "en", ...words], { cwd: folder });

const forecastSchema = z.object({
  forecast: z.object({
    endpoints: z.array(z.object({ ratePerSecond: z.number(), concurrency: z.number() })),
  }),
});

async function pacesOf(...words: string[]): Promise<object[]> {
  return forecastSchema.parse(JSON.parse((await planned(...words, "--json")).stdout)).forecast.endpoints;
}

describe("a whole site's plan", () => {
  const whole = (...words: string[]) =>
    almanac(["plan", "--as-of", "2026-11-23T03:05:00Z", ...words], { cwd: folder });

  test("fits a screen, with the sum first", async () => {
    const { stdout, stderr } = await whole();
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("5,086 calls, 0 already stored, 0 out of reach");
    expect(lines.length + Math.ceil(stderr.length / 80)).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const words = stdout.replaceAll(/\s+/g, " ");
    expect(words).toContain(" by language: en 230, 228 each of ");
    expect(words).toContain(
      " by operation: love-compatibility 3,024, daily-horoscope 600, 300 each of weekly-",
    );
    expect(words).toMatch(/, 258 in the other 7 shortest lead: en, \d+ h \d+ min before its midnight/);
    expect(lines.at(-1)).toBe("--all prints a row per operation and language, --lines prints each request");
  });

  test("fits a screen even if the night does not fit", async () => {
    const { stdout } = await whole("--rate", "0.05", "--concurrency", "1");
    expect(stdout.trimEnd().split("\n").length).toBeLessThan(24);
    expect(stdout).toMatch(/^does not fit: (?:[a-z]+\s){23}[a-z]+\. --all/m);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("raise service.ratePerSecond.translator to");
  });

  test("has with --all a row for each operation and language, and for each language", async () => {
    const { stdout } = await whole("--all");
    expect(stdout).toMatch(
      /^5,086 calls, 0 already stored, 0 out of reach\nalmanac-nightly-2026-11-23, as of /,
    );
    expect(stdout.match(/^[a-z]+ +daily-horoscope +24 +0 +0 +24 +2026-11-23 /gm)).toHaveLength(25);
    expect(stdout.match(/^[a-z]+ +2026-11-2\d \d\d:\d\d +2026-11-2\d .*\d min$/gm)).toHaveLength(26);
  });

  test("says that there is nothing to request", async () => {
    const { stdout } = await whole(
      "--languages",
      "gu",
      "--operations",
      "ex-flame-reading",
      "--from",
      "2025-01-01",
      "--to",
      "2025-01-01",
    );
    expect(stdout).toMatch(
      /^0 calls, 0 already stored, 1 out of reach\n.*\n\nnothing to request\n\n--all prints /,
    );
  });
});

test("a plan of pages counts those that search engines list, by kind, now and after a year", async () => {
  const { stdout, code } = await planned("--pages");
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^kind of page +listed +noindex +canonical +in a year: listed/);
  expect(lines).toContainEqual(expect.stringMatching(/^archivePage +0 +0 +0 +0 +156 +0$/));
  expect(lines.at(-1)).toMatch(/^all( +\d+){6}$/);
  const document = JSON.parse((await planned("--pages", "--json")).stdout);
  expect(document.pages).toContainEqual({
    page: "frontPage",
    now: { listed: 0, noindex: 0, canonical: 0 },
    afterAYear: { listed: 1, noindex: 0, canonical: 0 },
  });
});

describe("the pace of a plan", () => {
  test("is the configured one by default", async () => {
    expect(await pacesOf()).toContainEqual({ ratePerSecond: 5, concurrency: 8 });
    expect(await pacesOf("--rate", "200", "--concurrency", "16")).toContainEqual({
      ratePerSecond: 200,
      concurrency: 16,
    });
    expect(await planned("--rate", "0")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--rate must be a number from 0.01"),
    });
  });

  test("is not that of `almanac local` with the sandbox, which the output says", async () => {
    const configured = await planned();
    expect(configured.stderr).toBe(
      "estimated at the configured rate. `almanac local` calls the sandbox faster: --rate 300 --concurrency 32\n",
    );
    const quick = await planned("--rate", "300", "--concurrency", "32");
    expect(quick.stderr).toBe("");
    expect(quick.stdout).not.toBe(configured.stdout);
  });
});
