// The circuit breaker of an endpoint in a simulated night: the rules of service/outage.ts, for an endpoint that is away as a whole.
// All times are in milliseconds after the night's start.
import {
  answeredProbePauseMs,
  answersUntilBack,
  callsOfClosing,
  fewInVain,
  forgivenAfter,
  inVainAt,
  probePauseMs,
} from "./retry-rules.ts";

export class SimulatedGate {
  readonly #chance: () => number;
  #inRow = 0;
  #forgivenMs = 0;
  /** When the next probe may go out: never while one is out, and undefined where the gate is open. */
  #probeMs: number | undefined;
  #answers = 0;

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  get #isClosed(): boolean {
    return this.#probeMs !== undefined;
  }

  mayCall(nowMs: number): boolean {
    return this.#probeMs === undefined || nowMs >= this.#probeMs;
  }

  /** Says whether the call is a probe. */
  called(): boolean {
    const isProbe = this.#isClosed;
    if (isProbe) this.#probeMs = Infinity;
    return isProbe;
  }

  answered(nowMs: number, isProbe: boolean): void {
    if (!isProbe) {
      this.#inRow = 0;
      return;
    }
    this.#answers += 1;
    const isBack = this.#answers >= answersUntilBack(inVainAt(nowMs, this.#forgivenMs));
    this.#probeMs = isBack ? undefined : nowMs + answeredProbePauseMs;
    if (isBack) this.#inRow = 0;
  }

  failed(nowMs: number, isProbe: boolean): void {
    if (isProbe) return this.#close(1, nowMs);
    this.#inRow += 1;
    if (this.#isClosed || this.#inRow < fewInVain) return;
    this.#close(callsOfClosing(inVainAt(nowMs, this.#forgivenMs)), nowMs);
  }

  /** When a call may go out that may not now, unless an answer comes before. */
  nextMs(nowMs: number): number {
    return this.#probeMs !== undefined && this.#probeMs > nowMs ? this.#probeMs : Infinity;
  }

  #close(calls: number, nowMs: number): void {
    this.#forgivenMs = forgivenAfter(calls, nowMs, this.#forgivenMs);
    this.#probeMs = nowMs + probePauseMs(inVainAt(nowMs, this.#forgivenMs), this.#chance());
    this.#answers = 0;
  }
}
