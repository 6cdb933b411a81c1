// The open circuit breakers and stopped languages, for a person who follows a run: why it makes no progress, and what to do.
import { minuteOf } from "../../readings/instant-words.ts";
import { mostProbesOfStopped } from "../../service/unfit-responses.ts";
import {
  openBreakers,
  type OpenBreaker,
  remedyFor,
  scopeWords,
  type StoppedLanguage,
  stoppedLanguages,
} from "../../vault/endpoint-note.ts";
import type { Vault } from "../../vault/vault.ts";
import { counted } from "./findings.ts";
import { plainLine } from "./output.ts";

const everyMs = 2_000;

export function breakerWords(breaker: OpenBreaker): string {
  const { probes, nextProbeAt } = breaker;
  return `${reasonWords(breaker)}; probed ${counted(probes, "time")}, again at ${nextProbeAt}`;
}

/** Without the probes, so that a run that is followed shows it once. */
function reasonWords(breaker: OpenBreaker): string {
  const { endpoint, openedAt, seen, away } = breaker;
  const since = `since ${minuteOf(openedAt)} UTC (${seen})`;
  const is =
    away === undefined
      ? `refuses the credentials ${since}: give READING_SERVICE_TOKEN and READING_SERVICE_API_KEY that work`
      : `gives no responses${scopeWords(breaker)} ${since}: a run that waits continues by itself`;
  return plainLine(`the ${endpoint} endpoint ${is}`);
}

export function stopWords({ language, stoppedAt, rule, seen, probes, nextProbeAt }: StoppedLanguage): string {
  const probing =
    probes < mostProbesOfStopped
      ? `next probe at ${minuteOf(nextProbeAt)} UTC`
      : `its ${probes} probes were refused too, and no more follow in this run`;
  return plainLine(
    `${language} is stopped since ${minuteOf(stoppedAt)} UTC, because the rule "${rule}" refused all of its responses (${seen}); ` +
      `${probing}. Next: ${remedyFor(rule)}`,
  );
}

/** Looks at the endpoints' notes again and again until it is disposed of. */
export function watchBreakers(vault: Vault, run: string) {
  let words: readonly string[] = [];
  const look = () => {
    void Promise.all([openBreakers(vault), stoppedLanguages(vault, run)]).then(
      ([breakers, stopped]) => (words = [...breakers.map(reasonWords), ...stopped.map(stopWords)]),
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
