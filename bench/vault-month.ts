// Requests to a vault in a bucket during a month of nights, by the plan's own batches: the check before each call, stored
// responses, leases of endpoints, reads of the previous period, and the reads of a render, which are counted on a vault that such
// nights have filled.
import { createBatches, mostTogether, prioritiesOf, unpackKeys } from "../readings/plan-order.ts";
import { configurationSchema } from "../readings/configuration.schema.ts";
import { type RequestKey, requestOf, selectEndpoint } from "../readings/request.ts";
import { type EndpointName, endpointNames, languageNames } from "../readings/tables.ts";
import { makePlan } from "../readings/plan.ts";
import type { Batch } from "../readings/run-messages.ts";
import { inputsOf } from "../publish/render/render-jobs.ts";
import { storedResponseOf } from "../test/support/stored-responses.ts";
import { composed } from "../test/support/composed.ts";
import { openMemory } from "../test/support/memory.ts";
import { editionPrefixes, loadEdition } from "../vault/editions.ts";
import { readWithheld } from "../vault/withheld.ts";
import { counted } from "./counted-store.ts";

export const nights = 30;
/** Each language is rendered by its night and by the publish of its day. */
const rendersADay = 2;
/** An owner renews its lease so often, and for a minute after the last call (store/lease.ts, service/endpoint.ts). */
const renewEverySeconds = 5;
const idleSeconds = 60;
const configuration = configurationSchema.parse({});

export interface VaultMonth {
  readonly requests: number;
  readonly batches: number;
  /** Other requests for batches; those of the render are separate. */
  readonly writes: number;
  readonly reads: number;
  readonly render: { readonly reads: number; readonly lists: number };
}

export async function vaultMonth(): Promise<VaultMonth> {
  const held = new Set<RequestKey>();
  const month = { requests: 0, batches: 0, reads: 0, leases: 0 };
  for (let day = 0; day <= nights; day += 1) {
    const calls = new Map<EndpointName, number>();
    for (const { keys } of batchesOn(day, held)) {
      const own = unpackKeys(keys);
      const [first] = own.map(requestOf);
      if (day > 0 && first !== undefined) {
        month.requests += own.length;
        month.batches += 1;
        // Each request is looked for before it is called, and a set is compared with the one before.
        month.reads += own.length + ("sign" in first ? own.length : 0);
        const endpoint = selectEndpoint(first);
        calls.set(endpoint, (calls.get(endpoint) ?? 0) + own.length);
      }
      for (const key of own) held.add(key);
    }
    for (const endpoint of endpointNames) {
      const many = calls.get(endpoint) ?? 0;
      if (many === 0) continue;
      const seconds = many / configuration.service.ratePerSecond[endpoint] + idleSeconds;
      month.leases += 2 + Math.floor(seconds / renewEverySeconds);
      month.reads += 1;
    }
  }
  const { requests, batches, reads, leases } = month;
  return { requests, batches, reads, writes: requests + leases, render: await rendersOf(held) };
}

function batchesOn(day: number, held: ReadonlySet<RequestKey>): Batch[] {
  const instant = new Date(Date.UTC(2026, 10, 21 + day, 3, 5));
  const has = (key: RequestKey): boolean => held.has(key);
  const nothing = { quarantined: () => undefined, callsToday: 0, only: {} };
  const { due } = makePlan({ configuration, instant, held: has, ...nothing });
  const settings = { size: mostTogether, isProbe: () => false, follows: () => true };
  return [...Map.groupBy(due, ({ request }) => request.language).values()].flatMap((lines) =>
    createBatches(lines, { ...settings, priorities: prioritiesOf(due) }),
  );
}

async function rendersOf(held: ReadonlySet<RequestKey>): Promise<VaultMonth["render"]> {
  const date = "2026-12-21"; // the last night's
  const { store, counts } = counted(openMemory());
  const { dependencies } = composed({ configuration, vault: store });
  const withheld = await readWithheld(dependencies.vault.own);
  const renders = { reads: 0, lists: 0 };
  for (const language of languageNames) {
    const prefixes = editionPrefixes(language, date, configuration);
    for (const key of held) {
      const request = prefixes.some((prefix) => key.startsWith(prefix)) ? requestOf(key) : undefined;
      if (request !== undefined) await dependencies.vault.storeResponse(storedResponseOf(request));
    }
    const before = { ...counts };
    await inputsOf(language, date, withheld, dependencies);
    await loadEdition(language, date, dependencies);
    renders.reads += nights * rendersADay * (counts.read - before.read);
    renders.lists += nights * rendersADay * (counts.list - before.list);
  }
  return renders;
}
