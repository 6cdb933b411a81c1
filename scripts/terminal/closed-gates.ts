// The closed gates, for a person who waits for a run: why it stands still, and what opens them again.
import { awayWords, type GateNote } from "../../vault/gate-note.ts";
import { closedGates } from "../../vault/address-gate.ts";
import type { Vault } from "../../vault/vault.ts";
import { counted } from "./findings.ts";
import { plainLine } from "./output.ts";

const everyMs = 2_000;

export function gateWords(gate: GateNote): string {
  const { address, closedAt, seen, probes, nextProbeAt, away } = gate;
  const tried = `probed ${counted(probes, "time")}, again at ${nextProbeAt}`;
  const is =
    away === undefined
      ? `refuses the credentials since ${closedAt} (${seen}); ${tried}: give READING_SERVICE_TOKEN and READING_SERVICE_API_KEY that work`
      : `gives no answers${awayWords(gate)} since ${closedAt} (${seen}); ${tried}: a run that waits goes on by itself`;
  return plainLine(`the ${address} address ${is}`);
}

/** Looks at the gates again and again until it is disposed of. */
export function watchGates(vault: Vault) {
  let gates: readonly GateNote[] = [];
  const look = () => {
    void closedGates(vault).then(
      (seen) => (gates = seen),
      () => undefined, // the vault is away for a moment: what was seen last stays
    );
  };
  look();
  const looking = setInterval(look, everyMs);
  return {
    words: () => gates.map(gateWords),
    [Symbol.dispose]: () => clearInterval(looking),
  };
}
