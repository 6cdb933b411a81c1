// What the next plan does about a reading that the vault lacks: it is out of reach, refused, or due, and in which run.
import { catalogue } from "../../readings/catalogue.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { rowOf } from "../../readings/operations.ts";
import { isPeriodKind, spanOf } from "../../readings/periods.ts";
import type { PlanLine } from "../../readings/plan-line.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import type { Quarantined } from "../../vault/capture.schema.ts";
import { type NightPlan, planFor } from "../../foresight/plan.ts";
import { layout } from "../../vault/layout.ts";
import type { Absence } from "./answer.ts";
import type { WhySources } from "./sources.ts";

/** The prospects of one sheet, whose readings stand in the same plan. */
export type Prospects = (request: ReadingRequest) => Promise<Absence>;

export async function prospectsOf(example: ReadingRequest, look: WhySources): Promise<Prospects> {
  const { operation, language } = example;
  const only = { languages: [language], operations: [operation] };
  const dates = datesOf(example);
  const request = { asOf: look.now.toISOString(), ...only };
  const { configuration, vault, site } = look;
  const place = { configuration, vault, site, now: () => look.now };
  const night = await planFor({ run: look.run, kind: "nightly", request }, place);
  const all =
    dates === undefined
      ? night
      : await planFor({ run: look.run, kind: "backfill", request: { ...request, ...dates } }, place);
  const wanted = catalogue(look.configuration, look.now, only, dates);
  return async (one) => {
    const key = requestKey(one);
    const unread = look.damaged.find(({ file }) => file === layout.capture(key));
    if (unread !== undefined) return { kind: "damaged", reason: unread.reason };
    const entry = await look.unlessNoted(layout.quarantined(key), () => look.vault.quarantined(key));
    const line = lineOf(key, all);
    if (entry !== undefined) return inQuarantine(entry, line, look.now);
    if (line === undefined)
      return { kind: "never due", reason: "no run asks for it, and the vault has none" };
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
    ? "the service gives it no longer"
    : line?.reason === "waiting"
      ? "the next run asks once more"
      : "the next run that wants it asks once more";
  return {
    kind: "quarantined",
    reason: `${type}${rule === undefined ? "" : ` (${rule})`}: ${reason}; asked ${times} by ${run}, last at ${utcMinute(at)}`,
    next: `\`almanac quarantine show ${key}\`, then \`accept\`${isLost ? "" : " or `retry`"}; ${again}`,
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
            reason: `the service gives it from ${utcMinute(from)} on`,
            next: "a night asks for it by itself when its first day is near",
          }
        : {
            kind: "out of reach",
            reason: `the vault has no answer, and the service gave it until ${utcMinute(lastMoment)} only`,
            next: "nothing brings it back but a backup of the vault",
          };
    case "refused": {
      const refusal = plan.refusals.find((one) => one.operation === operation);
      return {
        kind: "not in the subscription",
        reason: `${operation} is refused, whatever is asked of it: ${refusal?.reason ?? "no reason was kept"}`,
        next: "it is tried again on the next UTC day",
      };
    }
    case "missing":
    case "expired":
    case "retried":
    case "waiting":
    case "over the ceiling": {
      const span = dates === undefined ? "" : ` --from ${dates.from} --to ${dates.to}`;
      const backfill = `\`almanac backfill --languages ${language} --operations ${operation}${span}\` asks now`;
      const ceiling =
        reason === "over the ceiling" ? `; the day's ceiling (service.callsPerDay) is reached` : "";
      const until = `it can be asked for until ${utcMinute(lastMoment)}`;
      return isOfNight
        ? {
            kind: "due",
            reason: `the vault has no answer yet; ${until}${ceiling}`,
            next: "the next night asks: `almanac nightly --wait` starts one",
          }
        : now < line.dueAt
          ? {
              kind: "not due yet",
              reason: `no night wants it yet; readers want it from ${utcMinute(line.dueAt)} on`,
              next: backfill,
            }
          : {
              kind: "due",
              reason: `the vault has no answer, and a night wants it no longer; ${until}${ceiling}`,
              next: backfill,
            };
    }
  }
}
