// Asks Temporal for each of a site's queues whether a worker there takes up a run that begins now: one of the current version,
// or one without a version where there is no current one.
import { serviceAddresses } from "../../readings/service-addresses.ts";
import type { Client } from "@temporalio/client";
import { taskQueue } from "../../workflows/names.ts";
import { type Check, right, warning } from "./check.ts";

/** A queue's workers are counted for workflows and for activities apart; calls to the service are activities alone. */
const queueTypes = { workflows: 1, activities: 2 } as const;

export async function checkWorkers(client: Client, site: string): Promise<Check> {
  const queues = await Promise.all(
    (["main", ...serviceAddresses] as const).map((each) =>
      look(client, taskQueue(site, each), each === "main" ? "workflows" : "activities"),
    ),
  );
  const idle = queues.filter(({ versions, current }) => !versions.includes(current));
  const [first] = idle;
  if (first === undefined) {
    const current = queues[0]?.current;
    const which = current === undefined ? "" : `; version ${current} is the current one`;
    return right("workers", `each queue has a worker${which}`);
  }
  const names = idle.map(({ name }) => name).join(", ");
  const other = first.versions.find((version) => version !== undefined);
  if (other !== undefined) {
    const gets = first.current === undefined ? "workers without a version" : `version ${first.current}`;
    const seen = `those on ${names} are of version ${other}, and what begins goes to ${gets}, of which none asks for work`;
    const remedy = `run \`temporal worker deployment set-current-version --deployment-name ${first.deployment} --build-id ${other}\``;
    return warning("workers", seen, remedy);
  }
  const version = first.current === undefined ? "" : `, and with TEMPORAL_WORKER_BUILD_ID=${first.current}`;
  const remedy = `start \`almanac worker\`, with this site.id in its configuration${version}`;
  return warning("workers", `none has asked for work lately on ${names}`, remedy);
}

async function look(client: Client, name: string, type: keyof typeof queueTypes) {
  const { pollers, versioningInfo } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: queueTypes[type],
  });
  const of = pollers.map(({ deploymentOptions }) => deploymentOptions);
  return {
    name,
    /** The version that gets a run that begins now; undefined for workers without a version. */
    current: versioningInfo?.currentDeploymentVersion?.buildId ?? undefined,
    /** The versions of the workers that asked for work lately. */
    versions: of.map((one) => one?.buildId || undefined),
    deployment: of.find((one) => one?.buildId)?.deploymentName ?? undefined,
  };
}
