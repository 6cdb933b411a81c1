// One simulated night: the plan, the windows, the limits and the circuit breakers of a real one, under a clock that jumps from event
// to event. Only the service, the vault and Temporal's queues are played.
import { Rejected, Unavailable } from "../readings/answer.ts";
import { deadlineOf } from "../readings/forecast.ts";
import { furtherDraws } from "../readings/further-draws.ts";
import type { Language, Operation, EndpointName } from "../readings/tables.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { type PlanLine, mostTogether } from "../readings/plan-order.ts";
import { makePlan } from "../readings/plan.ts";
import {
  recordOutcome,
  type OperationOutcomes,
  isRefusedAlike,
  leaveOut,
  refusedBy,
  refusedOperationsOf,
  countsOf,
} from "../readings/tally.ts";
import { OutOfReach, type RequestKey } from "../readings/request.ts";
import {
  attemptPauseMs,
  mostAttempts,
  pauseAfterNoAnswerMs,
  mostBatchesOut,
  openWindow,
  windowTickMs,
} from "../readings/gather-rules.ts";
import type { EditionResult, Tally } from "../readings/run-messages.ts";
import { BreakerOpen } from "../service/breaker.ts";
import { getEndpointFigures, mapEndpoints } from "../service/limits.ts";
import { clockDelay } from "../store/clock.ts";
import { planAround, type Refusal } from "../vault/call-notes.ts";
import { unknownDecks, type NightPlan, windowOf } from "./plan.ts";
import { JumpingClock, PlayedEndpoint } from "./played-endpoint.ts";

/** A configuration, the simulated range of nights, and the faults during it. */
export interface Assumptions {
  readonly configuration: Configuration;
  /** The first night is the first one that starts at this instant or later. */
  readonly from: Date;
  readonly days: number;
  readonly outages: readonly Outage[];
  readonly refused: AlwaysRefused;
  /** Response times that differ from the usual ones. */
  readonly latencyMs?: Partial<Record<EndpointName, number>>;
  /** Restarts the sequence of random numbers from 0 to 1, which set the pauses before unanswered requests are repeated. */
  readonly newChance: () => () => number;
}

/** An outage: once, or every day between two UTC times, the second of which may be on the next day. */
export type Outage =
  | { readonly kind: "daily"; readonly fromMinute: number; readonly untilMinute: number }
  | { readonly kind: "once"; readonly from: Date; readonly until: Date };

/** The languages and operations that the service always refuses. */
export interface AlwaysRefused {
  readonly languages: readonly Language[];
  readonly operations: readonly Operation[];
}

/** The contents that a vault would have, with times in milliseconds since 1970. */
export interface SimulatedVault {
  readonly keys: Map<RequestKey, number>;
  readonly quarantined: Set<RequestKey>;
  readonly refusals: Map<Operation, Refusal>;
}

export interface RehearsedNight {
  readonly instant: Date;
  readonly deadline: Date;
  readonly plan: NightPlan;
  readonly calls: readonly RehearsedCall[];
}

/** The calls for one line of the plan. Times are in milliseconds after the start of the night. */
export interface RehearsedCall {
  readonly line: PlanLine;
  /** `left out`: the call would have been in vain. `unfinished`: the deadline came first. */
  ending: "stored" | "refused" | "left out" | "out of reach" | "unfinished";
  /** When the reading was stored or given up; the deadline for an unfinished call. */
  endMs: number;
  /** When the first call went out. */
  firstMs: number | undefined;
  calls: number;
  unanswered: number;
}

export async function rehearseNight(
  instant: Date,
  vault: SimulatedVault,
  assumptions: Assumptions,
  chance: () => number,
): Promise<RehearsedNight> {
  const { configuration } = assumptions;
  const day = instant.toISOString().slice(0, 10);
  const refusals = [...vault.refusals.values()];
  const decks = unknownDecks(configuration, refusals);
  const draws = furtherDraws(configuration, instant, decks, vault.keys.keys());
  const made = planAround(refusals, day, (refused) =>
    makePlan({
      configuration,
      instant,
      held: (key) => vault.keys.has(key),
      quarantined: (key) => (vault.quarantined.has(key) ? "due" : undefined),
      refused,
      latencyMs: assumptions.latencyMs,
      draws,
    }),
  );
  const plan = { ...made, damaged: [] };
  const deadline = deadlineOf(instant, configuration.schedule.deadlineHours);
  const gathering = new Gathering({ instant, deadline, plan }, assumptions, chance);
  await gathering.run();
  const { calls } = gathering;
  for (const { line, ending, endMs } of calls) {
    if (ending === "refused") vault.quarantined.add(line.key);
    if (ending !== "stored") continue;
    vault.keys.set(line.key, instant.getTime() + endMs);
    vault.quarantined.delete(line.key);
    vault.refusals.delete(line.request.operation);
  }
  const refused = refusedOperationsOf(plan.refusals, gathering.results());
  for (const { operation, reason, languages, requested } of refused) {
    if (requested > 0)
      vault.refusals.set(operation, { operation, day, run: day, reason, languages: [...languages] });
  }
  return { instant, deadline, plan, calls };
}

/** Gathers what is due, as the editions of a run do. */
class Gathering {
  readonly calls: readonly RehearsedCall[];
  readonly #startMs: number;
  readonly #untilMs: number;
  readonly #plan: NightPlan;
  readonly #assumptions: Assumptions;
  readonly #chance: () => number;
  readonly #clock = new JumpingClock();
  readonly #endpoints: Readonly<Record<EndpointName, PlayedEndpoint>>;
  readonly #outcomes: Partial<Record<Language, OperationOutcomes>> = {};
  /** The calls that the day's ceiling leaves for repeated requests. */
  #room: number;

  constructor(
    { instant, deadline, plan }: Omit<RehearsedNight, "calls">,
    assumptions: Assumptions,
    chance: () => number,
  ) {
    this.#startMs = instant.getTime();
    this.#untilMs = deadline.getTime() - this.#startMs;
    this.#plan = plan;
    this.#assumptions = assumptions;
    this.#chance = chance;
    this.#room = (assumptions.configuration.service.callsPerDay ?? Infinity) - plan.due.length;
    this.#endpoints = mapEndpoints((name) => {
      const figures = getEndpointFigures(assumptions.configuration, name);
      return new PlayedEndpoint(name, figures, this.#clock, chance);
    });
    this.calls = plan.due.map((line) => {
      const times = { endMs: this.#untilMs, firstMs: undefined };
      return { line, ending: "unfinished", ...times, calls: 0, unanswered: 0 };
    });
  }

  async run(): Promise<void> {
    const { configuration } = this.#assumptions;
    const places = new Map(this.calls.map((call, place) => [call, place]));
    const editions = [...Map.groupBy(this.calls, ({ line }) => line.request.language).values()].map((own) => {
      const lines = own.map(({ line }) => line);
      const { requests, width } = windowOf(lines, this.#plan, configuration);
      const bounds = { width: requests, weightOf: () => 1, most: mostBatchesOut * mostTogether };
      const always = (): boolean => true;
      return openWindow(inOrder(own), bounds, always, (call) =>
        this.#gather(call, width, places.get(call) ?? 0),
      );
    });
    const tick = (): void => {
      for (const edition of editions) edition.tick();
      this.#clock.after(windowTickMs, tick);
    };
    this.#clock.after(windowTickMs, tick);
    await this.#clock.run(Promise.all(editions.map(({ ended }) => ended)), this.#untilMs);
  }

  /** Repeats a call as a run does: a few times if it was refused, and until there is an answer if there was none. */
  async #gather(call: RehearsedCall, width: number, place: number): Promise<void> {
    const { request } = call.line;
    const outcomes = (this.#outcomes[request.language] ??= {});
    if (isRefusedAlike(outcomes, request.operation)) {
      leaveOut(outcomes, request.operation);
      return this.#end(call, "left out");
    }
    let attempt = 1;
    for (let tries = 1; ;) {
      try {
        await this.#call(call, width, place);
        recordOutcome(outcomes, request.operation, { kind: "gathered" });
        return this.#end(call, "stored");
      } catch (error) {
        if (error instanceof OutOfReach) return this.#end(call, "out of reach");
        if (error instanceof BreakerOpen) {
          await clockDelay(this.#clock, error.retryMs);
        } else if (error instanceof Unavailable) {
          await clockDelay(this.#clock, pauseAfterNoAnswerMs(tries, this.#chance()));
          tries += 1;
        } else if (error instanceof Rejected) {
          if (attempt >= mostAttempts || (this.#room -= 1) < 0) {
            const skipped = { key: call.line.key, type: "Rejected", reason: said, said } as const;
            recordOutcome(outcomes, request.operation, { kind: "skipped", skipped });
            return this.#end(call, "refused");
          }
          await clockDelay(this.#clock, attemptPauseMs(attempt));
          attempt += 1;
          tries = 1;
        } else throw error;
      }
    }
  }

  /** Calls once. Throws BreakerOpen if the breaker is open after a call without an answer: that is no try of a run. */
  async #call(call: RehearsedCall, width: number, place: number): Promise<void> {
    const { request, key, endpoint: name, lastMoment } = call.line;
    const endpoint = this.#endpoints[name];
    const sending = { request, caller, width, signal: new AbortController().signal };
    try {
      await endpoint.send(place, sending, async ({ onSent }) => {
        const nowMs = this.#clock.monotonicMs();
        if (this.#startMs + nowMs >= lastMoment.getTime()) throw new OutOfReach(key);
        onSent();
        call.firstMs ??= nowMs;
        call.calls += 1;
        await this.#answer(call.line, nowMs);
      });
    } catch (error) {
      if (error instanceof Unavailable) {
        call.unanswered += 1;
        endpoint.owned.check(request, caller);
      }
      throw error;
    }
  }

  /** Plays the service. During an outage it refuses the connection, and breaks off the calls that are out when one begins. */
  async #answer({ request, key, endpoint }: PlanLine, nowMs: number): Promise<void> {
    const { outages, refused } = this.#assumptions;
    const { latencyMs } = this.#plan.paces[endpoint];
    const outage = nextOutage(outages, this.#startMs + nowMs);
    const outMs = outage === undefined ? Infinity : Math.max(0, outage.fromMs - this.#startMs - nowMs);
    if (outMs > 0) await clockDelay(this.#clock, Math.min(latencyMs, outMs));
    if (outMs < latencyMs) throw new Unavailable({ key, address: endpoint, seen: "an outage" });
    if (refused.languages.includes(request.language) || refused.operations.includes(request.operation))
      throw new Rejected({ key, address: endpoint, seen: said });
  }

  #end(call: RehearsedCall, ending: RehearsedCall["ending"]): void {
    call.ending = ending;
    call.endMs = this.#clock.monotonicMs();
  }

  /** The results that the night's editions would hand to their run. */
  results(): EditionResult[] {
    const byLanguage = Map.groupBy(this.calls, ({ line }) => line.request.language);
    return [...byLanguage].map(([language, own]) => {
      const tally: Tally = {};
      for (const { line, ending } of own) {
        const counts = countsOf(tally, line.request.operation);
        counts.planned += 1;
        counts[ending === "stored" ? "stored" : "skipped"] += 1;
      }
      return { language, tally, skipped: [], refused: refusedBy(this.#outcomes[language] ?? {}) };
    });
  }
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The first outage that is not over at a time, as instants. */
export function nextOutage(outages: readonly Outage[], timeMs: number) {
  const spans = outages.flatMap((outage) => {
    if (outage.kind === "once") return [{ fromMs: outage.from.getTime(), untilMs: outage.until.getTime() }];
    const { fromMinute, untilMinute } = outage;
    const lastsMinutes =
      untilMinute > fromMinute ? untilMinute - fromMinute : untilMinute + 1440 - fromMinute;
    const today = Math.floor(timeMs / dayMs) * dayMs + fromMinute * minuteMs;
    return [today - dayMs, today, today + dayMs].map((fromMs) => {
      return { fromMs, untilMs: fromMs + lastsMinutes * minuteMs };
    });
  });
  const ahead = spans.filter(({ untilMs }) => untilMs > timeMs);
  return ahead.sort((one, other) => one.fromMs - other.fromMs)[0];
}

const said = "refused in this rehearsal";
const caller = { run: "rehearsal", start: "rehearsal" };

async function* inOrder<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
