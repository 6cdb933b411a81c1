// Whether the vault holds a language's day, as a night sees it: every daily set is whole or given up. It is how a publish
// finds a language that was never published because its night broke off. Where nothing is stored it costs one listing.
import type { Language } from "../../readings/languages.ts";
import { languagesOf, rowOf } from "../../readings/operations.ts";
import { requestKey, type RequestKey, requestsOf } from "../../readings/request.ts";
import { loadSets } from "../../vault/editions.ts";
import type { Publishing } from "../state/publish-context.ts";
import type { Withheld } from "../../vault/withheld.ts";

export async function isDayGathered(
  language: Language,
  date: string,
  { configuration, vault }: Pick<Publishing, "configuration" | "vault">,
  withheld: Withheld,
): Promise<boolean> {
  const sets = configuration.operations
    .filter((operation) => rowOf(operation).due === "daily" && languagesOf(operation).includes(language))
    .map((operation) => requestsOf(operation, language, date));
  const prefix = `daily/${date}/${language}/`;
  const stored = new Set<RequestKey>(await vault.held(prefix));
  const whole = sets.filter((requests) => requests.every((one) => stored.has(requestKey(one))));
  if (whole.length === 0) return false;
  if (whole.length < sets.length) {
    const settled = stored.union(new Set(await vault.inQuarantine(prefix)));
    if (!sets.flat().every((one) => settled.has(requestKey(one)))) return false;
  }
  // Sets with findings, or with damaged responses, would be rendered at every publish for nothing.
  return (await loadSets(whole, { configuration, vault, withheld }, false)).sets.length > 0;
}
