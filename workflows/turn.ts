// Publishes every language whose local date has changed, from what the vault holds, without a call.
import { setWorkflowOptions } from "@temporalio/workflow";
import type { PublishResult } from "../readings/run-messages.ts";
import { mainActivities } from "./activities.ts";
import { movesToCurrent } from "./versions.ts";

export function turn(): Promise<PublishResult> {
  return mainActivities("turn the page where the date has changed").turn();
}

// A turn that waits for its store when old workers leave goes on with the new ones: pages must turn whatever is deployed.
setWorkflowOptions(movesToCurrent, turn);
