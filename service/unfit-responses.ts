// The other half of an endpoint's circuit breaker (breaker.ts): it opens for a language, or one operation of it, if one rule
// refuses a dozen of its responses and hardly one is fit. Then one request goes out every half hour, until a response is fit.
import type { AwayScope } from "../readings/calls-in-vain.ts";
import type { Language } from "../readings/languages.ts";
import type { Operation } from "../readings/operations.ts";
import type { ReadingRequest } from "../readings/request.ts";
import { refusedAlikeAfter } from "../readings/retry-rules.ts";
import type { Clock } from "../store/clock.ts";

const probeEveryMs = 30 * 60_000;
/** The responses of a language that are refused in one day, probes included, unless more than one in thirteen is fit. */
const mostRefused = 60;
const dayMs = 24 * 3_600_000;
const operationsOfAll = 2;
/** While requests of the language are under way, which may change everything. */
const soonMs = 1_000;

export interface UnfitNote {
  readonly language: Language;
  /** The open scopes: operations, or the whole language. */
  readonly open: readonly (Operation | "all")[];
  readonly rule: string;
  readonly fit: number;
  readonly refused: number;
  readonly countedSince: string;
  readonly nextProbeAt: string;
}

interface Counts {
  fit: number;
  /** By rule. */
  readonly refused: Map<string, number>;
}

interface OfLanguage extends Counts {
  readonly operations: Map<Operation, Counts>;
  readonly open: Set<Operation | "all">;
  rule: string;
  refusedToday: number;
  sinceMs: number;
  nextProbeMs: number;
  /** The requests of the language that are under way. */
  out: number;
}

export class UnfitResponses {
  readonly #clock: Clock;
  readonly #languages = new Map<Language, OfLanguage>();

  constructor(clock: Clock, notes: readonly UnfitNote[]) {
    this.#clock = clock;
    const nowMs = clock.monotonicMs();
    for (const { language, open, rule, fit, refused, countedSince, nextProbeAt } of notes) {
      const of = this.#of(language);
      for (const one of open) of.open.add(one);
      of.rule = rule;
      of.fit = fit;
      of.refusedToday = refused;
      const msOf = (iso: string): number => nowMs + Date.parse(iso) - clock.wallMs();
      of.sinceMs = Math.min(nowMs, msOf(countedSince));
      of.nextProbeMs = Math.min(msOf(nextProbeAt), nowMs + dayMs);
    }
  }

  /** The open scope that holds the request; also if more responses would be refused in this day than may be. */
  scopeOf(request: ReadingRequest): AwayScope | undefined {
    const { operation, language } = request;
    const of = this.#today(language);
    if (of.open.has("all")) return { language };
    if (of.open.has(operation)) return { operation, language };
    return of.refusedToday + of.out >= mostOf(of) ? { language } : undefined;
  }

  probeInMs({ language }: ReadingRequest): number {
    const of = this.#today(language);
    const nowMs = this.#clock.monotonicMs();
    if (of.open.size === 0) return soonMs; // requests that are under way will tell
    const dueMs = of.refusedToday >= mostOf(of) ? of.sinceMs + dayMs : of.nextProbeMs;
    return of.out > 0 ? Math.max(soonMs, dueMs - nowMs) : dueMs - nowMs;
  }

  begin({ language }: ReadingRequest): void {
    this.#of(language).out += 1;
  }

  end({ language }: ReadingRequest): void {
    this.#of(language).out -= 1;
  }

  /** Whether this closes a scope. */
  fit({ language, operation }: ReadingRequest): boolean {
    const of = this.#today(language);
    const one = countsOf(of, operation);
    one.fit += 1;
    of.fit += 1;
    if (!of.open.has("all") && !of.open.has(operation)) return false;
    of.open.delete("all");
    of.open.delete(operation);
    of.refused.clear();
    one.refused.clear();
    return true;
  }

  refused({ language, operation }: ReadingRequest, rule: string): { stopped?: Stopped; isChanged: boolean } {
    const of = this.#today(language);
    const one = countsOf(of, operation);
    of.refusedToday += 1;
    const alikeInOne = raise(one.refused, rule);
    const alike = raise(of.refused, rule);
    const operations = [...of.operations.values()].filter(({ refused }) => refused.has(rule)).length;
    const wasOpen = of.open.has("all") || of.open.has(operation);
    const isOfOne = alikeInOne >= refusedAlikeAfter * (1 + one.fit);
    const isOfAll = alike >= refusedAlikeAfter * (1 + of.fit) && operations >= operationsOfAll;
    if (isOfOne) of.open.add(operation);
    if (isOfAll || of.refusedToday >= mostOf(of)) of.open.add("all");
    const isAll = of.open.has("all");
    if (!isAll && !of.open.has(operation)) return { isChanged: false };
    of.nextProbeMs = this.#clock.monotonicMs() + probeEveryMs;
    of.rule = rule;
    if (wasOpen) return { isChanged: true };
    const { refusedToday, fit } = of;
    const stopped = { language, operation: isAll ? undefined : operation, rule, refused: refusedToday, fit };
    return { stopped, isChanged: true };
  }

  notes(): UnfitNote[] {
    const nowMs = this.#clock.monotonicMs();
    const isoAt = (ms: number): string => new Date(this.#clock.wallMs() + ms - nowMs).toISOString();
    const notes: UnfitNote[] = [];
    for (const [language, { open, rule, fit, refusedToday, sinceMs, nextProbeMs }] of this.#languages) {
      if (refusedToday === 0) continue;
      const times = { countedSince: isoAt(sinceMs), nextProbeAt: isoAt(Math.max(sinceMs, nextProbeMs)) };
      notes.push({ language, open: [...open], rule, fit, refused: refusedToday, ...times });
    }
    return notes;
  }

  #today(language: Language): OfLanguage {
    const of = this.#of(language);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - of.sinceMs < dayMs) return of;
    for (const counts of [of, ...of.operations.values()]) {
      counts.fit = 0;
      counts.refused.clear();
    }
    of.refusedToday = 0;
    of.sinceMs = nowMs;
    return of;
  }

  #of(language: Language): OfLanguage {
    const known = this.#languages.get(language);
    if (known !== undefined) return known;
    const nowMs = this.#clock.monotonicMs();
    const counts = { fit: 0, refused: new Map<string, number>(), refusedToday: 0, out: 0 };
    const times = { sinceMs: nowMs, nextProbeMs: nowMs };
    const made: OfLanguage = { ...counts, ...times, operations: new Map(), open: new Set(), rule: "" };
    this.#languages.set(language, made);
    return made;
  }
}

export interface Stopped {
  readonly language: Language;
  /** Undefined for the whole language. */
  readonly operation: Operation | undefined;
  readonly rule: string;
  readonly refused: number;
  readonly fit: number;
}

function mostOf({ fit }: OfLanguage): number {
  return Math.max(mostRefused, refusedAlikeAfter * fit);
}

function countsOf({ operations }: OfLanguage, operation: Operation): Counts {
  const known = operations.get(operation) ?? { fit: 0, refused: new Map<string, number>() };
  operations.set(operation, known);
  return known;
}

function raise(counts: Map<string, number>, rule: string): number {
  const count = (counts.get(rule) ?? 0) + 1;
  counts.set(rule, count);
  return count;
}
