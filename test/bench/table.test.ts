import { expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import type { Line, Outcome } from "../../bench/measures/measure.ts";
import { picture } from "../../bench/picture.ts";
import { head, type Results, resultsSchema, tableOf, verdictOn } from "../../bench/table.ts";

const ours: Line = { what: "Almanac", unit: "of ideal", digits: 3, figures: [1.012, 1.016, 1.014] };
const lines: Line[] = [
  { ...ours, aim: { words: "at most 1.02", holds: true }, note: "at most 21 in a second" },
  {
    what: "a bare <script>",
    unit: "of ideal",
    digits: 3,
    figures: [1, 1.01, 1],
    ratios: [1.012, 1.006, 1.014],
  },
  { what: "BullMQ", unit: "of ideal", digits: 3, figures: [], missing: "`apt-get install redis-server`" },
];
const measured: Outcome = {
  name: "limited",
  about: "a night; over the ideal",
  state: "measured",
  seconds: 12,
  lines,
};
const failed: Outcome = {
  name: "crash",
  about: "a crash",
  state: "out of time",
  seconds: 180,
  lines: [],
  failure: "not done after 180 s",
};
const results: Results = {
  format: 1,
  measuredAt: "2026-11-22T05:00:00.000Z",
  node: "v24.21.0",
  machine: { cores: 2, model: "any", memoryGb: 8 },
  share: 1,
  outcomes: [measured, failed],
};

/** Placeholder schema: any well-formed content is valid. */
const anySvg = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
  <xs:element name="svg"><xs:complexType mixed="true"><xs:sequence>
    <xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/>
  </xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType></xs:element>
</xs:schema>`;

it("prints median, spread, ratio and target of each measured contender, and names the unmeasured ones", () => {
  const table = tableOf(measured).split("\n").slice(2);
  expect(table[0]).toMatch(
    /^ {2}Almanac +of ideal +1\.014 +1\.012 +1\.016 +at most 1\.02: holds; at most 21/,
  );
  expect(table[1]).toMatch(/^ {2}a bare <script> +of ideal +1\.000 +1\.000 +1\.010 +1\.01$/);
  expect(table[2]).toBe(
    "  BullMQ                          not measured here: `apt-get install redis-server`",
  );
  expect(tableOf(failed)).toContain("out of time: not done after 180 s");
});

it("counts the targets that are met, and names each that is missed", () => {
  const missed = { ...ours, what: "Almanac, 4 workers", aim: { words: "at most 1", holds: false } };
  expect(verdictOn([{ ...measured, lines: [...lines, missed] }, failed])).toBe(
    "1 of 2 aims hold\n  missed: limited, Almanac, 4 workers: at most 1",
  );
});

it("marks the figures of a trial as invalid", () => {
  expect(head({ ...results, share: 0.1 })).toContain("a trial with a share of 0.1");
  expect(head(results)).not.toContain("trial");
});

it("stores the results as JSON that parses back to the same results", () => {
  expect(resultsSchema.parse(JSON.parse(JSON.stringify(results)))).toEqual(results);
});

it("draws a valid picture with a bar for each measured contender and a note for each unmeasured one", async () => {
  const drawn = picture(results);
  const { errors } = await validateXML({ xml: drawn, extension: "schema", schema: anySvg });
  expect(errors).toEqual([]);
  expect(drawn.match(/<rect class="(ours|bar)"/g)).toHaveLength(2);
  expect(drawn).toContain("not measured on this machine");
  expect(drawn).toContain("a bare &lt;script&gt;");
  expect(drawn).toContain("prefers-color-scheme: dark");
});
