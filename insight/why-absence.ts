// Why a text is not on the site: withheld by a person, held back with its set, waiting for its day or the next publish, or
// not in the vault; then the plan says why.
import { zoneOf, catalogue } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { utcMinute, isPeriodKind, spanOf, validity, localDate } from "../readings/calendar.ts";
import { type Language, rowOf, languagesOf, type Operation } from "../readings/tables.ts";
import { allPairs } from "../readings/pairs.ts";
import type { PlanLine } from "../readings/plan-order.ts";
import { type ReadingRequest, requestKey } from "../readings/request.ts";
import { isAcceptable } from "../vault/quarantine.ts";
import type { Quarantined } from "../vault/vault.ts";
import { layout } from "../vault/files.ts";
import type { Withdrawal } from "../vault/withheld.ts";
import { type NightPlan, planFor } from "./plan.ts";
import type { Absence, MissingReading, SetFacts, WhySources } from "./why-answer.ts";
import { heldOf } from "./why-text.ts";

/** The reason why one text, or its whole set, is not published. */
export async function absenceOf(
  request: ReadingRequest,
  requests: readonly ReadingRequest[],
  set: SetFacts,
  look: WhySources,
): Promise<Absence> {
  const never = neverDue(request, look.configuration);
  if (never !== undefined) return never;
  const held = await heldOf(requests, look);
  const isHeld = held.has(requestKey(request));
  return (
    (isHeld ? rolledBack(request, look) : undefined) ?? (await byPlan(request, requests, set, held, look))
  );
}

export function withdrawnAbsence({ at, by, reason, path, key }: Withdrawal): Absence {
  return {
    kind: "withdrawn",
    reason: `by ${by} at ${utcMinute(at)}: ${reason}`,
    next: `\`almanac withdraw --undo ${key}\` restores it (it was named by ${path})`,
  };
}

function rolledBack(
  request: ReadingRequest,
  { withheld, configuration, now }: WhySources,
): Absence | undefined {
  const { language, operation, period } = request;
  const today = localDate(zoneOf(configuration, language), now);
  const { due } = rowOf(operation);
  const span = isPeriodKind(due) ? spanOf(due, period) : undefined;
  const isPast = span !== undefined && span.last < today;
  const isAhead = span !== undefined && span.first > today;
  const isPinned = withheld.isSetPinned(request);
  // A pinned language shows none of the sets that are due today; those of other days wait for something else.
  if (!isPinned && (isPast || isAhead || !withheld.isEditionPinned(language, today))) return undefined;
  const dates = isPast ? ` --from ${span.first} --to ${span.last}` : "";
  return {
    kind: "rolled back",
    reason: `a rollback pins ${isPinned ? "its set" : `all pages in ${language}`}`,
    next: `\`almanac render --languages ${language}${dates}\` publishes it again`,
  };
}

async function byPlan(
  request: ReadingRequest,
  requests: readonly ReadingRequest[],
  set: SetFacts,
  held: ReadonlySet<string>,
  look: WhySources,
): Promise<Absence> {
  const left = requests.filter((one) => {
    const key = requestKey(one);
    return !held.has(key) && !look.withheld.isWithdrawn(key);
  });
  const isHeld = held.has(requestKey(request));
  if (left.length > 0) {
    const prospects = await prospectsOf(request, look);
    if (!isHeld) return prospects(request);
    const missing = await missingOf(left, prospects);
    return {
      kind: "waiting for its set",
      reason: `only complete sets are published, and the vault contains ${set.readings} of its ${set.of} readings`,
      missing,
      next: missing.find(({ next }) => next !== undefined)?.next,
    };
  }
  if (set.hindrance !== undefined) {
    const next = `\`almanac revalidate --languages ${request.language} --no-pages\` lists the responses at fault`;
    return { kind: "waiting for its set", reason: set.hindrance, next };
  }
  return waitingToBePublished(request, look);
}

async function missingOf(left: readonly ReadingRequest[], prospects: Prospects) {
  const missing: MissingReading[] = [];
  for (const one of left) {
    missing.push({ key: requestKey(one), ...(await prospects(one)) });
  }
  return missing;
}

/** The reason for a set of which the vault has every reading. */
function waitingToBePublished({ language, operation, period }: ReadingRequest, look: WhySources): Absence {
  const { due } = rowOf(operation);
  const zone = zoneOf(look.configuration, language);
  const isDated = isPeriodKind(due);
  const from = isDated ? validity(due, period, zone).from : look.now;
  if (from > look.now) {
    return {
      kind: "waiting for its day",
      reason: `its set is complete. It is published at ${utcMinute(from)}, when its first day begins in ${zone}`,
    };
  }
  const span = isDated ? spanOf(due, period) : undefined;
  const isPast = span !== undefined && span.last < localDate(zone, look.now);
  return {
    kind: "waiting for the next publish",
    reason: "its set is complete",
    next: isPast
      ? `a nightly run does not go back that far. Run \`almanac render --languages ${language} --from ${span.first} --to ${span.last}\``
      : `the next publish includes it. To publish it now: \`almanac render --languages ${language}\``,
  };
}

// The next plan's decision on a reading that the vault lacks: it is out of reach, refused, or due, and in which run.

/** The prospects of one set, whose readings are in the same plan. */
type Prospects = (request: ReadingRequest) => Promise<Absence>;

export async function prospectsOf(example: ReadingRequest, look: WhySources): Promise<Prospects> {
  const { operation, language } = example;
  const only = { languages: [language], operations: [operation] };
  const dates = datesOf(example);
  const request = { asOf: look.now.toISOString(), ...only };
  const { configuration, vault, site } = look;
  const inputs = { configuration, vault, site, now: () => look.now };
  const night = await planFor({ run: look.run, kind: "nightly", request }, inputs);
  const all =
    dates === undefined
      ? night
      : await planFor({ run: look.run, kind: "backfill", request: { ...request, ...dates } }, inputs);
  const wanted = catalogue(look.configuration, look.now, only, dates);
  return async (one) => {
    const key = requestKey(one);
    const unread = look.damaged.find(({ file }) => file === layout.response(key));
    if (unread !== undefined) return { kind: "damaged", reason: unread.reason };
    const entry = await look.unlessNoted(layout.quarantined(key), () => look.vault.quarantined(key));
    const line = lineOf(key, all);
    if (entry !== undefined) return inQuarantine(entry, line, look.now);
    if (line === undefined)
      return { kind: "never due", reason: "no run requests it, and it is not in the vault" };
    const reach = wanted.find(({ requests }) => requests.some((each) => requestKey(each) === key))?.reach;
    return prospectOf(line, reach?.from ?? look.now, all, lineOf(key, night) !== undefined, look.now);
  };
}

/** The dates that a backfill is to be given; a pair's and a person's text have none. */
function datesOf({ operation, period }: ReadingRequest): { from: string; to: string } | undefined {
  const { due } = rowOf(operation);
  if (!isPeriodKind(due)) return undefined;
  const { first, last } = spanOf(due, period);
  return { from: first, to: last };
}

function lineOf(key: string, plan: NightPlan): PlanLine | undefined {
  const lists = [plan.due, plan.leftOut, plan.outOfReach, plan.waiting, plan.refused];
  return lists.flatMap((list) => list.filter((line) => line.key === key))[0];
}

function inQuarantine(entry: Quarantined, line: PlanLine | undefined, now: Date): Absence {
  const { key, type, rule, reason, at, tries, run } = entry;
  const times = tries === 1 ? "once" : `${tries} times`;
  const isLost = line !== undefined && now >= line.lastMoment;
  const again = isLost
    ? "the service no longer offers it"
    : line?.reason === "waiting"
      ? "the next run requests it again"
      : "the next run that needs it requests it again";
  const remedies = [isAcceptable(entry) && "`accept`", !isLost && "`retry`"].filter((one) => one !== false);
  const then = remedies.length === 0 ? "" : `, then ${remedies.join(" or ")}`;
  return {
    kind: "quarantined",
    reason: `${type}${rule === undefined ? "" : ` (${rule})`}: ${reason}; requested ${times} by ${run}, last at ${utcMinute(at)}`,
    next: `\`almanac quarantine show ${key}\`${then}; ${again}`,
  };
}

function prospectOf(line: PlanLine, from: Date, plan: NightPlan, isOfNight: boolean, now: Date): Absence {
  const { request, reason, lastMoment } = line;
  const { language, operation } = request;
  const dates = datesOf(request);
  switch (reason) {
    case "out of reach":
      return now < from
        ? {
            kind: "not due yet",
            reason: `the service offers it from ${utcMinute(from)}`,
            next: "a nightly run requests it shortly before its first day",
          }
        : {
            kind: "out of reach",
            reason: `it is not in the vault, and the service offered it only until ${utcMinute(lastMoment)}`,
            next: "only a backup of the vault can restore it",
          };
    case "refused": {
      const refusal = plan.refusals.find((one) => one.operation === operation);
      return {
        kind: "not in the subscription",
        reason: `the service rejects every request of ${operation}: ${refusal?.reason ?? "no reason was stored"}`,
        next: "the next UTC day's run tries it again",
      };
    }
    case "missing":
    case "expired":
    case "retried":
    case "waiting":
    case "over the ceiling": {
      const span = dates === undefined ? "" : ` --from ${dates.from} --to ${dates.to}`;
      const backfill = `to request it now: \`almanac backfill --languages ${language} --operations ${operation}${span}\``;
      const ceiling =
        reason === "over the ceiling" ? `; the daily ceiling (service.callsPerDay) is reached` : "";
      const until = `it can be requested until ${utcMinute(lastMoment)}`;
      return isOfNight
        ? {
            kind: "due",
            reason: `it is not in the vault yet; ${until}${ceiling}`,
            next: "the next nightly run requests it. To start one now: `almanac nightly --wait`",
          }
        : now < line.dueAt
          ? {
              kind: "not due yet",
              reason: `no nightly run needs it yet; it is due at ${utcMinute(line.dueAt)}`,
              next: backfill,
            }
          : {
              kind: "due",
              reason: `it is not in the vault, and nightly runs no longer request it; ${until}${ceiling}`,
              next: backfill,
            };
    }
  }
}

// Reasons why a reading is never requested: the configuration does not want it, or the service does not have it.

/** Undefined for a reading that the configuration wants. */
function neverDue(request: ReadingRequest, configuration: Configuration): Absence | undefined {
  const { language, operation } = request;
  const general = neverRequested(language, operation, configuration);
  if (general !== undefined) return general;
  if ("sign1" in request) {
    const isWanted = (configuration.pairs ?? allPairs).some(
      ([one, other]) => one === request.sign1 && other === request.sign2,
    );
    if (!isWanted) return notConfigured(`${request.sign1}-${request.sign2} is not in "pairs"`);
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
): Absence | undefined {
  if (!languages.includes(language)) {
    return notConfigured(`${language} is not in "languages" (${languages.join(", ")})`);
  }
  if (operation === undefined) return undefined;
  if (!languagesOf(operation).includes(language)) {
    return {
      kind: "never due",
      reason: `the service does not offer ${operation} in ${language}`,
      next: `\`almanac reading --list\` lists its operations`,
    };
  }
  if (!operations.includes(operation)) return notConfigured(`${operation} is not in "operations"`);
  return undefined;
}

function notConfigured(reason: string): Absence {
  return { kind: "never due", reason, next: "add it to almanac.config.ts" };
}
