// The other half of an endpoint's circuit breaker (breaker.ts): it opens for a language of a run, which is then stopped, if one
// rule refuses a dozen of its responses and hardly one is fit. Then one request goes out every half hour, until a response is fit.
// Each start of a run is counted by itself.
import type { Language, Operation } from "../readings/tables.ts";
import type { ReadingRequest } from "../readings/request.ts";
import { refusedAlikeAfter } from "../readings/gather-rules.ts";
import type { Clock } from "../store/clock.ts";
import type { StoppedLanguage } from "../vault/call-notes.ts";

const probeEveryMs = 30 * 60_000;
/** The probes of a stopped language in one run. */
export const mostProbesOfStopped = 12;
/** The calls that one rule may refuse before a response of the language is fit. With the probes, they are fewer than 60. */
const mostBeforeFit = 36;
/** The pauses before requests beyond that grow from one second to this: a response may take half a minute. */
const longestPauseMs = 5_000;
const soonMs = 1_000;
/** A run that sends nothing for this long is over: one that waits for a breaker tries each minute. */
const overAfterMs = 3_600_000;

/** The run that a request is for. */
export interface Caller {
  readonly run: string;
  /** Another one each time that the run is started. */
  readonly start: string;
}

/** A language that was just stopped, with the number of its responses, and of those that the rule refused. */
export interface Stopped {
  readonly language: Language;
  readonly rule: string;
  readonly seen: string;
  readonly refused: number;
  readonly responses: number;
}

interface Stop {
  readonly rule: string;
  readonly seen: string;
  readonly sinceMs: number;
  probes: number;
  nextProbeMs: number;
}

interface Counted extends Caller {
  readonly language: Language;
  fit: number;
  /** By rule. */
  readonly refused: Map<string, number>;
  readonly operations: Set<Operation>;
  /** The requests that are under way. */
  out: number;
  readonly beganMs: number;
  usedMs: number;
  stop: Stop | undefined;
}

export class UnfitResponses {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  /** By run and language. */
  readonly #counted = new Map<string, Counted>();

  /** `notes` are those of an earlier owner; `onChange` is called when they have changed. */
  constructor(clock: Clock, notes: readonly StoppedLanguage[], onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
    const nowMs = clock.monotonicMs();
    const msOf = (iso: string): number => nowMs + Date.parse(iso) - clock.wallMs();
    for (const { language, run, start, rule, seen, stoppedAt, probes, nextProbeAt } of notes) {
      const nextProbeMs = Math.min(msOf(nextProbeAt), nowMs + probeEveryMs);
      const sinceMs = Math.min(nowMs, msOf(stoppedAt));
      this.#of(language, { run, start }).stop = { rule, seen, sinceMs, probes, nextProbeMs };
    }
  }

  /** The time until the request may go out; undefined if it may now, at least as a probe. `isOut`: it has begun already. */
  heldForMs({ language }: ReadingRequest, caller: Caller, isOut: boolean): number | undefined {
    const { stop, fit, refused, out, beganMs } = this.#of(language, caller);
    const nowMs = this.#clock.monotonicMs();
    if (stop === undefined) {
      const others = Math.max(0, ...refused.values()) + out - (isOut ? 1 : 0);
      if (fit > 0 || others < mostBeforeFit) return undefined;
      return Math.min(Math.max(soonMs, nowMs - beganMs), longestPauseMs);
    }
    if (stop.probes >= mostProbesOfStopped) return probeEveryMs;
    const leftMs = Math.max(stop.nextProbeMs - nowMs, out > 0 ? soonMs : 0);
    return leftMs > 0 ? leftMs : undefined;
  }

  /** Counts a request that goes out. Returns whether it is a probe, and what to call when it has ended. */
  begin({ language }: ReadingRequest, caller: Caller) {
    const of = this.#of(language, caller);
    of.out += 1;
    const { stop } = of;
    if (stop !== undefined) {
      stop.probes += 1;
      stop.nextProbeMs = this.#clock.monotonicMs() + probeEveryMs;
      this.#onChange();
    }
    return { isProbe: stop !== undefined, end: () => void (of.out -= 1) };
  }

  fit({ language }: ReadingRequest, caller: Caller): void {
    const of = this.#of(language, caller);
    of.fit += 1;
    if (of.stop === undefined) return;
    of.stop = undefined;
    of.refused.clear();
    this.#onChange();
  }

  /** Returns the language if this stops it: after a dozen refusals, or two if they are all of one operation, for each fit response. */
  refused(
    { language, operation }: ReadingRequest,
    caller: Caller,
    { rule, seen }: { readonly rule: string; readonly seen: string },
  ): Stopped | undefined {
    const of = this.#of(language, caller);
    const alike = (of.refused.get(rule) ?? 0) + 1;
    of.refused.set(rule, alike);
    of.operations.add(operation);
    const enough = refusedAlikeAfter * Math.max(of.operations.size > 1 ? 1 : 2, 1 + of.fit);
    if (of.stop !== undefined || alike < enough) return undefined;
    const sinceMs = this.#clock.monotonicMs();
    of.stop = { rule, seen, sinceMs, probes: 0, nextProbeMs: sinceMs + probeEveryMs };
    this.#onChange();
    return {
      language,
      rule,
      seen,
      refused: alike,
      responses: [...of.refused.values()].reduce((sum, count) => sum + count, of.fit),
    };
  }

  notes(): StoppedLanguage[] {
    const nowMs = this.#clock.monotonicMs();
    const isoAt = (ms: number): string => new Date(this.#clock.wallMs() + ms - nowMs).toISOString();
    return [...this.#counted.values()].flatMap(({ language, run, start, stop }) => {
      if (stop === undefined) return [];
      const { rule, seen, sinceMs, probes, nextProbeMs } = stop;
      const times = { stoppedAt: isoAt(sinceMs), nextProbeAt: isoAt(nextProbeMs) };
      return [{ language, run, start, rule, seen, probes, ...times }];
    });
  }

  #of(language: Language, { run, start }: Caller): Counted {
    const name = `${run} ${language}`;
    const usedMs = this.#clock.monotonicMs();
    const known = this.#counted.get(name);
    if (known?.start === start) {
      known.usedMs = usedMs;
      return known;
    }
    for (const [other, of] of this.#counted)
      if (usedMs - of.usedMs > overAfterMs) this.#counted.delete(other);
    const counts = { fit: 0, refused: new Map<string, number>(), operations: new Set<Operation>(), out: 0 };
    const made = { language, run, start, beganMs: usedMs, usedMs, ...counts, stop: undefined };
    this.#counted.set(name, made);
    if (known?.stop !== undefined) this.#onChange();
    return made;
  }
}
