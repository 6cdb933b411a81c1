// What a night costs in Temporal's cloud, which bills actions (https://docs.temporal.io/evaluate/cloud/actions): the server
// counts them itself by the same rules, a child twice, a heartbeat if it reaches the server, each further try of an activity
// (https://docs.temporal.io/cloud/migrate/estimate-actions). The billed events in the histories of a night with failures in it,
// and its heartbeats, came to the same number. Not in it: a namespace with Fairness switched on pays a tenth more, and without
// that fairness keys do nothing there; a start by a schedule costs two more.
import { setTimeout as delay } from "node:timers/promises";

export interface Actions {
  readonly total: number;
  /** By their kinds, the most first. */
  readonly words: string;
}

/** The server hands on what it counted after a moment. */
const countedAfterMs = 2_000;

/** All since the server began. */
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
