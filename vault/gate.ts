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

export interface Gate {
  /** Whether the gate is closed; a look younger than `youngerThanMs` is good enough. */
  isClosed(address: ServiceAddress, youngerThanMs?: number): Promise<boolean>;
  /** Closes the gate. True when the alarm is to be raised: not where the gate was closed, or another address has raised it. */
  close(address: ServiceAddress, refusal: { run: string; key: RequestKey; seen: string }): Promise<boolean>;
  /** Opens the gate; true when it was closed. */
  open(address: ServiceAddress): Promise<boolean>;
  /** True once, after the last gate was opened: the caller then tells that all is well again. */
  allOpen(): Promise<boolean>;
  /** Waits until the gate is open, and probes when it is this watcher's turn; `probe` says whether the service took it. */
  watch(
    address: ServiceAddress,
    probe: (key: RequestKey) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void>;
}

export function createGate(vault: Vault, now: () => Date): Gate {
  const seenOpenMs = new Map<ServiceAddress, number>();
  const closedMs = new Map<ServiceAddress, number>();

  async function look(address: ServiceAddress): Promise<FoundNote<ClosedGate | undefined>> {
    const beganMs = performance.now();
    const found = await lookAt(vault.store, gateNote(address));
    if (found.version !== undefined) shut(address);
    // A look that began before this process closed the gate does not count.
    else if (beganMs > (closedMs.get(address) ?? 0)) seenOpenMs.set(address, beganMs);
    return found;
  }

  async function swap(gate: ClosedGate, version: string | undefined): Promise<boolean> {
    return (await swapNote(vault.store, gateNote(gate.address), gate, version)).kind === "written";
  }

  function shut(address: ServiceAddress): void {
    closedMs.set(address, performance.now());
    seenOpenMs.delete(address);
  }

  /** Takes the next probe for this watcher; only one of all watchers in all workers succeeds. */
  async function claimProbe(gate: ClosedGate, version: string | undefined): Promise<boolean> {
    const probes = gate.probes + 1;
    const pauseMs = Math.min(firstProbeMs * 2 ** probes, longestPauseMs);
    return swap({ ...gate, probes, nextProbeAt: new Date(now().getTime() + pauseMs).toISOString() }, version);
  }

  async function open(address: ServiceAddress): Promise<boolean> {
    const wasClosed = (await look(address)).version !== undefined;
    if (wasClosed) await vault.store.remove([layout.gate(address)]);
    return wasClosed;
  }

  return {
    async isClosed(address, youngerThanMs = openForMs) {
      const seenMs = seenOpenMs.get(address);
      if (seenMs !== undefined && performance.now() - seenMs < youngerThanMs) return false;
      return (await look(address)).version !== undefined;
    },
    async close(address, refusal) {
      shut(address);
      const gate = closedGate(address, refusal, now());
      return (await swap(gate, undefined)) && raiseAlarm(vault, gate);
    },
    open,
    async allOpen() {
      return (await closedGates(vault)).length === 0 && endAlarm(vault);
    },
    async watch(address, probe, signal) {
      for (;;) {
        signal.throwIfAborted();
        const { value: gate, version, damage } = await look(address);
        if (damage !== undefined) throw damage;
        if (gate === undefined) return;
        if (isProbeDue(gate, now()) && (await claimProbe(gate, version))) {
          if (await probe(gate.key)) return void (await open(address));
        }
        await delay(lookEveryMs, undefined, { signal });
      }
    },
  };
}

/** A time further ahead than any pause comes from a clock that has been set back since, so the probe is due. */
function isProbeDue({ nextProbeAt }: ClosedGate, at: Date): boolean {
  const leftMs = Date.parse(nextProbeAt) - at.getTime();
  return leftMs <= 0 || leftMs > longestPauseMs;
}

function closedGate(
  address: ServiceAddress,
  { run, key, seen }: { readonly run: string; readonly key: RequestKey; readonly seen: string },
  at: Date,
): ClosedGate {
  const nextProbeAt = new Date(at.getTime() + firstProbeMs).toISOString();
  return { address, closedAt: at.toISOString(), run, key, seen, probes: 0, nextProbeAt };
}

export async function closedGates({ store }: Vault): Promise<ClosedGate[]> {
  const gates: ClosedGate[] = [];
  for (const address of serviceAddresses) {
    const gate = await readNote(store, gateNote(address));
    if (gate !== undefined) gates.push(gate);
  }
  return gates;
}
