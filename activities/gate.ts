// The gate for refused credentials: a small file in the vault for each address, there while the address refuses us.
// Every worker looks at it before each call, through a short cache; whoever wins the right to probe asks the refused
// request again, after 1 s, then doubling to 5 minutes; the file goes when a probe succeeds.
import { setTimeout as delay } from "node:timers/promises";
import { type ServiceAddress } from "../readings/fields.ts";
import { type RequestKey } from "../readings/request.ts";
import { absent } from "../store/store.ts";
import { type ClosedGate, gateSchema } from "./capture.schema.ts";
import { parseJson, readJson, type Vault, writeJson } from "./vault.ts";

/** Others must notice within 5 s. */
const cacheMs = 2_000;
const firstProbeMs = 1_000;
const longestPauseMs = 5 * 60_000;
const lookEveryMs = 500;

export interface Gate {
  isClosed(address: ServiceAddress): Promise<boolean>;
  /** Answers whether this call closed it: the one who did raises the alarm. */
  close(address: ServiceAddress, refusal: { run: string; key: RequestKey; seen: string }): Promise<boolean>;
  open(address: ServiceAddress): Promise<void>;
  /** Waits until the gate is open; in its turn asks through `probe`, which says whether the service took it. */
  watch(
    address: ServiceAddress,
    probe: (key: RequestKey) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void>;
}

export function createGate(vault: Vault, now: () => Date): Gate {
  const seen = new Map<ServiceAddress, { readonly closed: boolean; readonly atMs: number }>();

  async function look(address: ServiceAddress): Promise<{ gate: ClosedGate; version: string } | undefined> {
    const stored = await vault.store.read(gateKey(address));
    seen.set(address, { closed: stored !== undefined, atMs: performance.now() });
    if (stored === undefined) return undefined;
    return { gate: parseJson(gateKey(address), stored.body, gateSchema), version: stored.version };
  }

  /** Takes the next probe for ourselves: of all watchers in all workers one succeeds. */
  async function claimProbe(found: { gate: ClosedGate; version: string }): Promise<boolean> {
    const probes = found.gate.probes + 1;
    const pauseMs = Math.min(firstProbeMs * 2 ** probes, longestPauseMs);
    const next = { ...found.gate, probes, nextProbeAt: new Date(now().getTime() + pauseMs).toISOString() };
    return writeJson(vault.store, gateKey(next.address), next, { kind: "version", version: found.version });
  }

  return {
    async isClosed(address) {
      const last = seen.get(address);
      if (last !== undefined && performance.now() - last.atMs < cacheMs) return last.closed;
      return (await look(address)) !== undefined;
    },
    async close(address, { run, key, seen: words }) {
      const at = now();
      seen.set(address, { closed: true, atMs: performance.now() });
      const gate: ClosedGate = {
        format: 1,
        address,
        closedAt: at.toISOString(),
        run,
        key,
        seen: words,
        probes: 0,
        nextProbeAt: new Date(at.getTime() + firstProbeMs).toISOString(),
      };
      return writeJson(vault.store, gateKey(address), gate, absent);
    },
    async open(address) {
      await vault.store.remove([gateKey(address)]);
      seen.set(address, { closed: false, atMs: performance.now() });
    },
    async watch(address, probe, signal) {
      for (;;) {
        signal.throwIfAborted();
        const found = await look(address);
        if (found === undefined) return;
        if (now().toISOString() >= found.gate.nextProbeAt && (await claimProbe(found))) {
          if (await probe(found.gate.key)) return this.open(address);
        }
        await delay(lookEveryMs, undefined, { signal });
      }
    },
  };
}

/** The gates that are closed now, for whoever asks. */
export async function closedGates({ store }: Vault): Promise<ClosedGate[]> {
  const gates: ClosedGate[] = [];
  for (const address of ["english", "translator", "legacy"] as const) {
    const gate = await readJson(store, gateKey(address), gateSchema);
    if (gate !== undefined) gates.push(gate);
  }
  return gates;
}

function gateKey(address: ServiceAddress): string {
  return `gate/${address}.json`;
}
