// Finds the requested run on Temporal or, if Temporal is down or has no record of it, in the vault's reports.
import { type Client, type WorkflowExecutionDescription, WorkflowFailedError } from "@temporalio/client";
import type { RunProgress } from "../../readings/run-messages.ts";
import { type Report, newestReport, reportsOf } from "../../vault/runs.ts";
import { UnreadableFile } from "../../vault/files.ts";
import { readNote } from "../../vault/note.ts";
import { vaultNote } from "../../vault/installation.ts";
import type { Vault } from "../../vault/vault.ts";
import { findRun, followRun, type KnownRun, type StartedRun } from "../../worker/temporal/runs.ts";
import { versionsServed, workerSeenAt } from "../../worker/temporal/pollers.ts";
import { NoTemporal, TemporalAway } from "../../worker/temporal/temporal-client.ts";
import { openLeases, type Opening, withClient } from "../../worker/opened-site.ts";
import {
  type EndpointOwner,
  endpointOwners,
  type UnownedBatches,
  unownedBatches,
} from "../../worker/call-owners.ts";
import { now } from "../../worker/settings/environment.ts";
import { failureReason } from "../../workflows/failure-reason.ts";
import { totalsOf, type RunPace, paceOf } from "../terminal/progress.ts";

export interface PendingActivity {
  readonly workflow: string;
  readonly activity: string;
  readonly attempt: number;
  readonly failure: string;
}

export interface Status {
  readonly run: string;
  /** The run's own state, or Temporal's where the run could not report one: `failed`, `terminated`. */
  readonly state: string;
  readonly running: boolean;
  readonly source: "temporal" | "vault";
  /** Note on the source of this status. */
  readonly note?: string;
  /** The average pace of a running run since it began. */
  readonly pace?: RunPace;
  /** The activities that failed and are tried again, while the run is under way. */
  readonly pending?: readonly PendingActivity[];
  /** The processes that make the calls, while the run is under way. */
  readonly owners?: readonly EndpointOwner[];
  /** The batches that wait although no process makes the calls. */
  readonly unowned?: readonly UnownedBatches[];
  readonly progress: RunProgress | undefined;
  /** The reports of earlier starts of the same run. */
  readonly earlier: readonly Report[];
}

/** Query timeout; a live worker answers well within it. */
const answerMs = 5_000;

export async function look(opening: Opening, run: string | undefined): Promise<Status | undefined> {
  const { id: site } = opening.configuration.site;
  try {
    const found = await withClient(opening, async (client) => {
      const known = await findRun(client, site, now(), run);
      return known === undefined ? undefined : onTemporal(client, known, opening);
    });
    return found ?? (await inVault(opening, run));
  } catch (error) {
    if (!(error instanceof NoTemporal)) throw error;
    const why = error instanceof TemporalAway ? ` ${error.message}` : "";
    const note = `Temporal is not running; showing the last saved report.${why}`;
    const found = await inVault(opening, run, note);
    if (found === undefined && error instanceof TemporalAway) throw error; // it may well know of runs
    return found;
  }
}

async function onTemporal(client: Client, known: KnownRun, opening: Opening): Promise<Status> {
  const { vault, configuration } = opening;
  const { id: site } = configuration.site;
  const { id, status, startedAt } = known;
  const run = followRun(client, id);
  const { reports, note: damage } = await readable(vault, id);
  const isEarlier = (one: Report) => new Date(one.startedAt) < startedAt;
  const earlier = reports.filter(isEarlier);
  const base = { run: id, running: status === "RUNNING", source: "temporal", note: damage, earlier } as const;
  if (status === "COMPLETED") {
    const progress = await run.result();
    return { ...base, state: progress.state, progress };
  }
  if (status === "RUNNING") {
    const pending = await pendingActivities(client, id);
    const calls = await endpointsOf(client, opening);
    const progress = await client
      .withDeadline(Date.now() + answerMs, () => run.progress())
      .catch(() => undefined);
    if (progress !== undefined) {
      const { state } = progress;
      const pace = state === "gathering" ? averageOf(progress, startedAt) : undefined;
      return { ...base, ...calls, state, pace, pending, progress };
    }
    return { ...base, ...calls, ...(await silence(client, site, id)), pending, progress };
  }
  // An aborted run has no result, but its report may be in the vault.
  const own = reports.findLast((one) => !isEarlier(one));
  const note = own === undefined && status === "FAILED" ? await reasonOfFailure(run) : damage;
  return { ...base, note, state: status.toLowerCase().replaceAll("_", " "), progress: own };
}

/** Owners of the endpoints, and batches without an owner. */
async function endpointsOf(client: Client, opening: Opening): Promise<Pick<Status, "owners" | "unowned">> {
  const marker = await readNote(opening.vault.store, vaultNote);
  if (marker === undefined) return {};
  const leases = openLeases(opening, { warn: () => undefined });
  // If Temporal is slow, `silence` reports it.
  const unowned = await client
    .withDeadline(Date.now() + answerMs, () => unownedBatches(client, marker.vault, leases))
    .catch(() => []);
  const owners = await endpointOwners(leases);
  return {
    owners: owners.filter(({ endpoint }) => !unowned.some((one) => one.endpoint === endpoint)),
    unowned,
  };
}

async function reasonOfFailure(run: StartedRun): Promise<string | undefined> {
  try {
    await run.result();
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const why = failureReason(error.cause ?? error);
    return `${why}. Stored readings are safe. Start the run again to continue`;
  }
}

/** Reason for missing progress: no worker for the run, or, if there is one, perhaps only a slow Temporal. */
async function silence(client: Client, site: string, run: string): Promise<Pick<Status, "state" | "note">> {
  const seconds = answerMs / 1000;
  try {
    const version = await client.withDeadline(Date.now() + answerMs, () =>
      unservedVersion(client, site, run),
    );
    if (version !== undefined) {
      const note = `pinned to version ${version}, which no worker serves. Start \`almanac worker\` of that version (TEMPORAL_WORKER_BUILD_ID=${version})`;
      return { state: "waiting", note };
    }
    const seen = await client.withDeadline(Date.now() + answerMs, () => workerSeenAt(client, site));
    if (seen === undefined) {
      const note =
        "no worker is running. The run continues when you start `almanac worker` or `almanac local`";
      return { state: "waiting", note };
    }
    const ago = Math.max(0, Math.round((Date.now() - seen.getTime()) / 1000));
    const note = `the run did not report its progress within ${seconds} s, although a worker was active ${ago} s ago. Try again in a moment. If it persists, check the worker and the load of Temporal`;
    return { state: "running", note };
  } catch {
    const note = `Temporal is slow: it reported neither the run's progress nor its workers within ${seconds} s. Try again in a moment`;
    return { state: "running", note };
  }
}

/** Reads the reports. A damaged one is reported, but does not hide a run in progress. */
async function readable(vault: Vault, run: string) {
  try {
    return { reports: await reportsOf(vault, run) };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { reports: [], note: error.message };
  }
}

function averageOf({ languages }: RunProgress, startedAt: Date) {
  const { done, planned } = totalsOf(Object.values(languages));
  if (done === planned) return undefined;
  return paceOf(done, planned - done, (Date.now() - startedAt.getTime()) / 1000);
}

async function inVault(
  { vault }: Opening,
  run: string | undefined,
  note?: string,
): Promise<Status | undefined> {
  const report = await newestReport(vault, run);
  if (report === undefined) return undefined;
  const earlier = (await reportsOf(vault, report.run)).filter(({ endedAt }) => endedAt < report.endedAt);
  // The report is written at the end of a run, whatever the outcome.
  const state = report.state === "done" || report.state === "cancelled" ? report.state : "failed";
  return { run: report.run, state, running: false, source: "vault", note, progress: report, earlier };
}

type Raw = WorkflowExecutionDescription["raw"];

/** The failed activities of a run, its editions and its publishing, which Temporal tries again. */
async function pendingActivities(client: Client, run: string): Promise<PendingActivity[]> {
  const { raw } = await client.workflow.getHandle(run).describe();
  const children = (raw.pendingChildren ?? []).flatMap(({ workflowId }) => workflowId ?? []);
  const ofChildren = children.map(async (id) => {
    const described = await client.workflow.getHandle(id).describe();
    return failedIn(id, described.raw);
  });
  return [...failedIn(run, raw), ...(await Promise.all(ofChildren)).flat()];
}

function failedIn(workflow: string, { pendingActivities: pending }: Raw): PendingActivity[] {
  return (pending ?? []).flatMap(({ activityType, attempt, lastFailure }) => {
    const failure = lastFailure?.message;
    if (failure === undefined || failure === null) return [];
    return [{ workflow, activity: activityType?.name ?? "activity", attempt: attempt ?? 1, failure }];
  });
}

/** The version of the worker that a run has to end on, if no worker of that version polls for work. */
async function unservedVersion(client: Client, site: string, run: string): Promise<string | undefined> {
  const { raw } = await client.workflow.getHandle(run).describe();
  const version = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  if (version === undefined || version === null || version === "") return undefined;
  return (await versionsServed(client, site)).includes(version) ? undefined : version;
}
