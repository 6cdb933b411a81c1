// The gate of each address: a small file in the vault that holds requests back while the address refuses our credentials or gives
// no answers, or the requests of a language while a rule refuses all of its answers. Every worker looks at it before each call.
// The worker that wins the right to probe asks one request, and the gate opens when probes are answered. The pauses between
// probes grow.
import { setTimeout as delay } from "node:timers/promises";
import { type AwayScope, CallsInVain } from "../readings/calls-in-vain.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import type { ReadingRequest } from "../readings/request.ts";
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { endAlarm, raiseAlarm } from "./gate-alarm.ts";
import {
  closedFor,
  isProbeDue,
  type Moment,
  probeAnswered,
  probedInVain,
  probing,
  refusedAgain,
  refusing,
  type Told,
} from "./gate-changes.ts";
import { GateLooks } from "./gate-looks.ts";
import {
  awayHolding,
  type GateNote,
  gateNote,
  isClosed,
  isKnownPart,
  scopeHolding,
  stopHolding,
} from "./gate-note.ts";
import { layout } from "./layout.ts";
import { changeNote, lookAt, readNote, swapNote } from "./note.ts";
import { StoppedLanguages } from "./stopped-languages.ts";
import type { Vault } from "./vault.ts";

const lookEveryMs = 500;
const lookAtStoppedEveryMs = 5_000;
/** Who waits for a part that is known to be away leaves the probe to others for so long. */
const leftToOthersMs = 2_000;

export interface Probed {
  readonly isAnswered: boolean;
  readonly isFit?: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** What a call without an answer was told all the same. */
export interface InVain {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Who waits at a gate until the request may go out. */
export interface Watcher {
  readonly request: ReadingRequest;
  readonly answerTimeoutMs: number;
  /** Asks through the closed gate; undefined where nothing is left to ask. */
  readonly probe: (gate: GateNote) => Promise<Probed | undefined>;
  readonly probed: (before: GateNote, after: GateNote) => Promise<void>;
}

export class AddressGate {
  readonly #vault: Vault;
  readonly #now: () => Date;
  readonly #looks: GateLooks;
  readonly languages: StoppedLanguages;
  readonly #inVain = new CallsInVain();
  readonly #levels: string;
  /** The gates as this process' probes left them, by its own clock: with clocks far apart each would find the other's probe due. */
  readonly #left = new Map<ServiceAddress, GateNote>();

  /** A language that was stopped under other levels of the rules is not stopped. */
  constructor(vault: Vault, now: () => Date, levels = "") {
    this.#vault = vault;
    this.#now = now;
    this.#levels = levels;
    this.#looks = new GateLooks(vault, levels);
    this.languages = new StoppedLanguages(vault, now, levels, this.#looks);
  }

  /** The scope of the gate that holds the request, if one does; a look younger than `youngerThanMs` is good enough. */
  async held(request: ReadingRequest, youngerThanMs?: number): Promise<AwayScope | undefined> {
    const scope = await this.#looks.held(request, youngerThanMs);
    if (scope !== undefined) this.#inVain.forget(request, scope);
    return scope;
  }

  /** Somebody was there, whatever the answer was like. */
  answered(request: ReadingRequest): void {
    this.#inVain.answered(request);
  }

  /** No answer came: after a few of those in a row the gate closes. A probe, or what was on its way by then, says nothing new. */
  async failed(request: ReadingRequest, told: Told, { status, retryAfterMs }: InVain = {}): Promise<void> {
    const seen = this.#looks.known(request);
    const isHeld = scopeHolding(request, seen, this.#levels) !== undefined;
    const scope = isHeld
      ? undefined
      : this.#inVain.failed(request, { known: seen?.away, isLimit: status === 429 });
    if (scope === undefined) return;
    const address = serviceAddressOf(request);
    const { value: before, version, damage } = await this.#looks.look(address);
    const gate = closedFor(scope, address, before, told, this.#moment(retryAfterMs));
    // A damaged gate is closed. Where another change came first, the next call in vain is told of in its turn.
    if (damage !== undefined || gate === undefined) return;
    await swapNote(this.#vault.store, gateNote(address), gate, version);
    this.#looks.changed(address);
    await this.#looks.look(address);
  }

  /** Closes the gate. True when the alarm is to be raised: not where it refused before, or another address has raised it. */
  async close(address: ServiceAddress, refusal: Told): Promise<boolean> {
    this.#looks.changed(address);
    const { store } = this.#vault;
    const { value: before, version } = await lookAt(store, gateNote(address));
    if (version !== undefined && before?.away === undefined) return false;
    const gate = refusing(address, refusal, this.#now());
    const swapped = await swapNote(store, gateNote(address), gate, version);
    return swapped.kind === "written" && raiseAlarm(this.#vault, gate);
  }

  /** Opens the gate; true when it was closed. */
  async open(address: ServiceAddress): Promise<boolean> {
    const { value: gate, version } = await this.#looks.look(address);
    if (version === undefined) return false;
    await this.#vault.store.remove([layout.gate(address)]);
    this.#looks.changed(address);
    return gate === undefined || isClosed(gate) || (gate.stopped ?? []).length > 0;
  }

  /** True once, after the last gate that refused was opened: the caller then tells that all is well again. */
  async allOpen(): Promise<boolean> {
    const closed = await closedGates(this.#vault);
    return !closed.some(({ away }) => away === undefined) && endAlarm(this.#vault);
  }

  /** Waits until the request may go out or was answered, and probes when it is this watcher's turn. */
  async watch(watcher: Watcher, signal: AbortSignal): Promise<void> {
    const { request } = watcher;
    const address = serviceAddressOf(request);
    for (;;) {
      signal.throwIfAborted();
      const { value: gate, version, damage } = await this.#looks.look(address);
      if (damage !== undefined) throw damage;
      if (gate === undefined) return;
      if (awayHolding(request, gate) === undefined) {
        const stop = stopHolding(request, gate, this.#levels);
        if (stop === undefined || (await this.languages.probe(stop, gate, version, watcher))) return;
        await delay(lookAtStoppedEveryMs * (0.75 + Math.random() / 2), undefined, { signal });
        continue;
      }
      const left = this.#left.get(address);
      const isRested = left?.closedAt !== gate.closedAt || isProbeDue(left, this.#now());
      const leftMs = isKnownPart(request, gate) ? leftToOthersMs : 0;
      const isDue = isRested && isProbeDue(gate, new Date(this.#now().getTime() - leftMs));
      if (isDue && (await this.#probe(gate, version, watcher))) return;
      // Watchers of one worker take turns: one that waits for something else may be answered.
      await delay(lookEveryMs * (0.75 + Math.random() / 2), undefined, { signal });
    }
  }

  /** True when it was answered, or there is nothing left to ask. */
  async #probe(gate: GateNote, version: string | undefined, watcher: Watcher): Promise<boolean> {
    const { address } = gate;
    const { store } = this.#vault;
    const out = probing(gate, watcher.answerTimeoutMs, this.#moment());
    // The swap takes the next probe for this watcher; only one of all watchers in all workers succeeds.
    if ((await swapNote(store, gateNote(address), out, version)).kind !== "written") return false;
    this.#looks.changed(address);
    const probed = await watcher.probe(gate);
    this.#left.set(address, out);
    const isOver = probed?.isAnswered !== false;
    const moment = this.#moment(probed?.retryAfterMs);
    if (gate.away === undefined) {
      if (isOver) await this.open(address);
      else await this.#refusedAgain(out, moment);
      return isOver;
    }
    let after = out;
    await changeNote(store, gateNote(address), (latest) => {
      if (latest?.away === undefined) return undefined; // the credentials are refused meanwhile
      if (probed === undefined) after = { ...latest, nextProbeAt: gate.nextProbeAt };
      else after = (probed.isAnswered ? probeAnswered : probedInVain)(watcher.request, latest, moment);
      return after;
    });
    this.#looks.changed(address);
    this.#left.set(address, after);
    await watcher.probed(gate, after);
    return isOver;
  }

  /** Where nobody has closed the gate anew since, or sent the next probe. */
  async #refusedAgain(out: GateNote, moment: Moment): Promise<void> {
    const after = refusedAgain(out, moment);
    await changeNote(this.#vault.store, gateNote(out.address), (latest) =>
      latest?.closedAt === out.closedAt && latest.probes === out.probes ? after : undefined,
    );
    this.#looks.changed(out.address);
    this.#left.set(out.address, after);
  }

  #moment(retryAfterMs?: number): Moment {
    return { at: this.#now(), chance: Math.random(), retryAfterMs };
  }
}

export async function closedGates({ store }: Vault): Promise<GateNote[]> {
  const gates = await Promise.all(serviceAddresses.map((address) => readNote(store, gateNote(address))));
  return gates.filter((gate) => gate !== undefined).filter(isClosed);
}
