// How a workflow says that it moves to the current version of the worker, where a night stays on its own
// (worker/version.ts).
import { workflowInfo } from "@temporalio/workflow";

/** Options for `setWorkflowOptions`. A worker without a version must name no behaviour, or its tasks would never be done. */
export function movesToCurrent(): { versioningBehavior?: "AUTO_UPGRADE" } {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: "AUTO_UPGRADE" } : {};
}
