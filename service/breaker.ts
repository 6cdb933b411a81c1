// The circuit breaker of an endpoint, as plain state of the process that owns the endpoint. It is open, so that no call passes, for
// requests that get no responses (outage.ts), for the whole endpoint, an operation, a language, or one operation of a language; and
// for a language of a run whose responses are unfit (unfit-responses.ts). One probe at a time may pass. What survives the process
// is a note.
import { CredentialsRefused, type Failure, isFailure, Unavailable, Unfit } from "../readings/answer.ts";
import type { ReadingRequest } from "../readings/request.ts";
import { type Clock, processClock, realMs } from "../store/clock.ts";
import type { EndpointNote } from "../vault/call-notes.ts";
import type { AwayScope } from "./calls-in-vain.ts";
import { ServiceOutage } from "./outage.ts";
import { type Caller, type Stopped, UnfitResponses } from "./unfit-responses.ts";

const tooManyRequests = 429;
/** While a probe is out. */
const soonMs = 1_000;

/** The requests without responses, and the languages whose responses are unfit. */
export type BreakerNote = Pick<EndpointNote, "outage" | "stopped">;

/** Events that operators are alerted to, once each. */
export type BreakerNews =
  | {
      readonly kind:
        | "credentials-refused"
        | "credentials-accepted"
        | "service-unavailable"
        | "service-recovered";
      readonly run: string;
    }
  | { readonly kind: "language-stopped"; readonly run: string; readonly stopped: Stopped };

interface BreakerSettings {
  readonly clock?: Clock;
  readonly chance?: () => number;
  /** The note of the endpoint's owner before. */
  readonly note?: BreakerNote | undefined;
  /** Called when the note has changed, before the news. */
  readonly onChange?: () => void;
  readonly onNews?: (news: BreakerNews) => void;
}

/** A request that may go out. `end` is called once. A response that could not be stored shows that the service is up, too. */
export interface Pass {
  readonly isProbe: boolean;
  end(error?: unknown, hasResponse?: boolean): void;
}

export class BreakerOpen extends Error {
  override readonly name = "BreakerOpen";
  readonly scope: AwayScope;
  /** The real time until the next probe. */
  readonly retryMs: number;
  constructor(scope: AwayScope, retryMs: number) {
    const words = [scope.operation, scope.language].filter((word) => word !== undefined).join(" in ");
    super(`the circuit breaker is open${words === "" ? "" : ` for ${words}`}`);
    this.scope = scope;
    this.retryMs = retryMs;
  }
}

export class Breaker {
  readonly #clock: Clock;
  readonly #outage: ServiceOutage;
  readonly #unfit: UnfitResponses;
  readonly #onChange: () => void;
  readonly #onNews: (news: BreakerNews) => void;
  #isOutageProbed = false;

  constructor({ clock = processClock, chance = Math.random, note, onChange, onNews }: BreakerSettings = {}) {
    this.#clock = clock;
    this.#outage = new ServiceOutage(clock, chance, note?.outage);
    this.#onChange = onChange ?? (() => undefined);
    this.#unfit = new UnfitResponses(clock, note?.stopped ?? [], this.#onChange);
    this.#onNews = onNews ?? (() => undefined);
  }

  /** Since when no request at all may go out, by the monotonic clock; undefined if some may. */
  get openSinceMs(): number | undefined {
    return this.#outage.wholeSinceMs;
  }

  /** Since when no call got a response while some requests are held, by the monotonic clock; undefined if none is. */
  get silentSinceMs(): number | undefined {
    return this.#outage.silentSinceMs;
  }

  /** The time until some request may go out, at least as a probe: 0 or less if one may now, Infinity while a probe is out. */
  get probeInMs(): number {
    if (this.openSinceMs === undefined) return 0;
    return this.#isOutageProbed ? Infinity : this.#outage.probeInMs;
  }

  note(): BreakerNote {
    return { outage: this.#outage.note(), stopped: this.#unfit.notes() };
  }

  /** Lets a request probe at once that waits for one. */
  probeNow(): void {
    this.#outage.probeNow();
  }

  /** Throws BreakerOpen if the request must not go out now, or must not leave if it has entered. */
  check(request: ReadingRequest, caller: Caller, hasEntered = false): void {
    const scope = this.#outage.scopeOf(request);
    if (scope !== undefined) {
      this.#outage.forget(request, scope);
      const retryMs = this.#outage.probeInMs;
      if (this.#isOutageProbed || retryMs > 0) throw this.#openFor(scope, Math.max(soonMs, retryMs));
    }
    const heldForMs = this.#unfit.heldForMs(request, caller, hasEntered);
    if (heldForMs !== undefined) throw this.#openFor({ language: request.language }, heldForMs);
  }

  #openFor(scope: AwayScope, retryMs: number): BreakerOpen {
    return new BreakerOpen(scope, realMs(this.#clock, retryMs));
  }

  /** Throws BreakerOpen, or lets the request out: as the probe if it is held and a probe is due. */
  enter(request: ReadingRequest, caller: Caller): Pass {
    this.check(request, caller);
    const { run } = caller;
    const isOutageProbe = this.#outage.scopeOf(request) !== undefined;
    const wasLong = this.#outage.isLong;
    if (isOutageProbe) this.#outage.beginProbe();
    this.#isOutageProbed ||= isOutageProbe;
    if (isOutageProbe) this.#onChange();
    const unfit = this.#unfit.begin(request, caller);
    const end: Pass["end"] = (error, hasResponse = error === undefined) => {
      unfit.end();
      if (isOutageProbe) this.#isOutageProbed = false;
      const failure = isFailure(error) ? error : undefined;
      if (failure === undefined && !hasResponse) return; // it was refused or cancelled: that says nothing of the service
      const { open, isRefused } = this.#outage;
      this.#hearOutage(request, run, failure, isOutageProbe);
      if (open !== this.#outage.open) this.#onChange();
      if (error === undefined) this.#unfit.fit(request, caller);
      if (error instanceof Unfit) {
        const stopped = this.#unfit.refused(request, caller, { rule: error.rule, seen: error.facts.seen });
        if (stopped !== undefined) this.#onNews({ kind: "language-stopped", run, stopped });
      }
      if (isRefused !== this.#outage.isRefused)
        this.#onNews({ kind: isRefused ? "credentials-accepted" : "credentials-refused", run });
      if (isOutageProbe && wasLong && this.#outage.open === undefined)
        this.#onNews({ kind: "service-recovered", run });
      if (isOutageProbe && !wasLong && this.#outage.isLong)
        this.#onNews({ kind: "service-unavailable", run });
    };
    return { isProbe: isOutageProbe || unfit.isProbe, end };
  }

  #hearOutage(request: ReadingRequest, run: string, error: Failure | undefined, isProbe: boolean): void {
    const outage = this.#outage;
    if (!(error instanceof Unavailable || error instanceof CredentialsRefused))
      return isProbe ? outage.probeAnswered(request) : outage.answered(request);
    const { key, status, seen } = error.facts;
    const isRefusal = error instanceof CredentialsRefused;
    const retryAfterMs = isRefusal ? undefined : error.retryAfterMs;
    if (isRefusal && !outage.isRefused) return outage.refused({ run, key, seen });
    if (isProbe) return outage.probeFailed(request, retryAfterMs);
    // A request that was under way when its scope was opened says nothing new.
    if (isRefusal || outage.scopeOf(request) !== undefined) return;
    const call = { run, key, seen: status === undefined ? seen : `HTTP ${status}` };
    outage.failed(request, call, status === tooManyRequests, retryAfterMs);
  }
}
