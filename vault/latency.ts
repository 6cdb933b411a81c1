// How long answers took of late on each address: a run notes it, and the next plan takes it in place of the usual time.
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { serviceAddressOf } from "../readings/request.ts";
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

/** Notes the run's answer times; an address that was not asked often enough keeps its earlier one. */
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
  const sums: Partial<Record<ServiceAddress, { answers: number; answerMs: number }>> = {};
  for (const [language, tally] of Object.entries(languages)) {
    for (const [operation, { kept, answerMs }] of Object.entries(tally)) {
      if (!isLanguage(language) || !isOperation(operation)) continue;
      const sum = (sums[serviceAddressOf({ language, operation })] ??= { answers: 0, answerMs: 0 });
      sum.answers += kept;
      sum.answerMs += answerMs;
    }
  }
  const found: Latencies = {};
  for (const address of serviceAddresses) {
    const { answers, answerMs } = sums[address] ?? { answers: 0, answerMs: 0 };
    if (answers >= fewestAnswers && answerMs > 0) found[address] = Math.ceil(answerMs / answers);
  }
  return found;
}
