// The histories of a night's workflows: how long they are, and when the first edition began.
import type { Client, WorkflowHandle } from "@temporalio/client";

export interface History {
  readonly type: string;
  readonly events: number;
  readonly bytes: number;
  readonly startedMs: number;
  /** Start of its first child. */
  readonly firstChildMs: number | undefined;
}

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle["fetchHistory"]>>["events"]>[number];

/** Histories of a workflow, its continuations, and all their children; the workflow's first run comes first. */
export async function historiesOf(client: Client, workflowId: string): Promise<History[]> {
  const histories: History[] = [];
  const open = [{ workflowId, runId: await firstRunOf(client, workflowId) }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const handle = client.workflow.getHandle(next.workflowId, next.runId);
    const { type, historySize = 0 } = await handle.describe();
    const { events } = await handle.fetchHistory();
    const all = events ?? [];
    const firstChild = all.find((event) => event.startChildWorkflowExecutionInitiatedEventAttributes);
    histories.push({
      type,
      events: all.length,
      bytes: historySize,
      startedMs: msOf(all[0]),
      firstChildMs: firstChild && msOf(firstChild),
    });
    for (const event of all) open.push(...followersOf(event, next.workflowId));
  }
  return histories;
}

async function firstRunOf(client: Client, workflowId: string): Promise<string> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? "";
}

function followersOf(event: Event, workflowId: string): { workflowId: string; runId: string }[] {
  const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
  if (child) return [{ workflowId: child.workflowId ?? "", runId: child.runId ?? "" }];
  const runId = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  return runId ? [{ workflowId, runId }] : [];
}

function msOf(event: Event | undefined): number {
  const { seconds, nanos } = event?.eventTime ?? {};
  return Number(seconds ?? 0) * 1000 + (nanos ?? 0) / 1e6;
}
