// Corrects one text, or undoes that. The decision is recorded first, so that it is in force even if the publish that follows fails
// (render/corrected-texts.ts). The stored response stays as it is.
import type { Candidate } from "../readings/collector.ts";
import { cleanParagraphs, isPlain, isUndisguised } from "../readings/clean-text.ts";
import { areSame, corrected, editOf, textsOf } from "../readings/corrections.ts";
import { answerRules, type RuleLevels } from "../readings/quality.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { type ReadingRequest, requestKey } from "../readings/request.ts";
import type { RuleName } from "../readings/rules/rule.ts";
import { type Correction, correctionsOf } from "../vault/corrections.ts";
import { sha256, unlessDamaged } from "../vault/files.ts";
import { type Decision, recordDecision } from "../vault/journal.ts";
import { doubtWith, type StoredReader, type StoredReading, storedReader } from "../vault/stored-readings.ts";
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
export interface CorrectableText {
  readonly request: ReadingRequest;
  /** The published reading or, if there is none, the vault's. */
  readonly reading: Reading;
  readonly field: string;
  readonly paragraphs: readonly string[];
  readonly isLine: boolean;
  /** The decisions about the text. */
  readonly edits: readonly Correction[];
  readonly stored: StoredReading | undefined;
  readonly read: StoredReader;
}

/** `named`: the field, or the end of its path. It can be omitted if the reading has only one text. */
export async function correctableText(
  request: ReadingRequest,
  named: string | undefined,
  publishing: Publishing,
): Promise<CorrectableText> {
  const { vault, site } = publishing;
  const key = requestKey(request);
  const withheld = await readWithheld(vault.own);
  const all = await correctionsOf(key, withheld);
  const manifest = (await findBase(publishing, { continues: true }))?.manifest;
  const published = { site, manifest, reader: createPartReader(site) };
  const shown = await unlessDamaged(() => publishedReading(published, request));
  const read = storedReader(vault, new Set(await vault.supersededKeys()), withheld);
  const [stored] = (await read([request])).stored;
  const reading = shown === undefined ? stored?.reading : corrected(shown.reading, all);
  if (reading === undefined)
    throw new NotCorrectable(
      `neither the vault nor the site has the text. \`almanac why ${key}\` gives the reason`,
    );
  const texts = [...textsOf(reading)];
  const wanted = texts.filter(
    ([field]) => named === undefined || field === named || field.endsWith(`.${named}`),
  );
  const [[field, text] = ["", undefined], other] = wanted;
  if (text === undefined || other !== undefined) {
    const what = named === undefined ? `${key} has several texts` : `"${named}" is not one text of ${key}`;
    throw new NotCorrectable(`${what}. Choose one with --field: ${texts.map(([name]) => name).join(", ")}`);
  }
  return { request, reading, field, ...text, edits: all.filter((one) => one.field === field), stored, read };
}

/** A change of one text. */
export interface TextChange {
  readonly kind: "correct" | "uncorrect";
  readonly original: readonly string[];
  readonly text: readonly string[];
  /** The rules against the new text that a person can override. */
  readonly problems: readonly { readonly rule: RuleName; readonly reason: string }[];
}

/** `place`: the only paragraph that is replaced, from 1. Throws `NotCorrectable` for a text that can't replace it. */
export async function changeTo(
  words: string,
  place: number | undefined,
  { isLine, ...of }: CorrectableText,
  levels: RuleLevels,
): Promise<TextChange> {
  const { field, paragraphs, edits } = of;
  const own = cleanParagraphs(words);
  if (own.length === 0)
    throw new NotCorrectable(`the new text is empty. To remove the text, run \`almanac withdraw\``);
  if (isLine && own.length > 1)
    throw new NotCorrectable(`${field} is one line. Write it without line breaks`);
  const text = place === undefined ? own : paragraphs.toSpliced(place - 1, 1, ...own);
  const original = editOf(field, paragraphs, edits)?.original ?? paragraphs;
  const edit = { field, original, text, at: new Date(0).toISOString() };
  const reading = corrected(of.reading, [...edits, edit]);
  const found = findingsIn(reading, { ...of, isLine, paragraphs: text }).filter(
    ({ rule }) => levels[rule] !== "warn" || rule === "markup",
  );
  const markup = found.find(({ rule }) => rule === "markup");
  if (markup !== undefined) throw new NotCorrectable(`${markup.reason}. Write it as plain text`);
  const doubt = of.stored && (await doubtWith({ ...of.stored, reading }, of.read, levels));
  return { kind: "correct", original, text, problems: doubt === undefined ? found : [...found, doubt] };
}

const briefFields = new Set(["elements", "idealDate"]);

function findingsIn(
  reading: Reading,
  { request, field, isLine, paragraphs }: Omit<CorrectableText, "reading">,
) {
  const kind = isLine || field.endsWith(".keywords") ? "line" : briefFields.has(field) ? "brief" : "prose";
  const [plain, undisguised] = [paragraphs.every(isPlain), paragraphs.every(isUndisguised)];
  const texts = [{ field, kind, paragraphs, plain, undisguised } as const];
  const candidate: Candidate = { request, reading, texts, signEchoes: [], periodEcho: undefined, notes: [] };
  return Object.values(answerRules)
    .flatMap((validate) => validate(candidate))
    .filter(({ level }) => level === "refuse");
}

/** The text as it was before its newest correction, also if that is stale. */
export function undo({ field, request, paragraphs, edits }: CorrectableText): TextChange {
  const last = editOf(field, paragraphs, edits) ?? edits.at(-1);
  if (last === undefined || areSame(last.text, last.original))
    throw new NotCorrectable(
      `${field} of ${requestKey(request)} has no correction. \`almanac journal\` lists the corrections`,
    );
  return { kind: "uncorrect", original: last.original, text: last.original, problems: [] };
}

/** Names of the two commands in the log of versions. */
const runs = { correct: "correct", uncorrect: "correct --undo" } as const;

/** Records the change. From then on, every publish applies it. */
export async function recordCorrection(
  { kind, original, text, problems }: TextChange,
  { request, field }: CorrectableText,
  said: Pick<Decision, "by" | "reason">,
  { vault, now }: Publishing,
): Promise<void> {
  const overrides = problems.length === 0 ? undefined : problems.map(({ rule }) => rule);
  const subject = { key: requestKey(request), field, original: sha256(original.join("\n")) };
  const at = now().toISOString();
  const texts = { original: [...original], text: [...text] };
  await recordDecision(vault.own, { ...said, kind, at, overrides, subject, ...texts });
}

/** Publishes a recorded change at once. */
export function publishCorrection(
  { kind }: TextChange,
  request: ReadingRequest,
  publishing: Publishing,
): Promise<Republished> {
  return publishDecided(runs[kind], "correct a text", request.language, [], publishing);
}
