// Why a text is not on the site: withheld by a person, held back with its sheet, waiting for its day or the next publish, or
// not in the vault; then the plan says why.
import { zoneOf } from "../../readings/catalogue.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { rowOf } from "../../readings/operations.ts";
import { isPeriodKind, spanOf, validity } from "../../readings/periods.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { localDate } from "../../readings/zones.ts";
import type { Withdrawal } from "../../vault/withheld.ts";
import type { Absence, MissingReading, SheetFacts } from "./answer.ts";
import type { WhySources } from "./sources.ts";
import { neverDue } from "./never-asked.ts";
import { type Prospects, prospectsOf } from "./prospects.ts";
import { heldOf } from "./sheet-facts.ts";

/** The reason why one text, or its whole sheet, is not published. */
export async function absenceOf(
  request: ReadingRequest,
  requests: readonly ReadingRequest[],
  sheet: SheetFacts,
  look: WhySources,
): Promise<Absence> {
  const never = neverDue(request, look.configuration);
  if (never !== undefined) return never;
  const held = await heldOf(requests, look);
  const isHeld = held.has(requestKey(request));
  return (
    (isHeld ? rolledBack(request, look) : undefined) ?? (await byPlan(request, requests, sheet, held, look))
  );
}

export function withdrawnAbsence({ at, by, reason, path, key }: Withdrawal): Absence {
  return {
    kind: "withdrawn",
    reason: `by ${by} at ${utcMinute(at)}: ${reason}`,
    next: `\`almanac withdraw --undo ${key}\` brings it back (it was named by ${path})`,
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
  const isHeld = withheld.holdsSheet(request);
  // A language that is held shows none of the sheets that are due today; those of other days wait for something else.
  if (!isHeld && (isPast || isAhead || !withheld.holdsEdition(language, today))) return undefined;
  const dates = isPast ? ` --from ${span.first} --to ${span.last}` : "";
  return {
    kind: "rolled back",
    reason: `a rollback holds ${isHeld ? "its sheet" : `${language} as it was`}`,
    next: `\`almanac press --languages ${language}${dates}\` publishes it again`,
  };
}

async function byPlan(
  request: ReadingRequest,
  requests: readonly ReadingRequest[],
  sheet: SheetFacts,
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
      kind: "waiting for its sheet",
      reason: `a sheet is published whole, and the vault has ${sheet.readings} of its ${sheet.of} readings`,
      missing,
      next: missing.find(({ next }) => next !== undefined)?.next,
    };
  }
  if (sheet.hindrance !== undefined) {
    return { kind: "waiting for its sheet", reason: sheet.hindrance, next: `\`almanac quarantine list\`` };
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

/** The reason for a sheet of which the vault has every reading. */
function waitingToBePublished({ language, operation, period }: ReadingRequest, look: WhySources): Absence {
  const { due } = rowOf(operation);
  const zone = zoneOf(look.configuration, language);
  const isDated = isPeriodKind(due);
  const from = isDated ? validity(due, period, zone).from : look.now;
  if (from > look.now) {
    return {
      kind: "waiting for its day",
      reason: `all of its sheet is kept; it is shown from ${utcMinute(from)} on, when its first day begins in ${zone}`,
    };
  }
  const span = isDated ? spanOf(due, period) : undefined;
  const isPast = span !== undefined && span.last < localDate(zone, look.now);
  return {
    kind: "waiting for the next publish",
    reason: "all of its sheet is kept, and nothing speaks against it",
    next: isPast
      ? `a night does not go back that far: \`almanac press --languages ${language} --from ${span.first} --to ${span.last}\``
      : `the next night or turn publishes it; \`almanac press --languages ${language}\` does it now`,
  };
}
