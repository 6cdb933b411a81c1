// The texts of a set for a person who reads them before they are published: each next to English, and to the text of the period before.
import { type ReadingRequest, requestKey, type RequestKey } from "../readings/request.ts";
import { isPeriodKind, shiftPeriod } from "../readings/calendar.ts";
import { fieldOf } from "../readings/collector.ts";
import { isLine, textsOf } from "../readings/corrections.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { type Language, languagesOf, rowOf } from "../readings/tables.ts";
import { inParallel } from "../store/store.ts";
import { candidateIn, quarantinedAt } from "../vault/quarantine.ts";
import type { SetState } from "./set-states.ts";
import type { WhySources } from "./why-facts.ts";

export type ReadField = ReturnType<typeof fieldsOf>[number];
export type ReadText = Awaited<ReturnType<typeof readTexts>>[number];

/** The texts of a set, in the order of its requests. */
export async function readTexts({ requests, texts }: SetState, look: WhySources) {
  const read = async (others: readonly ReadingRequest[]) => {
    const found = await look.read(others);
    return new Map(found.map(({ reading }) => [requestKey(reading), reading]));
  };
  const own = new Map(texts.map(({ reading }) => [requestKey(reading), reading]));
  const english = await read(requests.flatMap(inEnglish));
  const before = await read(requests.flatMap(oneBefore));
  return inParallel(requests, async (request) => {
    const key = requestKey(request);
    const entry = own.has(key) ? undefined : await quarantinedAt(look.vault, key);
    const reading = own.get(key) ?? (entry && candidateIn(entry)?.reading);
    const inOther = (known: ReadonlyMap<RequestKey, Reading>, [other]: readonly ReadingRequest[]) =>
      other && known.get(requestKey(other));
    const fields =
      reading && fieldsOf(reading, inOther(before, oneBefore(request)), inOther(english, inEnglish(request)));
    const isThere = reading !== undefined;
    return {
      key,
      request,
      /** Why the text is in quarantine. */
      refusal: entry?.reason,
      /** Whether there is a text that can be read, in the vault or in quarantine. */
      isThere,
      fields: fields ?? [],
    };
  });
}

function inEnglish(request: ReadingRequest): ReadingRequest[] {
  const isThere = request.language !== "en" && languagesOf(request.operation).includes("en");
  return isThere ? [{ ...request, language: "en" }] : [];
}

function oneBefore(request: ReadingRequest): ReadingRequest[] {
  const { due } = rowOf(request.operation);
  return isPeriodKind(due) ? [{ ...request, period: shiftPeriod(due, request.period, -1) }] : [];
}

function fieldsOf(reading: Reading, before: Reading | undefined, english: Reading | undefined) {
  const [texts, old, other] = [reading, before, english].map((one) => one && textsOf(one));
  return [...(texts ?? [])].flatMap(([field, paragraphs]) => {
    if (field.endsWith(".label")) return []; // it is the name of its value
    const known = isLine(field) ? [] : (old?.get(field) ?? []); // lucky numbers may repeat
    return {
      /** The path of the text in the reading: `sections.personal`. */
      field,
      isCorrected: reading.corrected?.fields.includes(field) === true,
      /** The card or the label that the text belongs to. */
      name: nameAt(reading, field),
      paragraphs: comparedWith(known, paragraphs, reading.language),
      english: other?.get(field) ?? [],
      englishName: english && nameAt(english, field),
    };
  });
}

function nameAt(reading: Reading, field: string): string | undefined {
  let owner: unknown = reading;
  for (const part of field.split(".").slice(0, -1)) owner = fieldOf(owner, part);
  const name = fieldOf(owner, "name") ?? fieldOf(owner, "label");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The sentences of the paragraphs. `isKnown`: the text before has it, too. */
export function comparedWith(before: readonly string[], paragraphs: readonly string[], language: Language) {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  const sentencesIn = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
  const known = new Set(before.flatMap(sentencesIn).map((sentence) => sentence.trim()));
  return paragraphs.map((paragraph) =>
    sentencesIn(paragraph).map((text) => ({ text, isKnown: known.has(text.trim()) })),
  );
}
