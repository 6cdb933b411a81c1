// One simulated night: its plan from what is kept so far, its calls one by one, and the notes that a run would leave in the
// vault. It follows the same code as a real night for its rules.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { simulateCalls, type SimulatedCall } from "../readings/simulated-calls.ts";
import { furtherDraws } from "../readings/further-draws.ts";
import type { Language } from "../readings/languages.ts";
import type { Operation } from "../readings/operations.ts";
import { spacingMsFor } from "../readings/call-pace.ts";
import type { PlanLine } from "../readings/plan-line.ts";
import { makePlan, type Plan } from "../readings/plan.ts";
import type { RequestKey } from "../readings/request.ts";
import { deadlineOf } from "../readings/fitting-settings.ts";
import {
  hear,
  type HeardSoFar,
  isRefusedAlike,
  leaveOut,
  refusedBy,
  refusedOperationsOf,
} from "../readings/refused-operations.ts";
import { countsOf } from "../readings/tally.ts";
import type { Tally } from "../readings/run-messages.ts";
import { addressFiguresOf, longestAttemptMs, slotsFor } from "../service/limits.ts";
import { unknownDecks } from "./known-decks.ts";
import { type NightPlan, windowOf } from "./plan.ts";
import { planAround, type Refusal } from "../vault/refusals.ts";
import { isRefusedBy, nextOutage, type Assumptions } from "./assumptions.ts";

/** The contents that a vault would have, with times in milliseconds since 1970. */
export interface SimulatedVault {
  readonly keys: Map<RequestKey, number>;
  readonly quarantined: Set<RequestKey>;
  readonly refusals: Map<Operation, Refusal>;
}

export type RehearsedCall = SimulatedCall<AskedLine>;

export interface AskedLine {
  readonly line: PlanLine;
  readonly edition: Language;
  readonly lastMs: number;
}

export interface RehearsedNight {
  readonly instant: Date;
  readonly deadline: Date;
  readonly plan: NightPlan;
  readonly calls: readonly RehearsedCall[];
}

export function rehearseNight(
  instant: Date,
  kept: SimulatedVault,
  wish: Assumptions,
  chance: () => number,
): RehearsedNight {
  const { configuration } = wish;
  const day = instant.toISOString().slice(0, 10);
  const refusals = [...kept.refusals.values()];
  const draws = furtherDraws(configuration, instant, unknownDecks(configuration, refusals), kept.keys.keys());
  const around = planAround(refusals, day, (refused) =>
    makePlan({
      configuration,
      instant,
      held: (key) => kept.keys.has(key),
      quarantined: (key) => (kept.quarantined.has(key) ? "due" : undefined),
      refused,
      latencyMs: wish.latencyMs,
      draws,
    }),
  );
  const made = { ...around, damaged: [] };
  const heard: HeardByLanguage = {};
  const { callsPerDay = Infinity } = configuration.service;
  let room = callsPerDay - made.due.length;
  const mayAskAgain = () => (room -= 1) >= 0;
  const deadline = deadlineOf(instant, configuration.schedule.deadlineHours);
  const calls = [...Map.groupBy(made.due, ({ address }) => address)].flatMap(([address, lines]) =>
    callsOn(address, lines, { instant, deadline, plan: made, heard, chance, mayAskAgain }, wish),
  );
  remember(calls, instant, kept);
  const results = resultsOf(calls, heard);
  for (const { operation, reason, languages, asked } of refusedOperationsOf(made.refusals, results)) {
    if (asked === 0) continue;
    kept.refusals.set(operation, { operation, day, run: day, reason, languages: [...languages] });
  }
  return { instant, deadline, plan: made, calls };
}

type HeardByLanguage = Partial<Record<Language, HeardSoFar>>;

interface Around {
  readonly instant: Date;
  readonly deadline: Date;
  readonly plan: Plan;
  readonly heard: HeardByLanguage;
  readonly chance: () => number;
  readonly mayAskAgain: () => boolean;
}

function callsOn(
  address: ServiceAddress,
  lines: readonly PlanLine[],
  { instant, deadline, plan, heard, chance, mayAskAgain }: Around,
  { configuration, outages, refused }: Assumptions,
) {
  const startMs = instant.getTime();
  const { latencyMs } = plan.paces[address];
  const figures = addressFiguresOf(configuration, address);
  const items = lines.map((line) => {
    return { line, edition: line.request.language, lastMs: line.lastMoment.getTime() - startMs };
  });
  return simulateCalls<AskedLine>(items, {
    spacingMs: spacingMsFor(figures.ratePerSecond),
    slots: slotsFor(figures),
    untilMs: deadline.getTime() - startMs,
    chance,
    mayAskAgain,
    windows: {
      widthOf: (language) => {
        const own = plan.due.filter(({ request }) => request.language === language);
        return windowOf(own, plan, configuration).width;
      },
      tickMs: longestAttemptMs(configuration),
    },
    answer: ({ line }, atMs) => {
      const outage = nextOutage(outages, startMs + atMs);
      const endMs = atMs + latencyMs;
      // During an outage a call is refused at once; a call that is out when the outage begins is broken off.
      if (outage !== undefined && outage.fromMs < startMs + endMs)
        return { kind: "none", atMs: Math.max(atMs, outage.fromMs - startMs) };
      return { kind: isRefusedBy(refused, line.request) ? "refused" : "fit", atMs: endMs };
    },
    isInVain: ({ line: { request } }) => isRefusedAlike(heard[request.language] ?? {}, request.operation),
    onEnd: ({ line: { request, key } }, ending) => {
      const { operation, language } = request;
      const own = (heard[language] ??= {});
      if (ending === "kept") hear(own, operation, { kind: "gathered" });
      if (ending === "left out") leaveOut(own, operation);
      if (ending !== "refused") return;
      const setAside = { key, type: "Rejected", reason: said, said } as const;
      hear(own, operation, { kind: "setAside", setAside });
    },
  });
}

const said = "refused in this rehearsal";

function remember(calls: readonly RehearsedCall[], instant: Date, kept: SimulatedVault) {
  for (const { item, ending, endMs } of calls) {
    const { key, request } = item.line;
    if (ending === "refused") kept.quarantined.add(key);
    if (ending !== "kept") continue;
    kept.keys.set(key, instant.getTime() + endMs);
    kept.quarantined.delete(key);
    kept.refusals.delete(request.operation);
  }
}

/** The results that the night's editions would hand to their run. */
function resultsOf(calls: readonly RehearsedCall[], heard: HeardByLanguage) {
  const byLanguage = Map.groupBy(calls, ({ item }) => item.edition);
  return [...byLanguage].map(([language, own]) => {
    const tally: Tally = {};
    for (const { item, ending } of own) {
      const counts = countsOf(tally, item.line.request.operation);
      counts.planned += 1;
      if (ending === "kept") counts.kept += 1;
      else counts.setAside += 1;
    }
    return { language, date: "", tally, setAside: [], refused: refusedBy(heard[language] ?? {}) };
  });
}
