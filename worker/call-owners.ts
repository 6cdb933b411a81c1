// The processes that make the calls of endpoints, and the batches that wait on Temporal because no process does: no worker takes
// them, or the owner is dead and nobody takes its lease over.
import { Client } from "@temporalio/client";
import type { Dependencies } from "../activities/dependencies.ts";
import { utcMinute } from "../readings/calendar.ts";
import { type EndpointName, endpointNames } from "../readings/tables.ts";
import { clockDelay, realMs } from "../store/clock.ts";
import type { LeaseHolder } from "../store/held-lease.ts";
import { holderWords, type Leases } from "../store/lease.ts";
import { layout } from "../vault/files.ts";
import { vaultOf } from "../vault/installation.ts";
import { callQueue } from "../workflows/names.ts";
import type { WorkerConnection } from "./temporal/temporal-client.ts";

const everyMs = 30_000;
const longMs = 60_000;
/** An owner renews its lease within this time. */
const renewedWithinMs = 7_000;
const activities = 2;

export interface EndpointOwner extends LeaseHolder {
  readonly endpoint: EndpointName;
}

/** The processes that have the lease of an endpoint. */
export async function endpointOwners(leases: Pick<Leases, "look">): Promise<EndpointOwner[]> {
  const seen = await Promise.all(
    endpointNames.map(async (endpoint) => {
      const { entry, isTakeable } = await leases.look(layout.lease(endpoint));
      return entry?.state === "held" && !isTakeable ? [{ endpoint, ...entry.holder }] : [];
    }),
  );
  return seen.flat();
}

export function ownerWords({ endpoint, ...holder }: EndpointOwner): string {
  return `${endpoint}: calls made by ${holderWords({ ...holder, since: utcMinute(holder.since) })}`;
}

export interface UnownedBatches {
  readonly endpoint: EndpointName;
  readonly batches: number;
  readonly waitedSeconds: number;
}

export async function unownedBatches(
  client: Client,
  vault: string,
  leases: Pick<Leases, "look" | "clock">,
): Promise<UnownedBatches[]> {
  const found = await Promise.all(
    endpointNames.map(async (endpoint) => {
      const { stats } = await client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: callQueue(vault, endpoint) },
        taskQueueType: activities,
        reportStats: true,
      });
      const waitedSeconds = Number(stats?.approximateBacklogAge?.seconds ?? 0);
      if (waitedSeconds * 1000 < realMs(leases.clock, longMs) || (await isOwned(endpoint, leases))) return [];
      return [{ endpoint, batches: Number(stats?.approximateBacklogCount ?? 0), waitedSeconds }];
    }),
  );
  return found.flat();
}

async function isOwned(endpoint: EndpointName, leases: Pick<Leases, "look" | "clock">): Promise<boolean> {
  const before = await leases.look(layout.lease(endpoint));
  if (before.isTakeable) return false;
  await clockDelay(leases.clock, renewedWithinMs);
  const { entry } = await leases.look(layout.lease(endpoint));
  return entry?.renewal !== before.entry?.renewal || entry?.owner !== before.entry?.owner;
}

export function unownedWords({ endpoint, batches, waitedSeconds }: UnownedBatches): string {
  return (
    `${batches} batches have waited for up to ${waitedSeconds} s, and no process makes the calls of the ${endpoint} endpoint. ` +
    "Next: start `almanac worker`, or one with `--queues` that names this endpoint"
  );
}

/** Raises an alert once a day for each endpoint. Returns a function that ends the watch. */
export function watchUnownedBatches(
  connection: Pick<WorkerConnection, "current">,
  namespace: string,
  { installation, leases, alert, log, now }: Dependencies,
): () => void {
  if (leases === undefined) return () => undefined;
  const look = async (): Promise<void> => {
    const client = new Client({ connection: connection.current(), namespace });
    for (const one of await unownedBatches(client, vaultOf(installation), leases)) {
      const once = `${now().toISOString().slice(0, 10)} ${one.endpoint}`;
      await alert({ kind: "calls-without-owner", text: unownedWords(one), once });
    }
  };
  const timer = setInterval(
    () =>
      void look().catch((error: unknown) =>
        log.warn({}, `cannot read the waiting batches: ${String(error)}`),
      ),
    realMs(leases.clock, everyMs),
  );
  return () => clearInterval(timer);
}
