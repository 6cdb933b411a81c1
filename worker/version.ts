// Worker Versioning: after a deploy during a run, the run stays on the code that it began with. Without a version, Temporal gives
// work to any worker that polls, as for `almanac local` and a single worker.
import type { Environment } from "./settings/environment.ts";

/**
 * Pins a run to the version that it began with; workflows/publish.ts opts out. All workers of a site are one deployment, by default
 * with the name that its queues begin with.
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
