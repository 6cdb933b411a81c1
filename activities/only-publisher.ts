// Where the store heeds no conditions, only the workflow with a fixed id may publish; any other gets that id in a failure.
import { Context } from "@temporalio/activity";
import { ApplicationFailure } from "@temporalio/common";
import type { Dependencies } from "./dependencies.ts";

export async function asOnlyPublisher<Result>(
  act: () => Promise<Result>,
  { onlyPublisher }: Dependencies,
): Promise<Result> {
  const { workflowExecution } = Context.current().info;
  if (onlyPublisher === undefined || workflowExecution?.workflowId === onlyPublisher) return act();
  throw ApplicationFailure.create({
    type: "NotItsTurn",
    message: `the store knows no conditional writes (ALMANAC_S3_CONDITIONS=none): only ${onlyPublisher} publishes`,
    nonRetryable: true,
    details: [onlyPublisher],
  });
}
