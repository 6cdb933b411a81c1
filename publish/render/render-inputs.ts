// A hash of all that a language's current pages are rendered from, made from a listing of the vault and without reading it:
// where the hash is the same as before, the pages would be too (unchanged-languages.ts).
import type { Store } from "../../store/store.ts";
import { createHash } from "node:crypto";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/languages.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { editionPrefixes } from "../../vault/editions.ts";
import { folders } from "../../vault/layout.ts";
import type { Publishing } from "../state/publish-context.ts";
import type { Withheld } from "../../vault/withheld.ts";

/**
 * To be called before the vault is read, so that a stored response that changes meanwhile does not match the hash. Undefined where the
 * hash can't be known.
 */
export async function inputsOf(
  language: Language,
  date: string,
  { note }: Withheld,
  { configuration, vault, fingerprint, workings, pictures }: Publishing,
): Promise<string | undefined> {
  if (workings === undefined) return undefined;
  const responses = editionPrefixes(language, date, configuration).map(
    (prefix) => folders.responses + prefix,
  );
  const copies = pictures === undefined ? [] : [folders.pictureNotes];
  const prefixes = [...responses, folders.superseded, ...copies];
  const listings = await inParallel(prefixes, (prefix) => listingOf(vault.store, prefix));
  const known = [language, date, workings, fingerprint, withoutNames(configuration), note, prefixes];
  const hash = createHash("sha256").update(JSON.stringify(known));
  for (const listing of listings) {
    if (listing === undefined) return undefined;
    hash.update(`\n\n${listing}`);
  }
  return hash.digest("hex");
}

/** Undefined if the store's listing does not show that a file was replaced. */
async function listingOf(store: Store, prefix: string): Promise<string | undefined> {
  const lines: string[] = [];
  for await (const { key, sizeBytes, tag } of store.list(prefix)) {
    if (tag === undefined) return undefined;
    lines.push(`${key} ${sizeBytes} ${tag}`);
  }
  return lines.join("\n");
}

/** The configuration without names and birth dates, which go to the service alone: a page shows neither. */
function withoutNames(configuration: Configuration) {
  return { ...configuration, people: configuration.people.map(({ id }) => id) };
}
