// The calls of a UTC day, the one on which they are made, under the day's ceiling: each start of a run takes on what it planned,
// and each time that a response was refused and is requested again, one more call is drawn from the rest; so is a planned call
// that is made on a later day than its plan. Calls without an answer don't count: the planned ones among them are given back
// in the end.
import { z } from "zod";
import { layout, folders } from "./files.ts";
import { changeNote, type Note, readNote } from "./note.ts";
import type { Vault } from "./vault.ts";
import { languageNames, operationNames, type EndpointName, endpointNames } from "../readings/tables.ts";
import type { Plan } from "../readings/plan.ts";
import type { PlanLine } from "../readings/plan-order.ts";
import { type ReadingRequest, type RequestKey, requestKey, setKey } from "../readings/request.ts";
import type { PlannedRefusal, RefusedOperation } from "../readings/run-messages.ts";

/** One file for all starts of the day, so that plans and draws at the same time know of each other. */
const dayCallsSchema = z.object({
  starts: z.record(z.string(), z.int().min(0)),
  drawn: z.int().min(0),
});
type DayCalls = z.infer<typeof dayCallsSchema>;

/** The note of a day's calls. A damaged note is started again, because it must not cost a night. */
export function dayCallsNote(day: string): Note<DayCalls> {
  return { key: layout.dayCalls(day), schema: dayCallsSchema, empty: { starts: {}, drawn: 0 } };
}

export interface RunStart {
  readonly run: string;
  /** Identifies this start of the run: a night that is started again has already made calls. Absent if only a plan is made. */
  readonly start?: string;
}

/**
 * Counts the calls of a plan, or as many as the ceiling has room for. A plan that is made again is counted once, with the most of
 * them: an attempt that was taken for dead may come late, when the calls of its retry are under way.
 */
export async function takeOnCalls(
  vault: Vault,
  day: string,
  start: RunStart,
  { wanted, ceiling = Infinity }: { readonly wanted: number; readonly ceiling?: number },
): Promise<number> {
  let taken = 0;
  await changeNote(vault.store, dayCallsNote(day), (calls) => {
    taken = Math.max(0, Math.min(wanted, ceiling - sumOf(calls, start)));
    const noted = Math.max(taken, calls.starts[nameOf(start)] ?? 0);
    return { ...calls, starts: { ...calls.starts, [nameOf(start)]: noted } };
  });
  return taken;
}

/** Gives back the calls that a start had counted and did not make. */
export async function settleCalls(vault: Vault, day: string, start: RunStart, made: number): Promise<void> {
  const name = nameOf(start);
  await changeNote(vault.store, dayCallsNote(day), (calls) => {
    const all = Object.entries(calls.starts);
    // The start's own entries go, with the ones for the rest of an operation.
    const others = all.filter(([one]) => one !== name && !one.startsWith(`${name}-`));
    const settled = { ...calls, starts: { ...Object.fromEntries(others), [name]: made } };
    return sumOf(settled) < sumOf(calls) ? settled : undefined;
  });
}

/** Draws one call beyond the plan, if the ceiling has room for it. Callers at the same time never draw the same one. */
export async function drawCall(vault: Vault, day: string, ceiling: number): Promise<boolean> {
  return changeNote(vault.store, dayCallsNote(day), (calls) =>
    sumOf(calls) >= ceiling ? undefined : { ...calls, drawn: calls.drawn + 1 },
  );
}

/** The day whose calls are those made at this instant, whatever date a run is for. */
export function callDayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Whether a plan of the run has calls counted on this day. One that is made again on the next day may have had none here. */
export async function hasTakenOn(vault: Vault, day: string, run: string): Promise<boolean> {
  const { starts } = await readNote(vault.store, dayCallsNote(day));
  return Object.entries(starts).some(([name, calls]) => calls > 0 && name.startsWith(`${run}/`));
}

/** The calls that the day's starts have counted or drawn. `but` leaves out a start's own, for its retry. */
export async function callsTakenOn(vault: Vault, day: string, but?: RunStart): Promise<number> {
  return sumOf(await readNote(vault.store, dayCallsNote(day)), but);
}

function sumOf({ starts, drawn }: DayCalls, but?: RunStart) {
  const own = but === undefined ? 0 : (starts[nameOf(but)] ?? 0);
  return Object.values(starts).reduce((sum, calls) => sum + calls, drawn - own);
}

function nameOf({ run, start = "none" }: RunStart) {
  return `${run}/${start}`;
}

// Operations that the service refused alike, whatever the request: a small file in the vault for each, so that the
// runs of one UTC day leave the operation out and the next day's run tries one set. A response to any of its requests removes it.
/** A set has twelve requests at most, except for pairs, of which all of a language count as one. */
const mostInProbe = 12;

const refusalSchema = z.object({
  operation: z.enum(operationNames),
  /** The UTC date. */
  day: z.iso.date(),
  run: z.string(),
  reason: z.string(),
  languages: z.array(z.enum(languageNames)),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** The note of a refused operation. A damaged one counts as absent: it costs some calls to find out again. */
export function refusalNote(key: string) {
  return { key, schema: refusalSchema, empty: undefined };
}

export async function refusalsIn({ store }: Vault): Promise<Refusal[]> {
  const notes = await Array.fromAsync(store.list(folders.refusals), ({ key }) =>
    readNote(store, refusalNote(key)),
  );
  return notes.filter((note) => note !== undefined);
}

/** Records the operations that a run called in vain; the languages of two runs of one day are both kept. */
export async function keepRefusals(
  { run, day, refused }: { run: string; day: string; refused: readonly RefusedOperation[] },
  { store }: Vault,
): Promise<void> {
  for (const { operation, reason, languages, requested } of refused) {
    if (requested === 0) continue;
    await changeNote(store, refusalNote(layout.refusal(operation)), (before) => {
      const others = before?.day === day ? before.languages : [];
      return { operation, day, run, reason, languages: [...new Set([...others, ...languages])] };
    });
  }
}

/** Plans with the noted refusals: none of an operation that was refused today, one set of one refused on an earlier day. */
export function planAround(
  known: readonly Refusal[],
  day: string,
  make: (refused: (request: ReadingRequest) => boolean) => Plan,
): Plan & { readonly refusals: readonly PlannedRefusal[] } {
  const [today, before] = [known.filter((one) => one.day >= day), known.filter((one) => one.day < day)];
  const withoutToday = make((request) => today.some((one) => concerns(one, request)));
  const probes = new Map(before.map((one) => [one, probeOf(one, withoutToday.due)]));
  const plan =
    before.length === 0
      ? withoutToday
      : make((request) =>
          known.some((one) => concerns(one, request) && probes.get(one)?.has(requestKey(request)) !== true),
        );
  const refusals = known.map((one) => ({
    operation: one.operation,
    reason: one.reason,
    languages: one.languages,
    requested: 0,
    notRequested: plan.refused.filter(({ request }) => concerns(one, request)).length,
    probe: probes.get(one)?.size ?? 0,
  }));
  return { ...plan, refusals: refusals.filter(({ notRequested, probe }) => notRequested + probe > 0) };
}

export function concerns(
  { operation, languages }: Refusal,
  request: Pick<ReadingRequest, "operation" | "language">,
): boolean {
  return request.operation === operation && languages.includes(request.language);
}

/** The first set of the operation in the plan's order. */
function probeOf(refusal: Refusal, due: readonly PlanLine[]): Set<RequestKey> {
  const first = due.find(({ request }) => concerns(refusal, request));
  if (first === undefined) return new Set();
  const set = due.filter(({ request }) => setKey(request) === setKey(first.request));
  return new Set(set.slice(0, mostInProbe).map(({ key }) => key));
}

// The note of an endpoint: what survives its owner. Only the owner writes it, when its circuit breaker opens, closes or probes; the
// next owner begins with it, and `status` shows it.
const operationName = z.enum(operationNames);
const languageName = z.enum(languageNames);
const outage = z.object({
  away: z
    .array(
      z.object({
        operation: operationName.optional(),
        language: languageName.optional(),
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
  language: languageName,
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
export type EndpointNote = z.infer<typeof endpointSchema>;

/** Requests without responses, and a language whose responses are unfit. */
export type OutageNote = z.infer<typeof outage>;
export type StoppedLanguage = z.infer<typeof stopped>;

/** A damaged note counts as absent: the next failures open the breaker again. */
export function endpointNote(endpoint: EndpointName): Note<EndpointNote> {
  return { key: layout.endpoint(endpoint), schema: endpointSchema, empty: { stopped: [] } };
}

export interface OpenBreaker extends OutageNote {
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
