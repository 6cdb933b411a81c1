// The closed gates and stopped languages, for a person who follows a run: why it makes no progress, and what to do.
import { minuteOf } from "../../readings/instant-words.ts";
import { remedyFor } from "../../readings/unfit-languages.ts";
import {
  awayWords,
  type GateNote,
  mostProbesOfStopped,
  type StoppedLanguage,
} from "../../vault/gate-note.ts";
import { closedGates } from "../../vault/address-gate.ts";
import { stoppedLanguages } from "../../vault/stopped-languages.ts";
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

export function stopWords({ language, stoppedAt, rule, seen, probes, nextProbeAt }: StoppedLanguage): string {
  const probing =
    probes < mostProbesOfStopped
      ? `next probe at ${minuteOf(nextProbeAt)} UTC`
      : `its ${probes} probes were refused too, and no more follow in this run`;
  return plainLine(
    `${language} is stopped since ${minuteOf(stoppedAt)} UTC, because the rule "${rule}" refused all of its answers (${seen}); ` +
      `${probing}. Next: ${remedyFor(rule)}`,
  );
}

/** Looks at the gates again and again until it is disposed of. */
export function watchGates(vault: Vault) {
  let words: readonly string[] = [];
  const look = () => {
    void Promise.all([closedGates(vault), stoppedLanguages(vault)]).then(
      ([gates, stopped]) => (words = [...gates.map(gateWords), ...stopped.map(stopWords)]),
      () => undefined, // the vault is away for a moment: what was seen last stays
    );
  };
  look();
  const looking = setInterval(look, everyMs);
  return {
    words: () => words,
    [Symbol.dispose]: () => clearInterval(looking),
  };
}
