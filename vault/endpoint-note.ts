// The note of an endpoint: what survives its owner. Only the owner writes it, when its circuit breaker opens, closes or probes; the
// next owner begins with it, and `status` shows it.
import { z } from "zod";
import { languageNames, operationNames, type EndpointName, endpointNames } from "../readings/tables.ts";
import { layout } from "./files.ts";
import { type Note, readNote } from "./note.ts";
import type { Vault } from "./vault.ts";

const operation = z.enum(operationNames);
const language = z.enum(languageNames);
const outage = z.object({
  away: z
    .array(
      z.object({
        operation: operation.optional(),
        language: language.optional(),
        answers: z.int().optional(),
      }),
    )
    .readonly()
    .optional(),
  openedAt: z.iso.datetime(),
  run: z.string(),
  key: z.string(),
  seen: z.string(),
  probes: z.int().min(0),
  nextProbeAt: z.iso.datetime(),
  isLong: z.boolean(),
  forgivenAt: z.iso.datetime(),
});
const stopped = z.object({
  language,
  run: z.string(),
  start: z.string(),
  rule: z.string(),
  seen: z.string(),
  stoppedAt: z.iso.datetime(),
  probes: z.int().min(0),
  nextProbeAt: z.iso.datetime(),
});
const endpointSchema = z.object({
  outage: outage.optional(),
  stopped: z.array(stopped).readonly(),
  /** The levels of the rules (quality.rules). Under other levels, no language is stopped. */
  rules: z.string().optional(),
});
type EndpointNote = z.infer<typeof endpointSchema>;

/** A damaged note counts as absent: the next failures open the breaker again. */
export function endpointNote(endpoint: EndpointName): Note<EndpointNote> {
  return { key: layout.endpoint(endpoint), schema: endpointSchema, empty: { stopped: [] } };
}

export interface OpenBreaker extends z.infer<typeof outage> {
  readonly endpoint: EndpointName;
}

/** The endpoints that get no responses, or whose credentials are refused, for some requests at least. */
export async function openBreakers({ store }: Vault): Promise<OpenBreaker[]> {
  const found: OpenBreaker[] = [];
  for (const endpoint of endpointNames) {
    const { outage: seen } = await readNote(store, endpointNote(endpoint));
    if (seen !== undefined && (seen.away === undefined || seen.away.length > 0))
      found.push({ ...seen, endpoint });
  }
  return found;
}

export type StoppedLanguage = z.infer<typeof stopped>;

/** The languages of which a rule refuses every response, in this run. */
export async function stoppedLanguages({ store }: Vault, run: string): Promise<StoppedLanguage[]> {
  const notes = await Promise.all(endpointNames.map((endpoint) => readNote(store, endpointNote(endpoint))));
  return notes.flatMap(({ stopped: all }) => all.filter((one) => one.run === run));
}

/** The next step after one rule refused many responses of a language. */
export function remedyFor(rule: string): string {
  return (
    "if the service is wrong, report it there: the next run requests it again. " +
    `If the rule is wrong, set it to "warn" (quality.rules: { "${rule}": "warn" }), restart the worker and run \`almanac revalidate --apply\`.`
  );
}

interface Scope {
  readonly operation?: string | undefined;
  readonly language?: string | undefined;
}

/** The requests that an open breaker holds, as the end of a phrase: nothing if it holds all of the endpoint. */
export function scopeWords({ away = [] }: { readonly away?: readonly Scope[] | undefined }): string {
  const words = away.map((one) =>
    [one.operation, one.language].filter((part) => part !== undefined).join(" in "),
  );
  return words.includes("") || words.length === 0 ? "" : ` for ${words.join(", ")}`;
}
