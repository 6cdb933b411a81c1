// Every activity of a run receives the run's place, its vault and site in one word, so that a worker of another
// place can refuse it (worker/place-guard.ts). The run has it in its memo, and passes it on to its children.
import { defaultPayloadConverter } from "@temporalio/common";
import { type WorkflowInterceptors, workflowInfo } from "@temporalio/workflow";
import { placeField } from "./names.ts";

export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        scheduleActivity(input, next) {
          const { [placeField]: place } = memoOfRun();
          if (place === undefined) return next(input);
          const headers = { ...input.headers, [placeField]: defaultPayloadConverter.toPayload(place) };
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
function memoOfRun(): { readonly [placeField]?: string } {
  const place = workflowInfo().memo?.[placeField];
  return typeof place === "string" ? { [placeField]: place } : {};
}
