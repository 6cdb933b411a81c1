// How long answers took of late on each endpoint: a run notes it, and the next plan takes it in place of the usual time.
import { type EndpointName, endpointNames } from "../readings/endpoint-names.ts";
import { selectEndpoint } from "../readings/request.ts";
import { isLanguage } from "../readings/languages.ts";
import { isOperation } from "../readings/operations.ts";
import type { RunProgress } from "../readings/run-messages.ts";
import { readNote } from "./note.ts";
import { changeSiteNotes, type SiteNotes, siteNotes } from "./site-notes.ts";
import type { Vault } from "./vault.ts";

type Latencies = SiteNotes["latencyMs"];

/** With fewer answers a single slow one would count for all. */
const fewestAnswers = 12;

export async function latencySeen({ own }: Vault): Promise<Latencies> {
  return (await readNote(own, siteNotes)).latencyMs;
}

/** Notes the run's answer times; an endpoint with too few calls keeps its earlier one. */
export async function keepLatency(
  { languages }: Pick<RunProgress, "languages">,
  vault: Vault,
): Promise<void> {
  const found = latenciesIn(languages);
  if (Object.keys(found).length === 0) return;
  await changeSiteNotes(vault.own, ({ latencyMs }) => ({
    latencyMs: { ...latencyMs, ...found },
  }));
}

function latenciesIn(languages: RunProgress["languages"]) {
  const sums: Partial<Record<EndpointName, { answers: number; answerMs: number }>> = {};
  for (const [language, tally] of Object.entries(languages)) {
    for (const [operation, { stored, answerMs }] of Object.entries(tally)) {
      if (!isLanguage(language) || !isOperation(operation)) continue;
      const sum = (sums[selectEndpoint({ language, operation })] ??= { answers: 0, answerMs: 0 });
      sum.answers += stored;
      sum.answerMs += answerMs;
    }
  }
  const found: Latencies = {};
  for (const endpoint of endpointNames) {
    const { answers, answerMs } = sums[endpoint] ?? { answers: 0, answerMs: 0 };
    if (answers >= fewestAnswers && answerMs > 0) found[endpoint] = Math.ceil(answerMs / answers);
  }
  return found;
}
