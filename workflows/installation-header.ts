// Every activity of a run receives the run's place, its vault and site in one word, so that a worker of another
// installation can refuse it (worker/worker.ts). The run has it in its memo, and passes it on to its children.
import { defaultPayloadConverter } from "@temporalio/common";
import { type WorkflowInterceptors, workflowInfo } from "@temporalio/workflow";
import { installationField } from "./names.ts";

export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        scheduleActivity(input, next) {
          const { [installationField]: installation } = memoOfRun();
          if (installation === undefined) return next(input);
          const headers = {
            ...input.headers,
            [installationField]: defaultPayloadConverter.toPayload(installation),
          };
          return next({ ...input, headers });
        },
        startChildWorkflowExecution(input, next) {
          const options = { ...input.options, memo: { ...input.options.memo, ...memoOfRun() } };
          return next({ ...input, options });
        },
        continueAsNew(input, next) {
          const options = { ...input.options, memo: { ...input.options.memo, ...memoOfRun() } };
          return next({ ...input, options });
        },
      },
    ],
  };
}

/** Empty for a run that has no place: an earlier version began it. */
function memoOfRun(): { readonly [installationField]?: string } {
  const installation = workflowInfo().memo?.[installationField];
  return typeof installation === "string" ? { [installationField]: installation } : {};
}
