// Turning the page: publishes every language whose local date has changed, from what the vault holds, without a call.
import { setWorkflowOptions } from "@temporalio/workflow";
import type { PublishResult } from "../readings/run-messages.ts";
import { publishing, publishInTurn } from "./publishing.ts";
import { movesToCurrent } from "./versions.ts";

export async function turn(): Promise<PublishResult> {
  try {
    return await publishing();
  } catch (error) {
    return await publishInTurn(error);
  }
}

// A turn that waits for its store when old workers leave goes on with the new ones: pages must turn whatever is deployed.
setWorkflowOptions(movesToCurrent, turn);
