import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
} from "@temporalio/common";
import { expect, test } from "vitest";
import { failureReason } from "../../workflows/failure-reason.ts";

const edition = { workflowId: "almanac-edition-hi-2026-11-22", runId: "run" };

test("names the cause of a child's or an activity's failure", () => {
  const fault = new TypeError("the fault in our own code");
  const told = ApplicationFailure.create({
    type: "UnreadableFile",
    message: "v1/pointer.json is not JSON",
    cause: fault,
  });
  const activity = new ActivityFailure(
    "Activity task failed",
    "publish",
    "1",
    "NON_RETRYABLE_FAILURE",
    "worker",
    told,
  );
  const child = new ChildWorkflowFailure("default", edition, "edition", "NON_RETRYABLE_FAILURE", activity);
  expect(failureReason(child)).toBe("v1/pointer.json is not JSON");
  expect(failureReason(new CancelledFailure("Workflow execution cancelled"))).toBe(
    "Workflow execution cancelled",
  );
});

test("explains the fate of a run that another version began", () => {
  const told = ApplicationFailure.create({ message: "[TMPRL1100] Nondeterminism error: no such event" });
  const child = new ChildWorkflowFailure("default", edition, "edition", "NON_RETRYABLE_FAILURE", told);
  expect(failureReason(child)).toBe(
    "another version of Almanac with other workflows started it; the next run requests the rest",
  );
});
