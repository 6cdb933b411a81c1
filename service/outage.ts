// One half of an endpoint's circuit breaker (breaker.ts): it opens for requests that get no responses, and for refused credentials.
// Each probe in vain lengthens the pause before the next one, and time forgives them, so that at most 60 calls an hour are in vain.
import type { ReadingRequest } from "../readings/request.ts";
import type { Clock } from "../store/clock.ts";
import type { OutageNote } from "../vault/call-notes.ts";
import { type AwayScope, CallsInVain, fewInVain, holds } from "./calls-in-vain.ts";

const firstProbeMs = 1_000;
const longestRefusedPauseMs = 5 * 60_000;
/** `Retry-After` is obeyed for at most this long, and no other pause is longer. */
const longestPauseMs = 75 * 60_000;
/** An outage that lasts longer raises an alert. */
const longOutageMs = 15 * 60_000;

/** Consecutive answered probes after which a scope counts as back; fewer are needed after few calls in vain. */
const fewAnswers = 3;
const answeredProbePauseMs = 7_000;

// An endpoint counts the calls in vain that are not forgiven yet: each failed probe adds one, and one is forgiven every three
// minutes. The count is stored as the moment at which all of them will be forgiven.
const forgivenEveryMs = 3 * 60_000;
const mostInVain = 24;
const shortestProbePauseMs = 2_000;
/** The pause before a probe doubles with each call in vain up to this number; beyond it, the probe waits for forgiveness. */
const doublings = 6;
/** More unforgiven calls than this mean that the endpoint was away shortly before. */
const fewLeft = 3;

/** The call that failed, for people. */
type FailedCall = Pick<OutageNote, "run" | "key" | "seen">;
/** The scopes without responses; absent if the credentials are refused. */
type Away = NonNullable<OutageNote["away"]>;

interface Open extends FailedCall {
  readonly away: Away | undefined;
  readonly sinceMs: number;
  readonly probes: number;
  readonly nextProbeMs: number;
  readonly isLong: boolean;
}

export class ServiceOutage {
  readonly #clock: Clock;
  readonly #chance: () => number;
  readonly #inVain = new CallsInVain();
  #open: Open | undefined;
  #forgivenMs = -Infinity;
  /** The first call in vain since the last response. */
  #silentSinceMs: number | undefined;

  /** `note` is that of an earlier owner. */
  constructor(clock: Clock, chance: () => number, note: OutageNote | undefined) {
    this.#clock = clock;
    this.#chance = chance;
    if (note === undefined) return;
    const { away, openedAt, nextProbeAt, forgivenAt, ...rest } = note;
    const nowMs = clock.monotonicMs();
    const msOf = (iso: string): number => nowMs + Date.parse(iso) - clock.wallMs();
    // A moment further ahead than any pause comes from a clock that was set back: the probe is due.
    const nextProbeMs = msOf(nextProbeAt) > nowMs + longestPauseMs ? nowMs : msOf(nextProbeAt);
    const isOpen = away === undefined || away.length > 0;
    const sinceMs = Math.min(nowMs, msOf(openedAt));
    this.#open = isOpen ? { ...rest, away, sinceMs, nextProbeMs } : undefined;
    this.#forgivenMs = msOf(forgivenAt);
  }

  /** Since when no request at all may go out; undefined if some may. */
  get wholeSinceMs(): number | undefined {
    const isWhole = this.#open !== undefined && this.scopeOf({}) !== undefined;
    return isWhole ? this.#open?.sinceMs : undefined;
  }

  /** Since when no call got a response while some requests are held; undefined if none is. */
  get silentSinceMs(): number | undefined {
    return this.#open === undefined ? undefined : this.#silentSinceMs;
  }

  /** Another object after each change; undefined while it is closed. */
  get open(): object | undefined {
    return this.#open;
  }

  get isRefused(): boolean {
    return this.#open !== undefined && this.#open.away === undefined;
  }

  get isLong(): boolean {
    return this.#open?.isLong === true;
  }

  /** The open scope that holds the request, or the whole scope. */
  scopeOf(request: AwayScope): AwayScope | undefined {
    if (this.#open === undefined) return undefined;
    return this.#open.away === undefined ? {} : this.#open.away.find((one) => holds(one, request));
  }

  /** At 0 or less, the next request that is held may go out as a probe. */
  get probeInMs(): number {
    return (this.#open?.nextProbeMs ?? -Infinity) - this.#clock.monotonicMs();
  }

  /** The calls of a scope are counted from zero when it is closed again. */
  forget(request: ReadingRequest, scope: AwayScope): void {
    this.#inVain.forget(request, scope);
  }

  beginProbe(): void {
    if (this.#open === undefined) return;
    const isLong =
      this.#open.away !== undefined && this.#clock.monotonicMs() - this.#open.sinceMs >= longOutageMs;
    this.#open = { ...this.#open, probes: this.#open.probes + 1, isLong };
  }

  probeNow(): void {
    if (this.#open !== undefined) this.#open = { ...this.#open, nextProbeMs: this.#clock.monotonicMs() };
  }

  answered(request: ReadingRequest): void {
    this.#silentSinceMs = undefined;
    this.#inVain.answered(request);
  }

  /** A request that no open scope holds got no response. */
  failed(request: ReadingRequest, call: FailedCall, isLimit: boolean, retryAfterMs = 0): void {
    this.#silentSinceMs ??= this.#clock.monotonicMs();
    const known = this.#open?.away;
    const scope = this.#inVain.failed(request, { known, isLimit });
    if (scope === undefined || this.isRefused) return;
    const before = this.#open ?? { sinceMs: this.#clock.monotonicMs(), probes: 0, isLong: false };
    const calls = this.#open === undefined ? callsOfClosing(this.#inVainNow()) : 0;
    const nextProbeMs = this.#pausedAfter(calls, retryAfterMs);
    this.#open = { ...before, ...call, away: [scope, ...(known ?? [])], nextProbeMs };
  }

  refused(call: FailedCall): void {
    const nowMs = this.#clock.monotonicMs();
    this.#silentSinceMs ??= nowMs;
    const times = { sinceMs: nowMs, nextProbeMs: nowMs + firstProbeMs };
    this.#open = { ...call, ...times, away: undefined, probes: 0, isLong: false };
  }

  probeAnswered(request: ReadingRequest): void {
    this.#silentSinceMs = undefined;
    if (this.#open === undefined) return;
    if (this.#open.away === undefined) return void (this.#open = undefined);
    const enough = answersUntilBack(this.#inVainNow());
    const counted = this.#open.away.map((one) =>
      holds(one, request) ? { ...one, answers: (one.answers ?? 0) + 1 } : one,
    );
    const back = counted.filter(({ answers = 0 }) => answers >= enough);
    const away = counted.filter((one) => !back.some((scope) => holds(scope, one)));
    const nextProbeMs =
      back.length > 0 ? this.#pausedAfter(0, 0) : this.#clock.monotonicMs() + answeredProbePauseMs;
    this.#open = away.length > 0 ? { ...this.#open, away, nextProbeMs } : undefined;
  }

  probeFailed(request: ReadingRequest, retryAfterMs = 0): void {
    this.#silentSinceMs ??= this.#clock.monotonicMs();
    if (this.#open === undefined) return;
    if (this.#open.away === undefined) {
      const pauseMs = Math.min(firstProbeMs * 2 ** this.#open.probes, longestRefusedPauseMs);
      this.#open = { ...this.#open, nextProbeMs: this.#clock.monotonicMs() + pauseMs };
      return;
    }
    const away = this.#open.away.map((one) => (holds(one, request) ? { ...one, answers: 0 } : one));
    this.#open = { ...this.#open, away, nextProbeMs: this.#pausedAfter(1, retryAfterMs) };
  }

  /** Undefined if nothing need survive this process. */
  note(): OutageNote | undefined {
    const isForgiven = this.#inVainNow() === 0;
    if (this.#open === undefined && isForgiven) return undefined;
    const [nowMs, wallMs] = [this.#clock.monotonicMs(), this.#clock.wallMs()];
    const isoAt = (ms: number): string =>
      new Date(wallMs + Math.max(-longestPauseMs, ms - nowMs)).toISOString();
    const { sinceMs, nextProbeMs, ...rest } = this.#open ?? closed;
    const times = {
      openedAt: isoAt(sinceMs),
      nextProbeAt: isoAt(nextProbeMs),
      forgivenAt: isoAt(this.#forgivenMs),
    };
    return { ...rest, ...times };
  }

  #inVainNow(): number {
    return inVainAt(this.#clock.monotonicMs(), this.#forgivenMs);
  }

  /** The moment of the next probe after so many more calls in vain. */
  #pausedAfter(calls: number, retryAfterMs: number): number {
    const nowMs = this.#clock.monotonicMs();
    this.#forgivenMs = forgivenAfter(calls, nowMs, this.#forgivenMs);
    const pauseMs = Math.max(probePauseMs(inVainAt(nowMs, this.#forgivenMs), this.#chance()), retryAfterMs);
    return nowMs + Math.min(pauseMs, longestPauseMs);
  }
}

const closed: Open = {
  run: "",
  key: "",
  seen: "",
  away: [],
  sinceMs: -Infinity,
  probes: 0,
  nextProbeMs: -Infinity,
  isLong: false,
};

function inVainAt(nowMs: number, forgivenMs: number): number {
  return Math.min(Math.max(0, (forgivenMs - nowMs) / forgivenEveryMs), mostInVain);
}

function forgivenAfter(calls: number, nowMs: number, forgivenMs: number): number {
  return nowMs + Math.min(inVainAt(nowMs, forgivenMs) + calls, mostInVain) * forgivenEveryMs;
}

/** Calls in vain to charge when the breaker opens. An endpoint that fails again soon after an outage is charged for two series. */
function callsOfClosing(inVain: number): number {
  return inVain > fewLeft ? 2 * fewInVain : 1;
}

export function probePauseMs(inVain: number, chance: number): number {
  const doubledMs = shortestProbePauseMs * 2 ** Math.min(inVain, doublings);
  return Math.max(doubledMs, (inVain - doublings) * forgivenEveryMs) * (0.75 + chance / 2);
}

function answersUntilBack(inVain: number): number {
  return Math.min(1 + Math.floor(inVain), fewAnswers);
}
