// The circuit breaker of an endpoint, as plain state of the process that owns the endpoint. It is open, so that no call passes, for
// requests that get no responses (outage.ts) and for languages whose responses are unfit (unfit-responses.ts): for the whole
// endpoint, an operation, a language, or one operation of a language. One probe at a time may pass. What survives the process is
// a note.
import type { AwayScope } from "../readings/calls-in-vain.ts";
import { CredentialsRefused, type Failure, isFailure, Unavailable, Unfit } from "../readings/failures.ts";
import type { ReadingRequest } from "../readings/request.ts";
import { type Clock, processClock } from "../store/clock.ts";
import { Outage, type OutageNote } from "./outage.ts";
import { type Stopped, type UnfitNote, UnfitResponses } from "./unfit-responses.ts";

const tooManyRequests = 429;
/** While a probe is out. */
const soonMs = 1_000;

export interface BreakerNote {
  readonly outage?: OutageNote | undefined;
  readonly unfit: readonly UnfitNote[];
}

/** What a person should hear, once each. */
export type BreakerNews =
  | { readonly kind: "credentials-refused" | "credentials-accepted" | "service-away" | "service-back" }
  | { readonly kind: "language-stopped"; readonly stopped: Stopped };

export interface BreakerSettings {
  readonly clock?: Clock;
  readonly chance?: () => number;
  /** The note of the endpoint's owner before. */
  readonly note?: BreakerNote | undefined;
  /** Called when the note has changed. */
  readonly onChange?: () => void;
  readonly onNews?: (news: BreakerNews) => void;
}

/** A request that may go out. `end` is called once, with the error if there was one. */
export interface Pass {
  readonly isProbe: boolean;
  end(run: string, error?: unknown): void;
}

export class BreakerOpen extends Error {
  override readonly name = "BreakerOpen";
  readonly scope: AwayScope;
  /** The time until the next probe. */
  readonly retryMs: number;
  constructor(scope: AwayScope, retryMs: number) {
    const words = [scope.operation, scope.language].filter((word) => word !== undefined).join(" in ");
    super(`the circuit breaker is open${words === "" ? "" : ` for ${words}`}`);
    this.scope = scope;
    this.retryMs = retryMs;
  }
}

export class Breaker {
  readonly #outage: Outage;
  readonly #unfit: UnfitResponses;
  readonly #onChange: () => void;
  readonly #onNews: (news: BreakerNews) => void;
  /** The scopes of the probes that are out: one each. */
  #isOutageProbed = false;
  readonly #probedLanguages = new Set<string>();

  constructor({ clock = processClock, chance = Math.random, note, onChange, onNews }: BreakerSettings = {}) {
    this.#outage = new Outage(clock, chance, note?.outage);
    this.#unfit = new UnfitResponses(clock, note?.unfit ?? []);
    this.#onChange = onChange ?? (() => undefined);
    this.#onNews = onNews ?? (() => undefined);
  }

  /** Since when no request at all may go out, by the monotonic clock; undefined if some may. */
  get openSinceMs(): number | undefined {
    return this.#outage.wholeSinceMs;
  }

  /** Whether a request may go out, at least as a probe. */
  get mayProbe(): boolean {
    return this.openSinceMs === undefined || (!this.#isOutageProbed && this.#outage.probeInMs <= 0);
  }

  note(): BreakerNote {
    return { outage: this.#outage.note(), unfit: this.#unfit.notes() };
  }

  /** Lets a request probe at once that waits for one. */
  probeNow(): void {
    this.#outage.probeNow();
  }

  /** Throws BreakerOpen if the request must not go out now; it has no other effect. */
  check(request: ReadingRequest): void {
    const scope = this.#outage.scopeOf(request);
    if (scope !== undefined) {
      this.#outage.forget(request, scope);
      const retryMs = this.#outage.probeInMs;
      if (this.#isOutageProbed || retryMs > 0) throw new BreakerOpen(scope, Math.max(soonMs, retryMs));
    }
    const unfit = this.#unfit.scopeOf(request);
    if (unfit === undefined) return;
    const retryMs = this.#unfit.probeInMs(request);
    if (this.#probedLanguages.has(request.language) || retryMs > 0)
      throw new BreakerOpen(unfit, Math.max(soonMs, retryMs));
  }

  /** Throws BreakerOpen, or lets the request out: as the probe if it is held and a probe is due. */
  enter(request: ReadingRequest): Pass {
    this.check(request);
    const isOutageProbe = this.#outage.scopeOf(request) !== undefined;
    const isUnfitProbe = this.#unfit.scopeOf(request) !== undefined;
    const wasLong = this.#outage.isLong;
    if (isOutageProbe) this.#outage.beginProbe();
    this.#isOutageProbed ||= isOutageProbe;
    if (isUnfitProbe) this.#probedLanguages.add(request.language);
    this.#unfit.begin(request);
    if (isOutageProbe || isUnfitProbe) this.#onChange();
    const end = (run: string, error?: unknown): void => {
      this.#unfit.end(request);
      if (isUnfitProbe) this.#probedLanguages.delete(request.language);
      if (isOutageProbe) this.#isOutageProbed = false;
      if (error !== undefined && !isFailure(error)) return; // it did not get so far
      const { open, isRefused } = this.#outage;
      this.#hearOutage(request, run, error, isOutageProbe);
      const isUnfitChanged = this.#hearUnfit(request, error);
      if (isRefused !== this.#outage.isRefused)
        this.#onNews({ kind: isRefused ? "credentials-accepted" : "credentials-refused" });
      if (isOutageProbe && wasLong && this.#outage.open === undefined) this.#onNews({ kind: "service-back" });
      if (isOutageProbe && !wasLong && this.#outage.isLong) this.#onNews({ kind: "service-away" });
      if (open !== this.#outage.open || isUnfitChanged) this.#onChange();
    };
    return { isProbe: isOutageProbe || isUnfitProbe, end };
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

  /** Whether a scope was opened, closed or probed. */
  #hearUnfit(request: ReadingRequest, error: Failure | undefined): boolean {
    if (error === undefined) return this.#unfit.fit(request);
    if (!(error instanceof Unfit)) return false;
    const { stopped, isChanged } = this.#unfit.refused(request, error.rule);
    if (stopped !== undefined) this.#onNews({ kind: "language-stopped", stopped });
    return isChanged;
  }
}
