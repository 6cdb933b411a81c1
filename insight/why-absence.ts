// Why a text is not on the site: withheld by a person, held back with its set, waiting for its day or the next publish, or
// not in the vault; then the catalogue says when a run requests it.
import { zoneOf, catalogue } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { addDays, utcMinute, isPeriodKind, spanOf, validity, localDate } from "../readings/calendar.ts";
import { type Language, rowOf, languagesOf, type Operation } from "../readings/tables.ts";
import { allPairs } from "../readings/pairs.ts";
import { isFurtherDraw, type ReadingRequest, requestKey } from "../readings/request.ts";
import { inParallel } from "../store/store.ts";
import { callDayOf, callsTakenOn, concerns, refusalsIn } from "../vault/call-notes.ts";
import { isAcceptable } from "../vault/quarantine.ts";
import type { Quarantined } from "../vault/vault.ts";
import { layout } from "../vault/files.ts";
import type { SetState } from "./set-states.ts";
import { because, reviewWords, type Fact, refusalWords, type Reason, type WhySources } from "./why-facts.ts";

/** The reason why a text, or its whole set, is not published, with the readings that the set waits for. */
export async function absenceOf(
  request: ReadingRequest,
  { set, requests, state, reason, texts, missing, reviews }: SetState,
  look: WhySources,
): Promise<readonly Fact[]> {
  const { configuration, withheld, now } = look;
  const { language, operation, period } = request;
  const never = neverDue(request, configuration);
  if (never !== undefined) return never;
  const expired = expiredReason(request, look);
  if (expired !== undefined) return expired;
  if (!texts.some(({ response }) => response.key === requestKey(request))) return prospectOf(request, look);
  if (isFurtherDraw(request)) {
    const words = "its deck shows a later text of the same card, or was not published since it was stored";
    return because("waiting for the next publish", words);
  }

  const { due } = rowOf(operation);
  const zone = zoneOf(configuration, language);
  const [today, days] = [localDate(zone, now), daysOf(request)];
  const isPast = days !== undefined && days.last < today;
  const render = `\`almanac render --languages ${language}${isPast ? days.options : ""}\``;
  if (state === "rolled back") {
    const pinned = withheld.isSetPinned(request) ? "its set" : `all pages in ${language}`;
    const words = `a rollback pins ${pinned}`;
    return because("rolled back", words, `${render} publishes it again`);
  }

  if (missing.length > 0) {
    const words = `only complete sets are published, and the vault contains ${texts.length} of its ${requests.length} readings`;
    const found = await inParallel(missing, async (one) => {
      const [why, ...next] = await prospectOf(one, look);
      const fact = { about: "missing", is: requestKey(one), words: `${why.is}: ${why.words}` };
      return { fact, next };
    });
    const firstStep = found.flatMap(({ next }) => next).slice(0, 1);
    return [...because("waiting for its set", words), ...found.map(({ fact }) => fact), ...firstStep];
  }
  if (state === "waiting" || state === "rejected") {
    const rejections = [...new Set(reviews.values())]
      .filter(({ kind }) => kind === "reject")
      .map(reviewWords);
    const words = state === "waiting" ? "nobody has approved its present texts" : rejections.join("; ");
    const approve = `\`almanac review approve ${set}\` publishes it`;
    return because(state === "waiting" ? "waiting for review" : "rejected", words, approve);
  }
  if (reason !== undefined) {
    const next = `\`almanac revalidate --languages ${language} --no-pages\` lists the responses at fault`;
    return because("waiting for its set", reason, next);
  }
  const from = isPeriodKind(due) ? validity(due, period, zone).from : now;
  if (from > now) {
    const words = `its set is complete. It is published at ${utcMinute(from)}, when its first day begins in ${zone}`;
    return because("waiting for its day", words);
  }
  const next = isPast
    ? `a nightly run does not go back that far. Run ${render}`
    : `the next publish includes it. To publish it now: ${render}`;
  return because("waiting for the next publish", "its set is complete", next);
}

export function withdrawnReason(request: ReadingRequest, { withheld }: WhySources): Reason | undefined {
  const withdrawal = withheld.note.withdrawn.find(({ key }) => key === requestKey(request));
  if (withdrawal === undefined) return undefined;
  const { at, by, reason, path, key } = withdrawal;
  const next = `\`almanac withdraw --undo ${key}\` restores it (it was named by ${path})`;
  return because("withdrawn", `by ${by} at ${utcMinute(at)}: ${reason}`, next);
}

/** Why a text that is older than the archive is not published. */
function expiredReason(request: ReadingRequest, { configuration, now }: WhySources): Reason | undefined {
  const { language } = request;
  const [{ days: limit }, days] = [configuration.archive, daysOf(request)];
  const today = localDate(zoneOf(configuration, language), now);
  if (limit === undefined || days === undefined || days.last >= addDays(today, -limit)) return undefined;
  const words = `it is older than archive.days (${limit}), so it left the site. Its text stays in the vault`;
  const next = `raise archive.days, then run \`almanac render --languages ${language}${days.options}\``;
  return because("expired", words, next);
}

/** The days of a dated text; a pair's and a person's text have none. */
function daysOf({ operation, period }: ReadingRequest) {
  const { due } = rowOf(operation);
  if (!isPeriodKind(due)) return undefined;
  const { first, last } = spanOf(due, period);
  return { first, last, options: ` --from ${first} --to ${last}` };
}

/** Whether a run requests a reading that the vault lacks, and which one. */
async function prospectOf(request: ReadingRequest, look: WhySources): Promise<Reason> {
  const { configuration, now, vault } = look;
  const { language, operation } = request;
  const key = requestKey(request);
  const unread = look.damaged.get(layout.response(key));
  if (unread !== undefined) return because("damaged", unread);
  const only = { languages: [language], operations: [operation] };
  const days = daysOf(request);
  const wantedOn = (dates?: { readonly from: string; readonly to: string }) =>
    catalogue(configuration, now, only, dates).find((set) => set.requests.map(requestKey).includes(key));
  const set = wantedOn(days && { from: days.first, to: days.last });
  const entry = await look.unlessNoted(layout.quarantined(key), () => vault.quarantined(key));
  if (entry !== undefined) return inQuarantine(entry, set !== undefined && now >= set.reach.until);
  if (set === undefined) return because("never due", "no run requests it, and it is not in the vault");
  const { reach, dueAt } = set;
  if (now < reach.from) {
    const words = `the service offers it from ${utcMinute(reach.from)}`;
    return because("not due yet", words, "a nightly run requests it shortly before its first day");
  }
  if (now >= reach.until) {
    const words = `it is not in the vault, and the service offered it only until ${utcMinute(reach.until)}`;
    return because("out of reach", words, "only a backup of the vault can restore it");
  }
  const today = callDayOf(now);
  const refusal = (await refusalsIn(vault)).find((one) => one.day >= today && concerns(one, request));
  if (refusal !== undefined) {
    const words = `the service rejects every request of ${operation}: ${refusal.reason}`;
    return because("not in the subscription", words, "the next UTC day's run tries it again");
  }
  const { callsPerDay = Number.POSITIVE_INFINITY } = configuration.service;
  const isOver = (await callsTakenOn(vault, today)) >= callsPerDay;
  const ceiling = isOver ? "; the daily ceiling (service.callsPerDay) is reached" : "";
  const until = `it can be requested until ${utcMinute(reach.until)}${ceiling}`;
  if (wantedOn() !== undefined) {
    const next = "the next nightly run requests it. To start one now: `almanac nightly --wait`";
    return because("due", `it is not in the vault yet; ${until}`, next);
  }
  const next = `to request it now: \`almanac backfill --languages ${language} --operations ${operation}${days?.options ?? ""}\``;
  return now < dueAt
    ? because("not due yet", `no nightly run needs it yet; it is due at ${utcMinute(dueAt)}`, next)
    : because("due", `it is not in the vault, and nightly runs no longer request it; ${until}`, next);
}

function inQuarantine(entry: Quarantined, isLost: boolean): Reason {
  const { key, at, tries, run } = entry;
  const again = isLost ? "the service no longer offers it" : "the next run that needs it requests it again";
  const remedies = [isAcceptable(entry) ? ", then `accept`" : "", isLost ? "" : ", then `retry`"].join("");
  const words = `${refusalWords(entry)}; requested ${tries === 1 ? "once" : `${tries} times`} by ${run}, last at ${utcMinute(at)}`;
  const show = `\`almanac quarantine show ${key}\``;
  return because("quarantined", words, `${show}${remedies.replace("`, then", "` or")}; ${again}`);
}

/** Undefined for a reading that the configuration wants. */
function neverDue(request: ReadingRequest, configuration: Configuration): Reason | undefined {
  const { language, operation } = request;
  const general = neverRequested(language, operation, configuration);
  if (general !== undefined) return general;
  if ("sign1" in request) {
    const { sign1, sign2 } = request;
    const isWanted = (configuration.pairs ?? allPairs).some(([one, two]) => one === sign1 && two === sign2);
    if (!isWanted) return notConfigured(`${sign1}-${sign2} is not in "pairs"`);
  }
  if ("person" in request && !configuration.people.some(({ id }) => id === request.person)) {
    return notConfigured(`no person with the ID ${request.person} is in "people"`);
  }
  return undefined;
}

export function neverRequested(
  language: Language,
  operation: Operation | undefined,
  { languages, operations }: Configuration,
): Reason | undefined {
  if (!languages.includes(language))
    return notConfigured(`${language} is not in "languages" (${languages.join(", ")})`);
  if (operation === undefined) return undefined;
  if (!languagesOf(operation).includes(language)) {
    const words = `the service does not offer ${operation} in ${language}`;
    return because("never due", words, "`almanac reading --list` lists its operations");
  }
  return operations.includes(operation) ? undefined : notConfigured(`${operation} is not in "operations"`);
}

function notConfigured(words: string): Reason {
  return because("never due", words, "add it to almanac.config.ts");
}
