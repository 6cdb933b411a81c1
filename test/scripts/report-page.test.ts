// A run's report as a page: figures against the run before, what was refused, and nothing that gets out of its element.
import { always } from "../../store/store.ts";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { expect, test } from "vitest";
import type { Counts } from "../../readings/run-messages.ts";
import { reportBefore } from "../../vault/runs.ts";
import { writeJson } from "../../vault/files.ts";
import { createVault } from "../../vault/vault.ts";
import { type Reported, reportPage } from "../../scripts/status/report-page.ts";
import { openMemory } from "../support/memory.ts";
import { countsWith } from "../support/progress.ts";

const counts = (stored: number, more: Partial<Counts> = {}): Counts =>
  countsWith({ planned: 26, stored, calls: stored, ...more });

function night(day: string, more: Partial<Reported> = {}): Reported {
  return {
    run: `almanac-nightly-2026-11-${day}`,
    startedAt: `2026-11-${day}T03:05:00.000Z`,
    endedAt: `2026-11-${day}T04:17:00.000Z`,
    asOf: `2026-11-${day}T03:05:00.000Z`,
    state: "done",
    planned: 52,
    held: 4,
    outOfReach: 0,
    leftOut: 0,
    languages: { en: { "daily-horoscope": counts(24) }, hi: { "daily-horoscope": counts(26) } },
    skipped: [],
    refused: [],
    broken: {},
    published: [{ version: 7, languages: ["en", "hi"] }],
    ...more,
  };
}

/** The cells of the row with this name. */
function row(page: string, name: string): string[] {
  const [, cells = ""] = new RegExp(`<th scope="row">${name}</th>(.*?)</tr>`, "s").exec(page) ?? [];
  return [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, text = ""]) => text.replace(/<[^>]*>/g, ""));
}

test("puts each figure beside that of the run before", () => {
  const tonight = night("22", {
    planned: 1_204,
    endedAt: "2026-11-22T05:26:00.000Z",
    languages: { hi: { "daily-horoscope": counts(20, { retried: 3, skipped: 2, calls: 25 }) } },
  });
  const page = reportPage(tonight, night("21"));
  expect(page).toContain("Compared with almanac-nightly-2026-11-21");
  expect(page).toContain("done, but incomplete: 2026-11-22 03:05 to 05:26 UTC, as of 2026-11-22 03:05<");
  expect({
    requested: row(page, "requested"),
    stored: row(page, "stored"),
    again: row(page, "retried"),
    skipped: row(page, "skipped"),
    calls: row(page, "calls"),
    long: row(page, "duration"),
    hindi: row(page, "hi"),
  }).toEqual({
    requested: ["1,204", "52"],
    stored: ["20", "50"],
    again: ["3", "0"],
    skipped: ["2", "0"],
    calls: ["25", "50"],
    long: ["2 h 21 min", "72 min"],
    hindi: ["", "26", "20", "3", "2", "26"],
  });
});

test("says of a run that is under way that it is not known how long it takes", () => {
  const { endedAt: _, ...running } = night("21");
  const page = reportPage(running, undefined);
  expect(row(page, "duration")).toEqual(["–"]);
  expect(page).toContain("No earlier run of this kind is known");
});

test("names the starts of the night before the one it shows, and what each skipped", () => {
  const key = "daily/2026-11-22/hi/daily-tarot/reading";
  const first = {
    ...night("22", { skipped: [{ key, type: "Unfit", reason: "short" }] }),
    languages: { hi: { "daily-tarot": counts(25, { skipped: 1 }) } },
    endedAt: "2026-11-23T00:17:00.000Z",
  };
  const page = reportPage(night("22", { planned: 0, languages: {} }), night("21"), [first]);
  expect(row(page, "requested")).toEqual(["0", "52"]);
  expect(page).toContain(
    "<p>earlier start: 2026-11-22 03:05 to 2026-11-23 00:17 UTC, done, 25 stored, 1 skipped</p>",
  );
  expect(page).toContain(`<code>${key}</code> <b>Unfit</b> short`);
});

test("is valid, asks for nothing from elsewhere, and lets no text out of its element", async () => {
  const hostile = `</code><script>alert(1)</script><img src="https://elsewhere.example/x">`;
  const skipped: Reported["skipped"] = [{ key: hostile, type: "Unfit", reason: hostile }];
  const page = reportPage(
    night("22", {
      failure: hostile,
      skipped,
      refused: [
        { operation: "daily-tarot", reason: hostile, languages: ["hi"], requested: 12, notRequested: 3 },
      ],
      broken: { hi: hostile },
    }),
    night("21"),
    [{ ...night("22", { skipped }), endedAt: "2026-11-22T02:00:00.000Z" }],
  );
  expect(page).not.toMatch(/<script|<img|<link|url\(/);
  expect(page.match(/&lt;script&gt;/g)).toHaveLength(7);
  const validator = new HtmlValidate(
    new StaticConfigLoader({
      extends: ["html-validate:standard", "html-validate:document", "html-validate:a11y"],
    }),
  );
  const { results } = validator.validateStringSync(page);
  const faults = results.flatMap(({ messages }) =>
    messages.map(({ message, line }) => `${line}: ${message}`),
  );
  expect(faults).toEqual([]);
});

test("stands beside the newest earlier run of its kind, whatever else ran meanwhile", async () => {
  const vault = createVault(
    openMemory(() => new Date("2026-11-22T12:00:00Z")),
    "almanac",
  );
  const runs = [
    night("19"),
    night("20"),
    night("21", { run: "almanac-backfill-2026-11-21-hi" }),
    night("22"),
    night("23"),
  ];
  for (const run of runs) {
    await writeJson(
      vault.store,
      `sites/almanac/runs/${run.asOf.slice(0, 10)}/${run.run}/first.json`,
      { format: 1, ...run },
      always,
    );
  }
  expect((await reportBefore(vault, night("22")))?.run).toBe("almanac-nightly-2026-11-20");
  expect(await reportBefore(vault, night("19"))).toBeUndefined();
});
