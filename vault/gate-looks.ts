// One process' looks at the address gates: through a short cache, so that a call costs none of its own.
import type { AwayScope } from "../readings/calls-in-vain.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import type { ReadingRequest } from "../readings/request.ts";
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { type GateNote, gateNote, scopeHolding } from "./gate-note.ts";
import { type FoundNote, lookAt } from "./note.ts";
import type { Vault } from "./vault.ts";

/** Others must notice a closed gate within 5 s. A hold is not cached: few calls come then, and they want to go on. */
const goodForMs = 2_000;

export class GateLooks {
  readonly #store: Vault["store"];
  readonly #seen = new Map<ServiceAddress, { readonly gate: GateNote | undefined; readonly atMs: number }>();
  readonly #changedMs = new Map<ServiceAddress, number>();
  /** The looks under way: a bundle's requests come at once, and one look is enough for them. */
  readonly #looks = new Map<ServiceAddress, Promise<FoundNote<GateNote | undefined>>>();

  readonly #levels: string;

  constructor({ store }: Vault, levels: string) {
    this.#store = store;
    this.#levels = levels;
  }

  async look(address: ServiceAddress): Promise<FoundNote<GateNote | undefined>> {
    const looking =
      this.#looks.get(address) ?? this.#read(address).finally(() => this.#looks.delete(address));
    this.#looks.set(address, looking);
    return looking;
  }

  async held(request: ReadingRequest, youngerThanMs = goodForMs): Promise<AwayScope | undefined> {
    const address = serviceAddressOf(request);
    const { gate, atMs } = this.#seen.get(address) ?? { gate: undefined, atMs: -Infinity };
    if (performance.now() - atMs < youngerThanMs && this.#scope(request, gate) === undefined)
      return undefined;
    const { value, damage } = await this.look(address);
    return damage === undefined ? this.#scope(request, value) : {};
  }

  #scope(request: ReadingRequest, gate: GateNote | undefined): AwayScope | undefined {
    return scopeHolding(request, gate, this.#levels);
  }

  /** What the last look saw of the request's gate. */
  known(request: ReadingRequest): GateNote | undefined {
    return this.#seen.get(serviceAddressOf(request))?.gate;
  }

  /** This process has changed the gate: a look that began before does not count. */
  changed(address: ServiceAddress): void {
    this.#changedMs.set(address, performance.now());
    this.#seen.delete(address);
    this.#looks.delete(address);
  }

  async #read(address: ServiceAddress): Promise<FoundNote<GateNote | undefined>> {
    const atMs = performance.now();
    const found = await lookAt(this.#store, gateNote(address));
    const isNew = atMs > (this.#changedMs.get(address) ?? 0);
    if (found.damage === undefined && isNew) this.#seen.set(address, { gate: found.value, atMs });
    return found;
  }
}
