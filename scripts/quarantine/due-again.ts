// Whether the next night would ask for a request again: its own plan says so.
import { planFor } from "../../insight/plan.ts";
import { type RequestKey, requestOf } from "../../readings/request.ts";
import { nightlyId } from "../../workflows/names.ts";
import type { Opening } from "../../worker/opened-site.ts";

export async function isDueAgain(
  opening: Pick<Opening, "configuration" | "vault" | "site">,
  key: RequestKey,
  now: Date,
): Promise<boolean> {
  const request = requestOf(key);
  if (request === undefined) return false;
  const asOf = now.toISOString();
  const only = { languages: [request.language], operations: [request.operation] };
  const run = nightlyId(opening.configuration.site.id, asOf.slice(0, 10));
  const { due, leftOut } = await planFor(
    { run, kind: "nightly", request: { asOf, ...only } },
    { ...opening, now: () => now },
  );
  return [...due, ...leftOut].some((line) => line.key === key);
}
