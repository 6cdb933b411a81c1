// Finds the workers that poll Temporal for a site, and the vault and site that they work for.
import type { Client } from "@temporalio/client";
import { WrongInstallation } from "../../vault/installation.ts";
import { mainQueue, partsOfIdentity, type WorkerIdentity } from "../../workflows/names.ts";

/** A worker as Temporal knows it. */
interface SeenWorker extends WorkerIdentity {
  /** Undefined for a worker without a version. */
  readonly version: string | undefined;
  readonly seenAt: Date;
}

/** Workers that polled in the last few minutes. An idle worker polls about once a minute. */
export async function workersSeen(client: Client, site: string): Promise<SeenWorker[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: mainQueue(site) },
  });
  return pollers.map(({ identity, lastAccessTime, deploymentOptions }) => {
    const { where, theme, installation } = partsOfIdentity(identity ?? "");
    const version = deploymentOptions?.buildId || undefined;
    return {
      where,
      theme,
      installation,
      version,
      seenAt: new Date(Number(lastAccessTime?.seconds ?? 0) * 1000),
    };
  });
}

/** Time of the last poll of any worker; undefined if there was none in the last few minutes. */
export async function workerSeenAt(client: Client, site: string): Promise<Date | undefined> {
  const times = (await workersSeen(client, site)).map(({ seenAt }) => seenAt.getTime());
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

/** The versions of the workers that take up workflows. */
export async function versionsServed(client: Client, site: string): Promise<string[]> {
  const there = await workersThere(client, site);
  return there.flatMap(({ version }) => version ?? []);
}

/** A worker that polled longer ago may be gone. */
const surelyThereMs = 90_000;

async function workersThere(client: Client, site: string): Promise<SeenWorker[]> {
  const all = await workersSeen(client, site);
  return all.filter(({ seenAt }) => Date.now() - seenAt.getTime() < surelyThereMs);
}

/** The processes that render with another theme than that of the word. */
export async function withAnotherTheme(client: Client, site: string, word: string): Promise<string[]> {
  const there = await workersThere(client, site);
  const others = there.filter(({ theme }) => theme !== undefined && theme !== word);
  return [...new Set(others.map(({ where }) => where))];
}

/** The workers of another vault or site. */
export async function strangersAmong(
  client: Client,
  site: string,
  installation: string,
): Promise<SeenWorker[]> {
  const there = await workersThere(client, site);
  return there.filter((worker) => isStranger(worker, installation));
}

function isStranger({ installation }: SeenWorker, own: string): boolean {
  return installation !== undefined && installation !== own;
}

/** Throws if all workers are for another vault or site: they would run it for the wrong site, or nobody would run it. */
export async function requireOwnWorker(client: Client, site: string, installation: string): Promise<void> {
  const there = await workersThere(client, site);
  const [stranger] = there;
  if (stranger !== undefined && there.every((worker) => isStranger(worker, installation)))
    throw new WrongInstallation(strangerWords(site, stranger, installation));
}

export function strangerWords(site: string, stranger: SeenWorker, own: string): string {
  return (
    `the worker of ${site} on this Temporal (${stranger.where}) uses another vault or site (${stranger.installation}) than this command (${own}). ` +
    "Set the same ALMANAC_VAULT and ALMANAC_SITE for both. `almanac check` shows them"
  );
}
