// The naive workflow: all activities at once, and their results together.
import { proxyActivities } from "@temporalio/workflow";

const { ask } = proxyActivities({ startToCloseTimeout: "1 minute" });

export async function night(calls) {
  await Promise.all(calls.map((call) => ask(call)));
}
