// Checks for each of a site's queues whether a worker there takes a run that begins now: one of the current version,
// or one without a version where there is no current one.
import { endpointNames } from "../../readings/endpoint-names.ts";
import type { Client } from "@temporalio/client";
import { vaultOf } from "../../vault/installation.ts";
import { callQueue, mainQueue, type Queue } from "../../workflows/names.ts";
import { strangersAmong, strangerWords, withAnotherTheme } from "../temporal/pollers.ts";
import { broken, type Check, right, warning } from "./check.ts";

const strangerRemedy =
  "restart the worker with the same settings, or give this site its own site.id. A stopped worker disappears after 90 s";

/** A queue's workers are counted for workflows and for activities apart; calls to the service are activities alone. */
const queueTypes = { workflows: 1, activities: 2 } as const;

export async function checkWorkers(
  client: Client,
  site: string,
  installation: string | undefined,
): Promise<Check> {
  const [stranger] = installation === undefined ? [] : await strangersAmong(client, site, installation);
  if (stranger !== undefined && installation !== undefined)
    return broken("workers", strangerWords(site, stranger, installation), strangerRemedy);
  const vault = vaultOf(installation);
  const queues = await Promise.all([
    look(client, "main", mainQueue(site)),
    ...endpointNames.map((each) => look(client, each, callQueue(vault, each))),
  ]);
  const idle = queues.filter(({ versions, current }) => !versions.includes(current));
  const [first] = idle;
  if (first === undefined) {
    const current = queues[0]?.current;
    const which = current === undefined ? "" : `; version ${current} is current`;
    return right("workers", `each queue has a worker${which}`);
  }
  const names = `${idle.length === 1 ? "the queue" : "the queues"} ${idle.map(({ queue }) => queue).join(", ")}`;
  const other = first.versions.find((version) => version !== undefined);
  if (other !== undefined) {
    const gets = first.current === undefined ? "workers without a version" : `version ${first.current}`;
    const seen = `workers on ${names} have version ${other}, but new runs go to ${gets}, which no worker serves`;
    const remedy = `run \`temporal worker deployment set-current-version --deployment-name ${first.deployment} --build-id ${other}\``;
    return warning("workers", seen, remedy);
  }
  const version = first.current === undefined ? "" : ` and TEMPORAL_WORKER_BUILD_ID=${first.current}`;
  const remedy = `start \`almanac worker\` with this site.id${version}`;
  return warning("workers", `no worker is running on ${names}`, remedy);
}

/** A worker reads the theme when it starts. `word` is of the theme that lies here. */
export async function checkWorkersTheme(client: Client, site: string, word: string): Promise<Check[]> {
  const others = await withAnotherTheme(client, site, word);
  if (others.length === 0) return [];
  const seen = `${others.join(", ")} started with another theme than the one in this folder, and renders with it`;
  const remedy = "restart it to load the theme. A stopped worker disappears after 90 s";
  return [warning("workers: theme", seen, remedy)];
}

async function look(client: Client, queue: Queue, name: string) {
  const { pollers, versioningInfo } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: queue === "main" ? queueTypes.workflows : queueTypes.activities,
  });
  const of = pollers.map(({ deploymentOptions }) => deploymentOptions);
  return {
    queue,
    /** The version that gets a run that begins now; undefined for workers without a version. */
    current: versioningInfo?.currentDeploymentVersion?.buildId ?? undefined,
    /** The versions of the workers that polled for work recently. */
    versions: of.map((one) => one?.buildId || undefined),
    deployment: of.find((one) => one?.buildId)?.deploymentName ?? undefined,
  };
}
