// The languages of which a rule refuses every answer: parts of the notes of address gates (address-gate.ts), which hold their
// requests back. A stopped language is probed every half hour. It resumes after a fit answer or when a run starts.
import { serviceAddressOf } from "../readings/request-fields.ts";
import type { ReadingRequest } from "../readings/request.ts";
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { type Alike, UnfitLanguages } from "../readings/unfit-languages.ts";
import { probingStopped, resumedFor, stoppedFor, type Told } from "./gate-changes.ts";
import type { GateLooks } from "./gate-looks.ts";
import { type GateNote, gateNote, stopHolding, type StoppedLanguage } from "./gate-note.ts";
import { readNote, swapNote } from "./note.ts";
import type { Vault } from "./vault.ts";

type IsOver = (stop: StoppedLanguage) => boolean;

/** Sends one request of a stopped language and returns whether its answer was fit; undefined if no request is left. */
interface Prober {
  readonly probe: (gate: GateNote) => Promise<{ readonly isFit?: boolean } | undefined>;
}

export class StoppedLanguages {
  readonly #vault: Vault;
  readonly #now: () => Date;
  readonly #levels: string;
  readonly #looks: GateLooks;
  readonly #unfit = new UnfitLanguages();

  constructor(vault: Vault, now: () => Date, levels: string, looks: GateLooks) {
    this.#vault = vault;
    this.#now = now;
    this.#levels = levels;
    this.#looks = looks;
  }

  /** A fit answer resumes its language. */
  async fit(request: ReadingRequest, run: string): Promise<void> {
    this.#unfit.fit(request, run);
    const isOver: IsOver = ({ language }) => language === request.language;
    const isStopped = this.#looks.known(request)?.stopped?.some(isOver) === true;
    if (isStopped) await this.#resume(serviceAddressOf(request), isOver);
  }

  /** Counts a refusal; a dozen alike stop the language. Returns the count if this refusal stopped it, for the caller to report. */
  async refused(request: ReadingRequest, rule: string, told: Told): Promise<Alike | undefined> {
    const alike = this.#unfit.refused(request, told.run, rule);
    if (alike === undefined) return undefined;
    if (stopHolding(request, this.#looks.known(request), this.#levels) !== undefined) return undefined;
    const address = serviceAddressOf(request);
    const { value: before, version, damage } = await this.#looks.look(address);
    const stop = { language: request.language, rule, levels: this.#levels };
    const gate = stoppedFor(stop, address, before, told, this.#now());
    // Where another change came first, the next refusal stops the language.
    if (damage !== undefined || gate === undefined) return undefined;
    const swapped = await swapNote(this.#vault.store, gateNote(address), gate, version);
    this.#looks.changed(address);
    await this.#looks.look(address);
    return swapped.kind === "written" ? alike : undefined;
  }

  /** Sends the probe if it is due. True when its answer was fit, or there is nothing left to ask. */
  async probe(
    stop: StoppedLanguage,
    gate: GateNote,
    version: string | undefined,
    prober: Prober,
  ): Promise<boolean> {
    const { address } = gate;
    const out = probingStopped(gate, stop, this.#now());
    if (out === undefined) return false;
    const swapped = await swapNote(this.#vault.store, gateNote(address), out, version);
    this.#looks.changed(address);
    if (swapped.kind !== "written") return false;
    const probed = await prober.probe(out);
    if (probed?.isFit === true) await this.#resume(address, ({ language }) => language === stop.language);
    return probed === undefined || probed.isFit === true;
  }

  /** Resumes all languages when a run starts. A run that is under way stops its languages again at the next refusal. */
  async resumeAll(): Promise<void> {
    for (const address of serviceAddresses) await this.#resume(address, () => true);
  }

  /** Tries again if another change came first. */
  async #resume(address: ServiceAddress, isOver: IsOver): Promise<void> {
    for (;;) {
      const { value: before, version, damage } = await this.#looks.look(address);
      const gate = resumedFor(isOver, before);
      if (damage !== undefined || gate === undefined) return;
      const swapped = await swapNote(this.#vault.store, gateNote(address), gate, version);
      this.#looks.changed(address);
      if (swapped.kind === "written") return;
    }
  }
}

export async function stoppedLanguages({ store }: Vault): Promise<StoppedLanguage[]> {
  const gates = await Promise.all(serviceAddresses.map((address) => readNote(store, gateNote(address))));
  return gates.flatMap((gate) => gate?.stopped ?? []);
}
