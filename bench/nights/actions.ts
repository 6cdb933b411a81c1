// Cost of a night in Temporal Cloud, which bills actions (https://docs.temporal.io/evaluate/cloud/actions). The server counts them
// by the same rules: a child workflow twice, a heartbeat if it reaches the server, and each retry of an activity
// (https://docs.temporal.io/cloud/migrate/estimate-actions). The billed events in the histories of a night with failures, plus its
// heartbeats, gave the same number. Not included: Fairness costs a tenth more in a namespace that enables it, and fairness keys do
// nothing in others. A start by a schedule costs two more actions.
import { setTimeout as delay } from "node:timers/promises";

export interface Actions {
  readonly total: number;
  /** Counts by kind, largest first. */
  readonly words: string;
}

/** The server reports its counts after a delay. */
const countedAfterMs = 2_000;

/** All actions since the server's start. */
export async function actionsOf(metricsPort: number): Promise<Actions> {
  await delay(countedAfterMs);
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = text.matchAll(
    /^action\{action_type="(?:command_|grpc_)?([^"]+)",namespace="default",[^}]*\} (\d+)$/gm,
  );
  const counts = [...lines].map(([, kind = "", count]) => ({ kind, count: Number(count) }));
  const most = counts.filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count);
  return {
    total: most.reduce((sum, { count }) => sum + count, 0),
    words: most.map(({ kind, count }) => `${count} ${kind}`).join(", "),
  };
}
