// The patrol of a day: reads its share of vault and site, in as many calls as it takes. publish/mend/patrol.ts says which.
import { setWorkflowOptions, workflowInfo } from "@temporalio/workflow";
import type { PatrolResult } from "../readings/run-messages.ts";
import { mainActivities } from "./activities.ts";
import { movesToCurrent } from "./versions.ts";

export async function patrol(): Promise<PatrolResult> {
  const { runId: id } = workflowInfo();
  for (;;) {
    const seen = await mainActivities("read the day's share of vault and site").patrol({ id });
    if (seen.isDone) return seen;
  }
}

setWorkflowOptions(movesToCurrent, patrol);
