// Starting and following runs from outside: nightly and backfill. A night has one id, so a second start attaches. A command that
// follows a night for hours must survive short outages of Temporal.
import { setTimeout as delay } from "node:timers/promises";
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionInfo,
  type WorkflowHandle,
  WorkflowNotFoundError,
  ServiceError,
} from "@temporalio/client";
import type { RunProgress, RunRequest } from "../../readings/run-messages.ts";
import {
  backfillId,
  nightlyId,
  installationField,
  progressQuery,
  mainQueue,
  workflowTypes,
} from "../../workflows/names.ts";
import type { nightly } from "../../workflows/nightly.ts";
import { patienceMs } from "./patience.ts";
import { TemporalAway } from "./temporal-client.ts";

/** Thrown if a night of that date is already running with another request. */
export class RunUnderWay extends Error {
  override readonly name = "RunUnderWay";
  /** The active run, if it is for the same vault and site. */
  readonly other: OtherRun | undefined;

  constructor(message: string, other?: OtherRun) {
    super(message);
    this.other = other;
  }
}

interface OtherRun {
  readonly run: StartedRun;
  /** Description of its request, from `describeRequest`. */
  readonly requested: string;
}

export type StartedRun = ReturnType<typeof startedRun>;

/** The id contains the UTC date of `asOf`. A finished night can be started again: stored responses are not requested again. */
export async function startNightly(
  client: Client,
  site: string,
  request: RunRequest,
  now: Date,
  installation?: string,
) {
  const date = (request.asOf ?? now.toISOString()).slice(0, 10);
  return startRun(client, site, workflowTypes.nightly, nightlyId(site, date), request, installation);
}

export async function startBackfill(
  client: Client,
  site: string,
  request: RunRequest,
  now: Date,
  installation?: string,
) {
  const id = backfillId(site, now.toISOString().slice(0, 10), request.languages);
  return startRun(client, site, workflowTypes.backfill, id, request, installation);
}

export function followRun(client: Client, id: string) {
  return startedRun(client.workflow.getHandle<typeof nightly>(id), true);
}

export type KnownRun = NonNullable<Awaited<ReturnType<typeof findRun>>>;

/**
 * Finds the run with this id; without an id, the active run, or else the latest. Temporal's list lags behind, so tonight's run is
 * also looked up by its id: a night that began a moment ago is found, and one that has ended counts as active no longer.
 */
export async function findRun(client: Client, site: string, now: Date, id?: string) {
  const tonight = nightlyId(site, now.toISOString().slice(0, 10));
  const ids = id === undefined ? new Set([(await newestListed(client, site)) ?? tonight, tonight]) : [id];
  const described = await Promise.all(Array.from(ids, (one) => describedRun(client, one)));
  const [run] = described
    .filter((one) => one !== undefined)
    .filter(({ type }) => runTypes.some((known) => known === type))
    .toSorted((one, other) => rank(other) - rank(one));
  if (run === undefined) return undefined;
  return { id: run.workflowId, status: run.status.name, startedAt: run.startTime };
}

async function describedRun(client: Client, id: string) {
  try {
    return await client.workflow.getHandle(id).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

const runTypes = [workflowTypes.nightly, workflowTypes.backfill] as const;

/** Finds runs by their queue, because another site's ids could have the same prefix. */
async function newestListed(client: Client, site: string): Promise<string | undefined> {
  const types = runTypes.map((type) => `"${type}"`).join(", ");
  const query = `TaskQueue = "${mainQueue(site)}" AND WorkflowType IN (${types})`;
  let newest: WorkflowExecutionInfo | undefined;
  let looked = 0;
  // The newest come first, so that a page is enough, however many nights there have been.
  for await (const run of client.workflow.list({ query, pageSize: mostRunsListed })) {
    if (newest === undefined || rank(run) > rank(newest)) newest = run;
    if (++looked === mostRunsListed) break;
  }
  return newest?.workflowId;
}

const mostRunsListed = 50;

/** Runs under way before those that have ended, then by their start. */
function rank({ status, startTime }: Pick<WorkflowExecutionInfo, "status" | "startTime">) {
  return startTime.getTime() + (status.name === "RUNNING" ? 1e15 : 0);
}

/** A run carries its installation, so that only workers of the same vault and site do its work. */
export function memoOf(installation: string | undefined): Record<string, string> {
  return installation === undefined ? {} : { [installationField]: installation };
}

async function startRun(
  client: Client,
  site: string,
  type: string,
  workflowId: string,
  request: RunRequest,
  installation: string | undefined,
) {
  const requested = describeRequest(request);
  try {
    const handle = await client.workflow.start<typeof nightly>(type, {
      workflowId,
      taskQueue: mainQueue(site),
      args: [{ site, ...request }],
      workflowIdReusePolicy: "ALLOW_DUPLICATE",
      workflowIdConflictPolicy: "FAIL",
      memo: { requested, ...memoOf(installation) },
      staticSummary: requested.slice(0, 200),
    });
    return startedRun(handle, false);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const running = client.workflow.getHandle<typeof nightly>(workflowId);
    const { memo } = await running.describe();
    const before = memo?.["requested"];
    const itsInstallation = memo?.[installationField];
    if (
      installation !== undefined &&
      typeof itsInstallation === "string" &&
      itsInstallation !== installation
    ) {
      throw new RunUnderWay(
        `${workflowId} is running for another vault or site (${itsInstallation}) than this command's (${installation}). Set ALMANAC_VAULT and ALMANAC_SITE as for its worker, or wait for its end`,
      );
    }
    if (before === requested) return startedRun(running, true);
    const other = { run: startedRun(running, true), requested: String(before) };
    throw new RunUnderWay(
      `${workflowId} is already running with ${other.requested}, not with ${requested}. Wait for its end (\`almanac status ${workflowId} --watch\`), or request the same`,
      other,
    );
  }
}

function startedRun(handle: WorkflowHandle<typeof nightly>, attached: boolean) {
  return {
    id: handle.workflowId,
    attached,
    progress: () => handle.query<RunProgress>(progressQuery),
    result: () => awaitedEnd(handle),
    cancel: () => handle.cancel(),
  };
}

/** Canonical description of a run request: equal requests give equal strings. */
function describeRequest({ languages, operations, from, to, asOf }: RunRequest) {
  const words = [
    languages === undefined ? "all languages" : languages.toSorted().join(" "),
    ...(operations === undefined ? [] : [operations.toSorted().join(" ")]),
    ...(from === undefined && to === undefined ? [] : [`${from ?? ""}..${to ?? ""}`]),
    ...(asOf === undefined ? [] : [`as of ${asOf}`]),
  ];
  return words.join(", ");
}

const againAfterMs = 1_000;

export async function awaitedEnd(handle: WorkflowHandle<typeof nightly>): Promise<RunProgress> {
  let failingSinceMs: number | undefined;
  for (;;) {
    const askedMs = performance.now();
    try {
      return await handle.result();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.cause instanceof TemporalAway) throw error;
      const nowMs = performance.now();
      if (nowMs - askedMs > patienceMs) failingSinceMs = undefined; // it was answered meanwhile
      failingSinceMs ??= nowMs;
      if (nowMs - failingSinceMs > patienceMs) throw error;
      await delay(againAfterMs);
    }
  }
}
