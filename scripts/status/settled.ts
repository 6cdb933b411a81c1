// The progress of a run that has ended, as of now: a request that it set aside, and that a person has settled since, is set aside no
// longer. An accepted answer counts as kept; one that is to be asked for again counts as open.
import { countsOf } from "../../readings/tally.ts";
import { requestOf } from "../../readings/request.ts";
import type { RunProgress } from "../../readings/run-messages.ts";
import type { Vault } from "../../vault/vault.ts";

export async function withSettled(progress: RunProgress, vault: Vault): Promise<RunProgress> {
  const waiting = new Set(await vault.inQuarantine(""));
  // Other failures leave nothing in quarantine.
  const gone = progress.setAside.filter(
    ({ key, type }) => (type === "Unfit" || type === "Rejected") && !waiting.has(key),
  );
  if (gone.length === 0) return progress;
  const languages = structuredClone(progress.languages);
  for (const { key } of gone) {
    const request = requestOf(key);
    const tally = request && languages[request.language];
    if (request === undefined || tally === undefined) continue;
    const isKept = (await vault.capture(key)) !== undefined;
    const counts = countsOf(tally, request.operation);
    counts.setAside = Math.max(0, counts.setAside - 1);
    if (isKept) counts.kept += 1;
  }
  return { ...progress, languages, setAside: progress.setAside.filter((one) => !gone.includes(one)) };
}
