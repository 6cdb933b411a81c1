// The credentials gate: a small file in the vault for each address, which is there while the address refuses our credentials.
// Every worker looks at it before each call, through a short cache; whoever wins the right to probe asks the refused
// request again, after 1 s, then doubling to 5 minutes; the file goes when a probe succeeds.
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestKey } from "../readings/request.ts";
import { endAlarm, raiseAlarm } from "./gate-alarm.ts";
import { type ClosedGate, gateNote } from "./gate-note.ts";
import { layout } from "./layout.ts";
import { type FoundNote, lookAt, readNote, swapNote } from "./note.ts";
import type { Vault } from "./vault.ts";

/** Others must notice a closed gate within 5 s. A closed gate is not cached: few calls come then, and they want to go on. */
const openForMs = 2_000;
const firstProbeMs = 1_000;
const longestPauseMs = 5 * 60_000;
const lookEveryMs = 500;

export type CredentialsGate = ReturnType<typeof createGate>;

export function createGate(vault: Vault, now: () => Date) {
  const seenOpenMs = new Map<ServiceAddress, number>();
  const closedMs = new Map<ServiceAddress, number>();
  /** The looks under way: a bundle's requests come at once, and one look is enough for them. */
  const looks = new Map<ServiceAddress, ReturnType<typeof look>>();

  async function look(address: ServiceAddress): Promise<FoundNote<ClosedGate | undefined>> {
    const beganMs = performance.now();
    const found = await lookAt(vault.store, gateNote(address));
    if (found.version !== undefined) shut(address);
    // A look that began before this process closed the gate does not count.
    else if (beganMs > (closedMs.get(address) ?? 0)) seenOpenMs.set(address, beganMs);
    return found;
  }

  function shut(address: ServiceAddress) {
    closedMs.set(address, performance.now());
    seenOpenMs.delete(address);
    looks.delete(address);
  }

  /** Opens the gate; true when it was closed. */
  async function open(address: ServiceAddress) {
    const wasClosed = (await look(address)).version !== undefined;
    if (wasClosed) await vault.store.remove([layout.gate(address)]);
    return wasClosed;
  }

  return {
    /** Whether the gate is closed; a look younger than `youngerThanMs` is good enough. */
    async isClosed(address: ServiceAddress, youngerThanMs = openForMs): Promise<boolean> {
      if (performance.now() - (seenOpenMs.get(address) ?? -Infinity) < youngerThanMs) return false;
      const looking = looks.get(address) ?? look(address).finally(() => looks.delete(address));
      looks.set(address, looking);
      return (await looking).version !== undefined;
    },
    /** Closes the gate. True when the alarm is to be raised: not where the gate was closed, or another address has raised it. */
    async close(
      address: ServiceAddress,
      refusal: Pick<ClosedGate, "run" | "key" | "seen">,
    ): Promise<boolean> {
      shut(address);
      const at = now();
      const gate = probedAt({ address, closedAt: at.toISOString(), ...refusal }, 0, at);
      return (await swap(vault, gate, undefined)) && raiseAlarm(vault, gate);
    },
    open,
    /** True once, after the last gate was opened: the caller then tells that all is well again. */
    async allOpen(): Promise<boolean> {
      return (await closedGates(vault)).length === 0 && endAlarm(vault);
    },
    /** Waits until the gate is open, and probes when it is this watcher's turn; `probe` says whether the service took it. */
    async watch(
      address: ServiceAddress,
      probe: (key: RequestKey) => Promise<boolean>,
      signal: AbortSignal,
    ): Promise<void> {
      for (;;) {
        signal.throwIfAborted();
        const { value: gate, version, damage } = await look(address);
        if (damage !== undefined) throw damage;
        if (gate === undefined) return;
        const at = now();
        // The swap takes the next probe for this watcher; only one of all watchers in all workers succeeds.
        if (isProbeDue(gate, at) && (await swap(vault, probedAt(gate, gate.probes + 1, at), version))) {
          if (await probe(gate.key)) return void (await open(address));
        }
        await delay(lookEveryMs, undefined, { signal });
      }
    },
  };
}

async function swap({ store }: Vault, gate: ClosedGate, version: string | undefined) {
  return (await swapNote(store, gateNote(gate.address), gate, version)).kind === "written";
}

/** A time further ahead than any pause comes from a clock that has been set back since, so the probe is due. */
function isProbeDue({ nextProbeAt }: ClosedGate, at: Date) {
  const leftMs = Date.parse(nextProbeAt) - at.getTime();
  return leftMs <= 0 || leftMs > longestPauseMs;
}

/** The gate after so many probes, with the instant of the next one. */
function probedAt(gate: Omit<ClosedGate, "probes" | "nextProbeAt">, probes: number, at: Date): ClosedGate {
  const pauseMs = Math.min(firstProbeMs * 2 ** probes, longestPauseMs);
  return { ...gate, probes, nextProbeAt: new Date(at.getTime() + pauseMs).toISOString() };
}

export async function closedGates({ store }: Vault): Promise<ClosedGate[]> {
  const gates = await Promise.all(serviceAddresses.map((address) => readNote(store, gateNote(address))));
  return gates.filter((gate) => gate !== undefined);
}
