// Operations that the service refused alike, whatever the request: a small file in the vault for each, so that the
// runs of one UTC day leave the operation out and the next day's run tries one set. A response to any of its requests removes it.
import { z } from "zod";
import { languageNames } from "../readings/languages.ts";
import { operationNames } from "../readings/operations.ts";
import type { Plan } from "../readings/plan.ts";
import type { PlanLine } from "../readings/plan-line.ts";
import { type ReadingRequest, type RequestKey, requestKey, setKey } from "../readings/request.ts";
import type { PlannedRefusal, RefusedOperation } from "../readings/run-messages.ts";
import { folders, layout } from "./layout.ts";
import { changeNote, readNote } from "./note.ts";
import type { Vault } from "./vault.ts";

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
