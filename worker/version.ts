// Which version of a worker this is, where a deploy in mid-night has to be told from the code that the night began on.
// Without one, Temporal gives work to whoever asks for it, as for `almanac local` and a single worker.
import type { Environment } from "./settings/environment.ts";

/**
 * A run ends on the version that it began with; workflows/turn.ts says of itself that it does not. A
 * site's workers are one deployment: its queues begin with the same word.
 */
export function deploymentOptions(site: string, version: Environment["version"]) {
  if (version === undefined) return {};
  const { buildId, deployment = site } = version;
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true as const,
      version: { deploymentName: deployment, buildId },
      defaultVersioningBehavior: "PINNED" as const,
    },
  };
}
