// Publishes every language whose local date has changed, from the vault, without a call.
import { setWorkflowOptions } from "@temporalio/workflow";
import type { PublishResult } from "../readings/run-messages.ts";
import { mainActivities } from "./activities.ts";
import { movesToCurrent } from "./versions.ts";

export function publish(): Promise<PublishResult> {
  return mainActivities("publish languages whose date has changed").publishDue();
}

// A publish that waits for its store when old workers leave continues on the new ones: pages must change whatever is deployed.
setWorkflowOptions(movesToCurrent, publish);
