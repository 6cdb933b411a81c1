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

// A turn that the old workers left waiting for its store goes on with the new ones: pages must turn whatever is deployed.
setWorkflowOptions(movesToCurrent, turn);
