// Checks Temporal's namespace, the site's schedules, and whether each of its queues has a worker that takes a run that begins now.
// Such a worker is of the current version, or has no version if there is no current one.
import { type Client, isGrpcServiceError } from "@temporalio/client";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { reasonOf } from "../../store/probe.ts";
import type { Environment } from "../settings/environment.ts";
import { scheduleIds, callQueue, mainQueue, type Queue } from "../../workflows/names.ts";
import {
  describeSchedules,
  otherOwnerRemedy,
  otherOwnerWords,
  otherInstallation,
  type ScheduleName,
  scheduleNames,
} from "../temporal/schedules.ts";
import { NoTemporal, temporalFor, type TemporalAddress, withTemporal } from "../temporal/temporal-client.ts";
import { readLocal } from "../temporal/temporal-server.ts";
import { broken, type Check, right, warning, wrongSetting } from "./check.ts";
import { endpointNames } from "../../readings/tables.ts";
import { vaultOf } from "../../vault/installation.ts";
import { strangersAmong, strangerWords, withAnotherTheme } from "../temporal/pollers.ts";

const title = "Temporal";

/** Fingerprints that all workers of a site must share: of vault and site, and of the theme; undefined if not known. */
export interface Here {
  readonly installation: string | undefined;
  readonly theme: string | undefined;
}

export async function checkTemporal(
  environment: Environment,
  stateFolder: string,
  configuration: Configuration | undefined,
  { installation, theme }: Here,
): Promise<Check[]> {
  if (environment.temporalVariables.length === 0 && (await readLocal(stateFolder)) === undefined) {
    return [right(title, "not configured and not running here; `almanac local` starts one")];
  }
  let temporal: TemporalAddress;
  try {
    temporal = await temporalFor(environment, stateFolder);
  } catch (error) {
    const named = environment.temporalVariables.join(", ");
    const remedy = `fix the profile or file that these variables name (${named})`;
    return [wrongSetting(title, `invalid settings: ${reasonOf(error)}`, remedy)];
  }
  try {
    return await withTemporal(temporal, async (client) => {
      await client.workflowService.describeNamespace({ namespace: temporal.namespace });
      const seen = `${temporal.address} answers; namespace ${temporal.namespace} found`;
      return [right(title, seen), ...(await checkSite(client, configuration, { installation, theme }))];
    });
  } catch (error) {
    return [broken(title, seenOf(error, temporal), remedyFor(error, temporal))];
  }
}

async function checkSite(
  client: Client,
  configuration: Configuration | undefined,
  { installation, theme }: Here,
): Promise<Check[]> {
  if (configuration === undefined) return [];
  const { id } = configuration.site;
  const schedules = await describeSchedules(client, id);
  const there = new Set(schedules.map(({ scheduleId }) => scheduleId));
  const missing = scheduleNames.filter((name) => !there.has(scheduleIds[name](id)));
  const paused = schedules.filter(({ state }) => state.paused).map(({ scheduleId }) => scheduleId);
  const other = otherInstallation(schedules, installation);
  return [
    other === undefined
      ? checkSchedules(missing, paused)
      : broken("schedules", otherOwnerWords(id, other), otherOwnerRemedy),
    await checkWorkers(client, id, installation),
    ...(theme === undefined ? [] : await checkWorkersTheme(client, id, theme)),
  ];
}

/** Consequences of a missing schedule. */
const withoutSchedule: Record<ScheduleName, string> = {
  nightly: "no nightly run starts automatically",
  publish: "no language is published automatically at midnight",
  scrub: "vault and site are not checked for damage",
};

function checkSchedules(missing: readonly ScheduleName[], paused: readonly string[]): Check {
  const [first] = missing;
  if (first !== undefined) {
    const of = scheduleNames.length;
    return broken(
      "schedules",
      `${of - missing.length} of ${of} found: ${withoutSchedule[first]}`,
      "run `almanac schedule apply`",
    );
  }
  if (paused.length > 0) {
    return warning("schedules", `paused: ${paused.join(", ")}`, "run `almanac schedule resume`");
  }
  return right("schedules", `all ${scheduleNames.length} found, none paused`);
}

const refusals = { notFound: 5, permissionDenied: 7, unauthenticated: 16 } as const;

/** The server's refusal, which may be wrapped in an error that reports it as unreachable. */
function refusalIn(error: unknown) {
  const causes = error instanceof Error ? [error, error.cause] : [];
  const refusal = causes.find(isGrpcServiceError);
  return Object.values(refusals).some((code) => code === Number(refusal?.code)) ? refusal : undefined;
}

function seenOf(error: unknown, { address, namespace }: TemporalAddress) {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return `${address} refuses the namespace ${namespace}: ${refusal.details}`;
  // The message ends with the remedy.
  return error instanceof NoTemporal ? error.message.replace(/\. Check .*$/, "") : reasonOf(error);
}

function remedyFor(error: unknown, { namespace }: TemporalAddress) {
  switch (Number(refusalIn(error)?.code)) {
    case refusals.notFound:
      return `set TEMPORAL_NAMESPACE to an existing namespace, or create it: \`temporal operator namespace create -n ${namespace}\``;
    case refusals.permissionDenied:
    case refusals.unauthenticated:
      return "check that TEMPORAL_API_KEY, or the certificate in TEMPORAL_TLS_CLIENT_CERT_PATH, has access to TEMPORAL_NAMESPACE";
    default:
      return "check that it is running, that TEMPORAL_ADDRESS contains host and port, and whether it needs TLS (TEMPORAL_TLS)";
  }
}

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
