import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  areSame,
  corrected,
  staleAmong,
  type TextEdit,
  textsOf,
  uncorrected,
} from "../../readings/corrections.ts";
import { type Reading, readingSchema } from "../../readings/reading.schema.ts";
import { operationNames } from "../../readings/tables.ts";
import { readingFor } from "../site/editions.ts";
import { requestFor } from "../support/requests.ts";
import { deep } from "../support/deep.ts";

/** One reading of each operation, and so of each family. */
const readings = operationNames.map((operation) => readingFor(requestFor(operation, "en")));
const published = (reading: Reading) => readingSchema.parse(JSON.parse(JSON.stringify(reading)));
const bytesOf = (reading: Reading) => JSON.stringify(reading);

const isLine = (field: string) => /^(luck|animal)/.test(field);
const line = fc.stringMatching(/^[a-z]{1,20}( [a-z]{1,20}){0,5}$/);
const runs = { numRuns: deep ? 2000 : 60 };

/** Decisions on the texts of a reading: each is a correction, or it is undone. */
function editsOf(reading: Reading) {
  const texts = [...textsOf(reading)];
  const one = fc.record({
    place: fc.nat(texts.length - 1),
    paragraphs: fc.array(line, { minLength: 1, maxLength: 3 }),
    isUndone: fc.boolean(),
  });
  return fc.array(one, { minLength: 1, maxLength: 6 }).map((all) =>
    all.flatMap(({ place, paragraphs, isUndone }, index): TextEdit[] => {
      const [field, original] = texts[place] ?? ["", []];
      const text = isUndone ? original : isLine(field) ? paragraphs.slice(0, 1) : paragraphs;
      return [{ field, original, text, at: `2026-11-21T0${index}:00:00.000Z` }];
    }),
  );
}

const lastOf = (edits: readonly TextEdit[]) => [...new Map(edits.map((edit) => [edit.field, edit])).values()];

describe.each(readings.map((reading) => [reading.operation, reading] as const))("%s", (_, reading) => {
  test("has its newest corrections and no other change, and names these fields", () => {
    fc.assert(
      fc.property(editsOf(reading), (edits) => {
        const result = corrected(reading, edits);
        const expected = new Map(textsOf(reading));
        for (const { field, text } of lastOf(edits)) expected.set(field, text);
        expect(textsOf(result)).toEqual(expected);
        const marked = lastOf(edits).filter(({ original, text }) => !areSame(original, text));
        expect(new Set(result.corrected?.fields ?? [])).toEqual(new Set(marked.map(({ field }) => field)));
        expect(result.corrected?.at).toBe(
          marked
            .map(({ at }) => at)
            .sort()
            .at(-1),
        );
        expect(staleAmong(reading, edits)).toEqual([]);
        const { corrected: _mark, ...rest } = result;
        for (const name of ["images", "scores", "colors", "period"])
          expect(Reflect.get(rest, name)).toEqual(Reflect.get(reading, name));
      }),
      runs,
    );
  });

  test("comes out the same from every published state, and without its corrections as it was, to the byte", () => {
    fc.assert(
      fc.property(editsOf(reading), fc.nat(6), (edits, count) => {
        const whole = corrected(reading, edits);
        const earlier = published(corrected(reading, edits.slice(0, count)));
        expect(bytesOf(corrected(earlier, edits))).toBe(bytesOf(published(whole)));
        expect(bytesOf(uncorrected(earlier, edits))).toBe(bytesOf(published(reading)));
        expect(readingSchema.safeParse(whole).success).toBe(true);
      }),
      runs,
    );
  });

  test("of another response keeps its text, and its correction is stale until a person decides", () => {
    for (const [field, original] of textsOf(reading)) {
      const edit = {
        field,
        original: ["An earlier text."],
        text: ["A correction."],
        at: "2026-11-21T08:00:00.000Z",
      };
      expect(corrected(reading, [edit])).toEqual(reading);
      expect(staleAmong(reading, [edit])).toEqual([edit]);
      const undone = { ...edit, text: edit.original };
      expect(staleAmong(reading, [edit, undone])).toEqual([]);
      const again = { ...edit, original, text: ["Again."] };
      expect(staleAmong(reading, [edit, again])).toEqual([]);
      expect(corrected(reading, [edit, again]).corrected?.fields).toEqual([field]);
    }
  });
});

test("names, pictures and numbers are not texts: a name identifies a card in its deck", () => {
  const fields = readings.flatMap((reading) => [...textsOf(reading).keys()]);
  expect(new Set(fields.map((field) => field.replaceAll(/\d+/g, "N")))).toMatchInlineSnapshot(`
    Set {
      "sections.personal",
      "sections.health",
      "sections.profession",
      "sections.emotions",
      "sections.travel",
      "luck.N.label",
      "luck.N.value",
      "overall",
      "positive",
      "negative",
      "elements",
      "idealDate",
      "cards.N.text",
      "past.summary",
      "past.keywords",
      "past.advice",
      "present.summary",
      "present.keywords",
      "present.advice",
      "future.summary",
      "future.keywords",
      "future.advice",
      "you.text",
      "firstLove.text",
      "secondLove.text",
      "yin.text",
      "yang.text",
      "animal",
      "text",
      "career",
      "love",
      "finance",
    }
  `);
});
