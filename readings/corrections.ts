// Corrections: texts of a reading that a person has replaced, one field at a time. They are applied whenever a reading is read, from
// the vault or from a published file, so that every page, file and deck agrees. The vault keeps the response as received.
import { type Candidate, seenText } from "./collector.ts";
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

/** The texts of a reading, by their fields, in the order of its JSON. */
export function textsOf(reading: Reading): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  mapTexts(reading, "", (field, text) => {
    texts.set(field, text);
    return text;
  });
  return texts;
}

/** Whether the text is one line, such as a lucky number. */
export function isLine(field: string): boolean {
  return /^luck\.|^animal$/.test(field);
}

/** The reading with the corrections of its texts, and with their mark. The edits are in the order of their times. */
export function corrected(reading: Reading, edits: readonly TextEdit[]): Reading {
  return edited(reading, edits, ({ text }) => text);
}

/** The same for a reading with the texts that the rules examine. */
export function correctedCandidate(candidate: Candidate, edits: readonly TextEdit[]): Candidate {
  const reading = corrected(candidate.reading, edits);
  if (reading.corrected === undefined) return candidate;
  const [before, now] = [textsOf(candidate.reading), textsOf(reading)];
  const changes = reading.corrected.fields.map((field) => [before.get(field) ?? [], now.get(field) ?? []]);
  const texts = candidate.texts.map((text) => {
    const [, paragraphs] = changes.find(([original = []]) => areSame(original, text.paragraphs)) ?? [];
    return paragraphs === undefined ? text : seenText(text.field, text.kind, paragraphs);
  });
  return { ...candidate, reading, texts };
}

/** The reading as it was before its corrections. */
export function uncorrected(reading: Reading, edits: readonly TextEdit[]): Reading {
  return edited(reading, edits, ({ original }) => original);
}

/** The newest corrections of fields whose text is another one by now: a person must decide. */
export function staleAmong<Edit extends TextEdit>(reading: Reading, edits: readonly Edit[]): Edit[] {
  const texts = textsOf(reading);
  const newest = new Map(edits.map((edit) => [edit.field, edit])).values();
  const isKnown = ({ field }: Edit) => editOf(field, texts.get(field) ?? [], edits) !== undefined;
  return [...newest].filter((edit) => !areSame(edit.text, edit.original) && !isKnown(edit));
}

/** The newest edit of this text; undefined for a text that no edit knows. */
export function editOf<Edit extends TextEdit>(
  field: string,
  text: readonly string[],
  edits: readonly Edit[],
) {
  const own = edits.filter((edit) => edit.field === field);
  const known =
    own.findLast(({ original }) => areSame(original, text)) ??
    own.findLast((edit) => areSame(edit.text, text));
  return known && own.findLast(({ original }) => areSame(original, known.original));
}

export function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join("\n") === other.join("\n");
}

type Choice = (edit: TextEdit) => readonly string[];

function edited(reading: Reading, edits: readonly TextEdit[], choose: Choice): Reading {
  if (edits.length === 0) return reading;
  const applied: TextEdit[] = [];
  const { corrected: _mark, ...rest } = reading;
  const made = mapTexts(rest, "", (field, text) => {
    const edit = editOf(field, text, edits);
    if (edit === undefined) return text;
    if (!areSame(choose(edit), edit.original)) applied.push(edit);
    return choose(edit);
  });
  const at = applied.map((edit) => edit.at).toSorted();
  const mark = { corrected: { at: at.at(-1), fields: applied.map(({ field }) => field) } };
  const whole = applied.length === 0 ? made : Object.assign({}, made, mark);
  return isReading(whole) ? whole : reading;
}

function isReading(value: unknown): value is Reading {
  return readingSchema.safeParse(value).success;
}

type Change = (field: string, text: readonly string[]) => readonly string[];

/** The value with other texts: lists of paragraphs, and lines, which stay lines. */
function mapTexts(value: unknown, field: string, change: Change): unknown {
  if (typeof value === "string") return change(field, [value]).join(" ");
  if (Array.isArray(value)) {
    const texts = value.filter((one) => typeof one === "string");
    if (texts.length < value.length)
      return value.map((one, index) => mapTexts(one, `${field}.${index}`, change));
    return texts.length === 0 ? value : change(field, texts);
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    const path = field === "" ? name : `${field}.${name}`;
    return [name, notTexts.has(name) ? one : mapTexts(one, path, change)];
  });
  return Object.fromEntries(entries);
}
