// The state of sets, with the texts of each: published, complete, or the first reason why a set is not published. `almanac why` explains
// the state of one set. Each set that is not published as it should be has its next steps.
import { isVisible } from "../publish/render/decided-texts.ts";
import { allSlots, zoneOf } from "../readings/catalogue.ts";
import { isPeriodKind, localDate, spanOf, firstDayOf } from "../readings/calendar.ts";
import { reviewOf } from "../readings/review.ts";
import { type ReadingRequest, requestKey, setName } from "../readings/request.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import { inParallel } from "../store/store.ts";
import { reviewed, correctionsOf } from "../vault/text-decisions.ts";
import { loadSets } from "../vault/editions.ts";
import type { HindranceKind } from "../vault/sets.ts";
import { staleAmong } from "../readings/corrections.ts";
import type { WhySources } from "./why-facts.ts";
import { hashSeen } from "../publish/review.ts";

/**
 * `ready`: complete, and published with its date or by the next publish. `missing`: the vault lacks texts, of which none is in
 * quarantine. The others are the kinds of hindrances.
 */
export type SetStateName = "published" | "ready" | "missing" | "quarantined" | HindranceKind;

export type SetState = Awaited<ReturnType<typeof stateOf>>;

/** The state of the set that consists of these requests. */
export async function stateOf(requests: readonly ReadingRequest[], look: WhySources) {
  const [first] = requests;
  if (first === undefined) throw new RangeError("a set has at least one request");
  const { configuration, vault, withheld, now } = look;
  const today = localDate(zoneOf(configuration, first.language), now);
  const source = { configuration, vault, withheld, today, read: look.stored };
  const { passedOver, damaged } = await loadSets([requests], source, false);
  look.note(damaged);
  const [hindrance] = passedOver;
  const withdrawn = requests.filter((request) => withheld.isWithdrawn(requestKey(request)));
  const left = requests.filter((request) => !withdrawn.includes(request));
  const texts = await look.read(requests);
  const held = new Set(texts.map(({ response }) => response.key));
  const missing = left.filter((request) => !held.has(requestKey(request)));
  const quarantined = await quarantinedAmong(missing, look);
  const isPublished = await areShown(left, look);
  const lacking = missing.length === 0 ? undefined : quarantined.length > 0 ? "quarantined" : "missing";
  const state: SetStateName = isPinned(first, look)
    ? "rolled back"
    : (lacking ?? hindrance?.kind ?? (isPublished ? "published" : "ready"));
  const reason = hindrance?.reason;
  const review = reviewOf(first, configuration);
  const { reviews } = await reviewed(texts, source);
  const stale = await inParallel(texts, async ({ response: { key }, reading }) => {
    return staleAmong(reading, await correctionsOf(key, withheld));
  });
  return {
    /** `daily/2026-11-21/hi/daily-horoscope`; for a pair or a person the request key. */
    set: setName(first),
    requests,
    state,
    /** Why the set can't be published as the vault has it. */
    reason,
    /** Whether the site shows the set, perhaps with earlier texts. */
    isPublished,
    /** The texts in the vault, withdrawn ones too. */
    texts,
    withdrawn,
    /** The texts that are neither in the vault nor withdrawn, and those of them that are in quarantine. */
    missing,
    quarantined,
    /** The corrections that no longer apply. A text has the mark of its others (`corrected`). */
    stale: stale.flat(),
    /** When people review it, and the last decision on each text as it is now. */
    review,
    reviews,
  };
}

async function quarantinedAmong(requests: readonly ReadingRequest[], { vault }: WhySources) {
  const [first] = requests;
  const inQuarantine = new Set(first && (await vault.inQuarantine(setName(first))));
  return requests.map(requestKey).filter((key) => inQuarantine.has(key));
}

async function areShown(requests: readonly ReadingRequest[], { published, vault }: WhySources) {
  for (const request of requests) if (!(await isVisible(request, published, vault))) return false;
  return requests.length > 0;
}

/** A pinned language shows none of the sets that are due today; those of other days wait for something else. */
function isPinned(request: ReadingRequest, { configuration, withheld, now }: WhySources): boolean {
  const { language, operation, period } = request;
  const today = localDate(zoneOf(configuration, language), now);
  const { due } = rowOf(operation);
  const days = isPeriodKind(due) ? spanOf(due, period) : undefined;
  const isOfToday = days === undefined || (days.first <= today && today <= days.last);
  return withheld.isSetPinned(request) || (isOfToday && withheld.isEditionPinned(language, today));
}

/** The states of the newest sets that a language can show on a date. */
export async function statesOn(language: Language, date: string, look: WhySources): Promise<SetState[]> {
  const sets = allSlots(language, date, look.configuration).flatMap((candidates) => candidates.slice(0, 1));
  return inParallel(sets, (requests) => stateOf(requests, look));
}

/** The texts of a set that a person decides on. */
export function textsToReview({ texts, withdrawn }: SetState) {
  const gone = new Set(withdrawn.map(requestKey));
  return texts.filter(({ response }) => !gone.has(response.key));
}

/** A step for a set that is not published as it should be, for the bar of a preview and for an editor's page. */
export interface NextStep {
  /** A request key, or the name of a set. */
  readonly about: string;
  readonly reason: string;
  readonly command: string;
}

export function nextSteps(set: SetState): NextStep[] {
  const step = (about: string, reason: string, command: string) => ({ about, reason, command });
  const withdrawn = set.withdrawn.map(requestKey);
  const own = withdrawn.map((key) => step(key, "withdrawn", `almanac withdraw --undo ${key}`));
  const refused = set.quarantined.map((key) => step(key, "in quarantine", `almanac quarantine show ${key}`));
  const stale = set.stale.map(({ key, field }) => {
    const why = `the correction of ${field} no longer applies`;
    return step(key, why, `almanac correct ${key} --field ${field} --reason "..."`);
  });
  const command = set.missing.length > set.quarantined.length ? gatherAgain(set) : commandFor(set);
  const reason = (set.reason ?? set.state).replace(/\. `.*/, ""); // the command is next to it
  const whole = command === undefined ? [] : [step(set.set, reason, command)];
  return [...own, ...refused, ...stale, ...whole];
}

function gatherAgain({ requests: [first] }: SetState) {
  if (first === undefined) return undefined;
  const { language, operation, period } = first;
  const { due } = rowOf(operation);
  if (!isPeriodKind(due)) return "almanac nightly";
  const day = firstDayOf(due, period);
  return `almanac backfill --languages ${language} --operations ${operation} --from ${day} --to ${day}`;
}

/** Undefined if nothing is to be done about the set as a whole. */
function commandFor(set: SetState) {
  const language = set.requests[0]?.language ?? "";
  switch (set.state) {
    case "waiting":
    case "rejected":
      return `almanac review approve ${set.set} --seen ${hashSeen(textsToReview(set))}`;
    case "refused":
      return `almanac revalidate --languages ${language} --no-pages`;
    case "rolled back":
      return `almanac render --languages ${language}`;
    default:
      return undefined;
  }
}
