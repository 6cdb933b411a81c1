// What the judgement of a sheet needs of the sheet before it: a hash of each section of its texts. The claim of a sheet that was
// judged under it keeps them until somebody takes it again (claims.ts), so that the next period's judgement reads that file in
// place of twelve captures. Where the hashes speak of two texts that are alike, the captures decide.
import { z } from "zod";
import { areAlike, sectionsOf } from "../readings/sheet-gates.ts";
import { signs } from "../readings/signs.ts";
import type { KeptReading } from "./kept-readings.ts";
import { sha256 } from "./sha256.ts";

export const sheetTextsSchema = z.object({
  /** What made readings of the captures (publish/press/fingerprint.ts): another version may find other texts in them. */
  workings: z.string(),
  /** Of each sign. */
  sections: z.partialRecord(z.enum(signs), z.array(z.string())),
});
export type SheetTexts = z.infer<typeof sheetTextsSchema>;

/** Of no sheet. */
export const nobodysTexts: SheetTexts = { workings: "", sections: {} };

/** Enough letters of a hash: where two texts have the same by chance, the captures are read. */
const hashLength = 8;

export function textsOf(sheet: readonly KeptReading[], workings: string): SheetTexts {
  const sections = sheet.flatMap(({ reading }) =>
    reading.family === "horoscope" ? [[reading.sign, hashesOf(sectionsOf(reading))] as const] : [],
  );
  return { workings, sections: Object.fromEntries(sections) };
}

/** Whether no reading of a sheet can have the text of its sign in the sheet of these texts. */
export function isUnlike(sheet: readonly KeptReading[], before: SheetTexts): boolean {
  return sheet.every(({ reading }) => {
    if (reading.family !== "horoscope") return false;
    const earlier = before.sections[reading.sign];
    return earlier !== undefined && !areAlike(hashesOf(sectionsOf(reading)), earlier);
  });
}

function hashesOf(sections: readonly string[]): string[] {
  return sections.map((section) => sha256(section).slice(0, hashLength));
}
