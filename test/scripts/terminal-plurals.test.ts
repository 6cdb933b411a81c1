// Singular after one: no command prints "1 files".
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RunProgress } from "../../readings/run-messages.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { seededRandom } from "../../packages/sandbox/random.ts";
import { summaryLine, breakerWords } from "../../scripts/terminal/run-words.ts";
import { entryLines } from "../../scripts/quarantine.ts";
import { rehearsalOf, verdictsOf } from "../../scripts/rehearse/results.ts";
import { publishWords } from "../../scripts/publish.ts";
import { copyLines } from "../../scripts/withdraw.ts";
import { almanac } from "../support/cli.ts";
import { progressOf } from "../support/progress.ts";

const at = "2026-11-21T03:05:00.000Z";
const oneCard = { languages: ["en"], operations: ["daily-tarot"] } satisfies ConfigurationInput;

function nightThatPublished(times: number): RunProgress {
  const published = Array.from({ length: times }, (_, index) => ({
    version: index + 1,
    languages: ["en"] as const,
  }));
  return progressOf({ planned: 1, published });
}

test.each([
  [1, "published 1 time"],
  [2, "published 2 times"],
])("after %i of them a night says %s", (times, words) => {
  expect(
    summaryLine(nightThatPublished(times), { secondsLeft: undefined, ratePerSecond: 1 }).split(", ").at(-1),
  ).toBe(words);
});

test("a publish that changed one file says so", () => {
  const languages = ["en"] as const;
  expect(publishWords({ languages, changed: 1, version: 2 })).toBe(
    "published version 2: 1 file new or changed in en",
  );
});

test("a breaker that was probed once, and an answer that was asked for once", () => {
  const run = "almanac-nightly-2026-11-21";
  const key = "daily/2026-11-21/en/daily-tarot/reading";
  const times = { openedAt: at, nextProbeAt: at, forgivenAt: at, isLong: false };
  const breaker = { endpoint: "english", run, key, seen: "HTTP 401", ...times } as const;
  expect(breakerWords({ ...breaker, probes: 1 })).toContain("; probed 1 time, next at ");
  const entry = { key, type: "Rejected", reason: "no", at, tries: 1, run, address: "" } as const;
  expect(entryLines({ format: 1, ...entry })[2]).toBe(
    `requested 1 time by ${run}, last at 2026-11-21 03:05 UTC, from `,
  );
});

test("what was withdrawn is kept for one day", () => {
  const changes = [{ path: "en/daily/leo/index.html", reason: "gone" }] as const;
  const lines = copyLines({ version: 2, changes, passedOver: [] }, "https://almanac.example", 1);
  expect(lines.at(-1)).toBe(
    "earlier versions contain the text until `almanac gc` deletes them, 1 day from now",
  );
});

test("a plan and a rehearsal of one call", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-plurals-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "almanac.config.ts"), `export default ${JSON.stringify(oneCard)};\n`);
  const day = ["--from", "2026-11-21", "--to", "2026-11-21", "--as-of", "2026-11-21T12:00:00Z"];
  const planned = await almanac(["plan", ...day], { cwd: folder });
  expect(planned.stdout).toMatch(/^1 call, 0 already stored, 0 out of reach\n/);

  const configuration = configurationSchema.parse(oneCard);
  const nights = {
    configuration,
    from: new Date(at),
    days: 4,
    outages: [],
    refused: { languages: [], operations: [] },
    latencyMs: undefined,
    newChance: () => seededRandom(1),
  };
  const verdicts = verdictsOf(await rehearsalOf(nights, { seed: 1, outages: [], refused: [] }));
  const load = verdicts.find(({ question }) => question === "Does each nightly run finish in time?");
  expect(load?.answer).toContain(" and 1 call. The longest (");
});
