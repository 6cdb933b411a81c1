// The decisions on texts, from the journal: corrections, which readings/corrections.ts applies to a reading, and the review of a set, which
// is the last decision on each text and whether the set may be published with it. A review is of the text that the person saw: a changed
// text has none.
import { zoneOf } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { requestKey, type RequestKey } from "../readings/request.ts";
import { decidedOn, clearanceOf, type ReviewDecision, reviewOf } from "../readings/review.ts";
import { textHash } from "../site/data.ts";
import type { ReceivedReading } from "../site/edition.ts";
import { unlessDamaged } from "./files.ts";
import { type TextDecision, type Journal, languageOf } from "./journal.ts";
import { periodOfKey } from "./site-notes.ts";
import type { Withheld } from "./withheld.ts";
import { corrected, type TextEdit } from "../readings/corrections.ts";
import { isLanguage, type Language } from "../readings/tables.ts";
import { inParallel } from "../store/store.ts";

export type Review = Extract<TextDecision, { kind: ReviewDecision }>;

/** The sources of a set's review. */
export interface ReviewSource {
  readonly configuration: Pick<Configuration, "review" | "zones">;
  readonly withheld?: Pick<Withheld, "edits">;
  /** The local date that is today: on a set's first one ends its review. */
  readonly today: string;
}

/** The sources of decisions on texts that are published. */
export type DecidedSource = ReviewSource & { readonly withheld: Withheld };

/** Marks the approved readings of one set, and says whether it may be published. */
export async function reviewed(readings: readonly ReceivedReading[], source: ReviewSource) {
  const { configuration, today } = source;
  const reviews = await reviewsOf(readings, source);
  const kinds = readings.map(({ reading }) => reviews.get(requestKey(reading))?.kind);
  const marked = readings.map((one, index) => ({ ...one, reviewed: kinds[index] === "approve" }));
  const newest = readings.toSorted((one, other) => (one.receivedAt < other.receivedAt ? 1 : -1))[0];
  if (newest === undefined) return { readings, reviews, clearance: "open" } as const;
  const zone = zoneOf(configuration, newest.reading.language);
  const isDue = decidedOn(newest.reading, newest.receivedAt, zone) <= today;
  return {
    readings: marked,
    reviews,
    clearance: clearanceOf(reviewOf(newest.reading, configuration), kinds, isDue),
  };
}

/** A published reading with its corrections, without the newest ones that wait for review. */
export async function correctedAsReviewed(
  published: ReceivedReading,
  source: DecidedSource,
): Promise<ReceivedReading> {
  const { reading } = published;
  const edits = await correctionsOf(requestKey(reading), source.withheld);
  for (let count = edits.length; count > 0; count -= 1) {
    const one = { ...published, reading: corrected(reading, edits.slice(0, count)) };
    const isKnown = textHash(one.reading) === textHash(reading); // readers have seen it
    if (isKnown || (await reviewed([one], source)).clearance === "open") return one;
  }
  return published;
}

/** The last decision on each text as it is now; none if a decision of their period is lost. */
async function reviewsOf(readings: readonly ReceivedReading[], { withheld }: ReviewSource) {
  const [first] = readings;
  const group = first && periodOfKey(requestKey(first.reading));
  const edits = group && (await unlessDamaged(async () => withheld?.edits(group)));
  const decisions = (edits || []).flatMap((one) => ("texts" in one ? [one] : []));
  const reviews = new Map<RequestKey, Review>();
  for (const { reading } of decisions.length === 0 ? [] : readings) {
    const [key, hash] = [requestKey(reading), textHash(reading)];
    const last = decisions.findLast(({ texts }) => texts[key] === hash);
    if (last !== undefined) reviews.set(key, last);
  }
  return reviews;
}

/** A decision about one text, which applies to a reading of its request. */
export type Correction = TextEdit &
  Pick<TextDecision, "by" | "reason" | "overrides"> & { readonly key: RequestKey };

/** The decisions about the texts of a request, in their order; none if they can't be read. */
export async function correctionsOf(key: RequestKey, journal: Pick<Journal, "edits">): Promise<Correction[]> {
  return (await correctionsIn(periodOfKey(key), journal)).filter((one) => one.key === key);
}

async function correctionsIn(group: string, journal: Pick<Journal, "edits">): Promise<Correction[]> {
  const decisions = (await unlessDamaged(() => journal.edits(group))) ?? [];
  return decisions.flatMap((one) =>
    one.kind === "correct" || one.kind === "uncorrect" ? [{ ...one.subject, ...one }] : [],
  );
}

/** The corrections of a language, or of all, by the keys of their requests. */
export async function allCorrections(
  journal: Pick<Journal, "edits" | "groups">,
  language?: Language,
): Promise<Map<RequestKey, Correction[]>> {
  const found = await inParallel(await journal.groups(language), (group) => correctionsIn(group, journal));
  return Map.groupBy(found.flat(), ({ key }) => key);
}

/** The languages with texts that a person has withdrawn, restored or corrected. */
export async function decidedLanguages(withheld: Withheld): Promise<Set<Language>> {
  const { withdrawn, returned } = withheld.note;
  const keys = [...withdrawn.map(({ key }) => key), ...returned, ...(await withheld.groups())];
  return new Set(keys.map((key) => languageOf(key) ?? "").filter(isLanguage));
}
