// Why a running night makes no progress: activities that failed and wait for their next attempt, and a version that no worker
// serves.
import type { Client, WorkflowExecutionDescription } from "@temporalio/client";
import type { OpenBreaker } from "../../vault/endpoint-note.ts";
import { versionsServed } from "../../worker/temporal/pollers.ts";

export interface PendingActivity {
  readonly workflow: string;
  readonly activity: string;
  readonly attempt: number;
  readonly failure: string;
}

type Raw = WorkflowExecutionDescription["raw"];

/** The failed activities of a run, its editions and its publishing, which Temporal tries again. */
export async function pendingActivities(client: Client, run: string): Promise<PendingActivity[]> {
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

/** The version of the worker that a run has to end on, if no worker of that version asks for work. */
export async function unservedVersion(
  client: Client,
  site: string,
  run: string,
): Promise<string | undefined> {
  const { raw } = await client.workflow.getHandle(run).describe();
  const version = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  if (version === undefined || version === null || version === "") return undefined;
  return (await versionsServed(client, site)).includes(version) ? undefined : version;
}

/** Since when an address refuses the credentials. */
export function credentialsRefusedSince(breakers: readonly OpenBreaker[]): string | undefined {
  return breakers.flatMap(({ away, openedAt }) => (away === undefined ? [openedAt] : [])).sort()[0];
}

/** `publish: attempt 7, vault can't be written: ...`, with the number of activities that fail alike. */
export function pendingLines(pending: readonly PendingActivity[]): string[] {
  const alike = Map.groupBy(pending, ({ activity, failure }) => `${activity} ${failure}`);
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const attempt = Math.max(...group.map((one) => one.attempt));
    const count = group.length === 1 ? "" : ` (${group.length} of these)`;
    return [`${first.activity}: attempt ${attempt}${count}, ${first.failure}`];
  });
}
