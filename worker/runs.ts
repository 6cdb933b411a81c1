// Starting and following runs from outside: nightly, backfill, turn. A night has one id, so a second start attaches.
import { type Client, WorkflowExecutionAlreadyStartedError, type WorkflowHandle } from "@temporalio/client";
import { type RunProgress, type RunRequest } from "../activities/contracts.ts";
import {
  backfillId,
  nightlyId,
  progressQuery,
  taskQueue,
  turnId,
  workflowTypes,
} from "../workflows/names.ts";
import { type nightly } from "../workflows/nightly.ts";
import { type turn } from "../workflows/turn.ts";

/** A night of that date is under way and was asked for something else. */
export class RunUnderWay extends Error {
  override readonly name = "RunUnderWay";
}

export interface StartedRun {
  readonly id: string;
  readonly attached: boolean;
  progress(): Promise<RunProgress>;
  result(): Promise<RunProgress>;
  cancel(): Promise<void>;
}

/** Named by the UTC date of `asOf`; one that has ended may be started again: what is held is not asked again. */
export async function startNightly(
  client: Client,
  site: string,
  request: RunRequest,
  now: Date,
): Promise<StartedRun> {
  return startRun(client, site, workflowTypes.nightly, nightlyRun(site, request, now), request);
}

/** The id under which a night would run: its plan is made for it, because what it set aside itself waits. */
export function nightlyRun(site: string, request: RunRequest, now: Date): string {
  return nightlyId(site, (request.asOf ?? now.toISOString()).slice(0, 10));
}

export async function startBackfill(
  client: Client,
  site: string,
  request: RunRequest,
  now: Date,
): Promise<StartedRun> {
  return startRun(client, site, workflowTypes.backfill, backfillRun(site, request, now), request);
}

export function backfillRun(site: string, request: RunRequest, now: Date): string {
  const name = [...(request.languages ?? ["all"])].toSorted().join("-").slice(0, 80);
  return backfillId(site, now.toISOString().slice(0, 10), name);
}

export async function runTurn(client: Client, site: string): Promise<Awaited<ReturnType<typeof turn>>> {
  return client.workflow.execute<typeof turn>(workflowTypes.turn, {
    workflowId: turnId(site),
    taskQueue: taskQueue(site, "main"),
    args: [],
    workflowIdConflictPolicy: "USE_EXISTING",
  });
}

export function followRun(client: Client, id: string): StartedRun {
  return startedRun(client.workflow.getHandle<typeof nightly>(id), true);
}

async function startRun(
  client: Client,
  site: string,
  type: string,
  workflowId: string,
  request: RunRequest,
): Promise<StartedRun> {
  const asked = askedFor(request);
  try {
    const handle = await client.workflow.start<typeof nightly>(type, {
      workflowId,
      taskQueue: taskQueue(site, "main"),
      args: [{ site, ...request }],
      workflowIdReusePolicy: "ALLOW_DUPLICATE",
      workflowIdConflictPolicy: "FAIL",
      memo: { asked },
      staticSummary: asked,
    });
    return startedRun(handle, false);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const running = client.workflow.getHandle<typeof nightly>(workflowId);
    const { memo } = await running.describe();
    const before = String(memo?.["asked"] ?? "");
    if (before === asked) return startedRun(running, true);
    throw new RunUnderWay(
      `${workflowId} is running for ${before}, and this asks for ${asked}: wait for it (almanac status ${workflowId}), or ask for the same`,
      { cause: error },
    );
  }
}

function startedRun(handle: WorkflowHandle<typeof nightly>, attached: boolean): StartedRun {
  return {
    id: handle.workflowId,
    attached,
    progress: () => handle.query<RunProgress>(progressQuery),
    result: () => handle.result(),
    cancel: async () => {
      await handle.cancel();
    },
  };
}

/** What a run is asked for, in words that are equal for equal wishes. */
function askedFor({ languages, operations, from, to, asOf }: RunRequest): string {
  const words = [
    languages === undefined ? "all languages" : languages.toSorted().join(" "),
    ...(operations === undefined ? [] : [operations.toSorted().join(" ")]),
    ...(from === undefined && to === undefined ? [] : [`${from ?? ""}..${to ?? ""}`]),
    ...(asOf === undefined ? [] : [`as of ${asOf}`]),
  ];
  return words.join(", ").slice(0, 200);
}
