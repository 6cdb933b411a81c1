// Corrects one text, or undoes that. The decision is recorded first, so that it is in force even if the publish that follows fails
// (render/decided-texts.ts). The stored response stays as it is.
import { cleanLine, cleanParagraphs } from "../readings/clean-text.ts";
import { seenText } from "../readings/collector.ts";
import { areSame, corrected, editOf, isLine, textsOf } from "../readings/corrections.ts";
import { answerRules, type RuleLevels } from "../readings/quality.ts";
import { type ReadingRequest, requestKey } from "../readings/request.ts";
import { correctionsOf } from "../vault/text-decisions.ts";
import { sha256, unlessDamaged } from "../vault/files.ts";
import { type Attribution, recordDecision } from "../vault/journal.ts";
import { periodOfKey } from "../vault/site-notes.ts";
import { doubtWith, shownReader } from "../vault/stored-readings.ts";
import { readWithheld } from "../vault/withheld.ts";
import { publishedReading } from "./state/published-files.ts";
import { createPartReader } from "./state/parts.ts";
import type { Publishing } from "./state/publish-context.ts";
import { findBase } from "./step/site-state.ts";
import { publishDecided, type Republished } from "./withdraw.ts";

/** Thrown if there is no such text, or nothing to correct or undo. */
export class NotCorrectable extends Error {
  override readonly name = "NotCorrectable";
}

/** One text of a reading as a person corrects it. */
export type CorrectableText = Awaited<ReturnType<typeof correctableText>>;

/** The text as readers see it or, if it isn't published, as the vault has it. `named`: the field, or the end of its path. */
export async function correctableText(
  request: ReadingRequest,
  named: string | undefined,
  publishing: Publishing,
) {
  const { vault, site } = publishing;
  const key = requestKey(request);
  const withheld = await readWithheld(vault.own);
  await withheld.edits(periodOfKey(key)); // throws if a decision is lost: it may be about this text
  const edits = await correctionsOf(key, withheld);
  const manifest = (await findBase(publishing, { continues: true }))?.manifest;
  const published = { site, manifest, reader: createPartReader(site) };
  const shown = await unlessDamaged(() => publishedReading(published, request));
  const read = await shownReader({ vault, withheld });
  const [stored] = (await read([request])).stored;
  const reading = shown === undefined ? stored?.reading : corrected(shown.reading, edits);
  if (reading === undefined)
    throw new NotCorrectable(
      `neither the vault nor the site has the text. \`almanac why ${key}\` gives the reason`,
    );
  const texts = [...textsOf(reading)];
  const isNamed = ([field]: (typeof texts)[number]) =>
    named === undefined || field === named || field.endsWith(`.${named}`);
  const [[field, paragraphs] = ["", undefined], other] = texts.filter(isNamed);
  if (paragraphs === undefined || other !== undefined) {
    const what = named === undefined ? `${key} has several texts` : `"${named}" is not a text of ${key}`;
    throw new NotCorrectable(`${what}. Choose one with --field: ${texts.map(([name]) => name).join(", ")}`);
  }
  return { request, key, reading, field, paragraphs, edits, stored, read };
}

/** A change of one text. */
export interface TextChange {
  readonly kind: "correct" | "uncorrect";
  readonly original: readonly string[];
  readonly text: readonly string[];
  /** The rules against the new text that a person can override. */
  readonly problems: readonly { readonly rule: string; readonly reason: string }[];
}

/** Texts that may be as short as a word. */
const briefs = /^(?:elements|idealDate)$/;

/** `place`: the only paragraph that is replaced, from 1. Throws `NotCorrectable` for a text that can't replace it. */
export async function changeTo(
  words: string,
  place: number | undefined,
  { request, reading: before, field, paragraphs: were, edits, stored, read }: CorrectableText,
  levels: RuleLevels,
): Promise<TextChange> {
  const isShort = isLine(field) || field.endsWith(".keywords");
  const kind = isShort ? "line" : briefs.test(field) ? "brief" : "prose";
  const own = isLine(field) ? [cleanLine(words)].filter((one) => one !== "") : cleanParagraphs(words);
  if (place !== undefined && place > were.length)
    throw new NotCorrectable(`${field} has no paragraph ${place}. It has ${were.length}`);
  if (own.length === 0)
    throw new NotCorrectable("the new text is empty. To remove the text, run `almanac withdraw`");
  const paragraphs = place === undefined ? own : were.toSpliced(place - 1, 1, ...own);
  const edit = { field, original: editOf(field, were, edits)?.original ?? were, text: paragraphs, at: "" };
  const texts = [seenText(field, kind, paragraphs)];
  const reading = corrected(before, [...edits, { ...edit, at: new Date(0).toISOString() }]);
  const candidate = { request, reading, texts, signEchoes: [], periodEcho: undefined, notes: [] };
  const found = Object.values(answerRules).flatMap((validate) => validate(candidate));
  const markup = found.find(({ rule }) => rule === "markup");
  if (markup !== undefined) throw new NotCorrectable(`${markup.reason}. Write it as plain text`);
  const refused = found.filter(({ rule, level }) => level === "refuse" && levels[rule] !== "warn");
  const doubt = stored && (await doubtWith({ ...stored, reading }, read, levels));
  return { ...edit, kind: "correct", problems: [...refused, ...(doubt === undefined ? [] : [doubt])] };
}

/** The text as it was before its newest correction, also if that is stale. */
export function undo({ field, key, paragraphs, edits }: CorrectableText): TextChange {
  const last = editOf(field, paragraphs, edits) ?? edits.findLast((edit) => edit.field === field);
  if (last === undefined || areSame(last.text, last.original))
    throw new NotCorrectable(
      `${field} of ${key} has no correction. \`almanac journal\` lists the corrections`,
    );
  return { kind: "uncorrect", original: last.original, text: last.original, problems: [] };
}

/** Records the change. From then on, every publish applies it. */
export async function recordCorrection(
  { kind, original, text, problems }: TextChange,
  { key, field }: CorrectableText,
  said: Attribution,
  { vault, now }: Publishing,
): Promise<void> {
  const overrides = problems.length === 0 ? undefined : problems.map(({ rule }) => rule);
  const subject = { key, field, original: sha256(original.join("\n")) };
  const texts = { original: [...original], text: [...text] };
  await recordDecision(vault.own, { ...said, kind, at: now().toISOString(), overrides, subject, ...texts });
}

/** Publishes a recorded change at once. */
export function publishCorrection(
  { kind }: Pick<TextChange, "kind">,
  request: ReadingRequest,
  publishing: Publishing,
): Promise<Republished> {
  const run = kind === "correct" ? "correct" : "correct --undo";
  return publishDecided(run, "correct a text", request.language, [], publishing);
}
