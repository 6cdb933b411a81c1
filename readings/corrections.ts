// Corrections: texts of a reading that a person has replaced, one field at a time. They are applied whenever a reading is read, from
// the vault or from a published file, so that every page, file and deck agrees. The vault keeps the response as received.
import { type Reading, readingSchema } from "./reading.schema.ts";

/** A person's decision about one text. An undone correction has the original again as its text. */
export interface TextEdit {
  /** The path of the text in the reading's JSON: `sections.personal`, `cards.0.text`. */
  readonly field: string;
  /** The paragraphs as received from the service. */
  readonly original: readonly string[];
  readonly text: readonly string[];
  readonly at: string;
}

/** Fields that are not texts, or that identify a card in its deck. */
const notTexts = new Set(
  "format language period family operation sign sign1 sign2 person name category orientation kind colors images corrected".split(
    " ",
  ),
);

interface TextOf {
  readonly paragraphs: readonly string[];
  /** Whether it is one line, such as a lucky number, and has no paragraphs. */
  readonly isLine: boolean;
}

/** The texts of a reading, by their fields, in the order of its JSON. */
export function textsOf(reading: Reading): ReadonlyMap<string, TextOf> {
  const texts = new Map<string, TextOf>();
  mapTexts(reading, "", (field, paragraphs, isLine) => {
    texts.set(field, { paragraphs, isLine });
    return paragraphs;
  });
  return texts;
}

/** The reading with the corrections of its texts, and with their mark. The edits are in the order of their times. */
export function corrected(reading: Reading, edits: readonly TextEdit[]): Reading {
  return edited(reading, edits, (last) => last.text);
}

/** The reading as it was before its corrections. */
export function uncorrected(reading: Reading, edits: readonly TextEdit[]): Reading {
  return edited(reading, edits, (last) => last.original);
}

/** The fields whose newest correction is of another text than the reading has: a person must decide. */
export function staleFields(reading: Reading, edits: readonly TextEdit[]): string[] {
  const texts = textsOf(reading);
  return [...new Set(edits.map(({ field }) => field))].filter((field) => {
    const last = edits.findLast((edit) => edit.field === field);
    if (last === undefined || areSame(last.original, last.text)) return false;
    return editOf(field, texts.get(field)?.paragraphs ?? [], edits) === undefined;
  });
}

/** The newest edit of this text; undefined for a text that no edit knows. */
export function editOf<Edit extends TextEdit>(
  field: string,
  text: readonly string[],
  edits: readonly Edit[],
): Edit | undefined {
  const own = edits.filter((edit) => edit.field === field);
  const known =
    own.findLast(({ original }) => areSame(original, text)) ??
    own.findLast((edit) => areSame(edit.text, text));
  return known && own.findLast(({ original }) => areSame(original, known.original));
}

function edited(
  reading: Reading,
  edits: readonly TextEdit[],
  choose: (last: TextEdit) => readonly string[],
): Reading {
  if (edits.length === 0) return reading;
  const { corrected: mark, ...rest } = reading;
  let at = "";
  const note = (time: string) => {
    if (time > at) at = time;
  };
  const fields: string[] = [];
  const made = mapTexts(rest, "", (field, text) => {
    const last = editOf(field, text, edits);
    const next = last === undefined ? text : choose(last);
    if (last === undefined ? mark?.fields.includes(field) : !areSame(next, last.original)) {
      fields.push(field);
      note(last?.at ?? mark?.at ?? "");
    }
    return next;
  });
  const whole = fields.length === 0 ? made : Object.assign({}, made, { corrected: { at, fields } });
  return isReading(whole) ? whole : reading;
}

function isReading(value: unknown): value is Reading {
  return readingSchema.safeParse(value).success;
}

export function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((paragraph, index) => paragraph === other[index]);
}

type Change = (field: string, text: readonly string[], isLine: boolean) => readonly string[];

/** The value with other texts: lists of paragraphs, and lines, which stay lines. */
function mapTexts(value: unknown, field: string, change: Change): unknown {
  if (typeof value === "string") return change(field, [value], true).join(" ");
  if (Array.isArray(value)) {
    const texts = value.filter((one) => typeof one === "string");
    if (texts.length === value.length) return texts.length === 0 ? value : change(field, texts, false);
    return value.map((one, index) => mapTexts(one, `${field}.${index}`, change));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    const path = field === "" ? name : `${field}.${name}`;
    return [name, notTexts.has(name) ? one : mapTexts(one, path, change)];
  });
  return Object.fromEntries(entries);
}
