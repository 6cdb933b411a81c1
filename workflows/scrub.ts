// The scrub of a day: reads its share of vault and site, in as many calls as it takes. publish/repair/scrub.ts says which.
import { setWorkflowOptions, workflowInfo } from "@temporalio/workflow";
import type { ScrubResult } from "../readings/run-messages.ts";
import { mainActivities } from "./activities.ts";
import { movesToCurrent } from "./versions.ts";

export async function scrub(): Promise<ScrubResult> {
  const { runId: id } = workflowInfo();
  for (;;) {
    const seen = await mainActivities("check the day's share of vault and site").scrub({ id });
    if (seen.isDone) return seen;
  }
}

setWorkflowOptions(movesToCurrent, scrub);
