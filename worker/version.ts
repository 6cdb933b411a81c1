// Which version of a worker this is, where a deploy in mid-night has to be told from the code that the night began on.
// Without one, Temporal gives work to whoever asks for it, as for `almanac local` and a single worker.
import type { WorkerOptions } from "@temporalio/worker";
import type { Environment } from "./settings/environment.ts";

type DeploymentOptions = NonNullable<WorkerOptions["workerDeploymentOptions"]>;

/** A site's workers are one deployment: its queues begin with the same word. */
export function deploymentName(site: string, version: Environment["version"]): string {
  return version?.deployment ?? site;
}

/** A run ends on the version that it began with; workflows/turn.ts and publishing.ts say of themselves that they do not. */
export function deploymentOptions(
  site: string,
  version: Environment["version"],
): { readonly workerDeploymentOptions?: DeploymentOptions } {
  if (version === undefined) return {};
  const { buildId } = version;
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: deploymentName(site, version), buildId },
      defaultVersioningBehavior: "PINNED",
    },
  };
}
