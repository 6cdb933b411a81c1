// The step of a deploy that docs/deployment.md has between its two kinds of workers.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { until } from "../support/night.ts";
import { temporalExecutable } from "../support/temporal.ts";
import { type Fleet, patienceMs } from "./fleet.ts";

/** Refused until the version's workers have asked for work on each of the queues. */
export async function makeCurrent(
  { cluster, id }: Pick<Fleet, "cluster" | "id">,
  buildId: string,
): Promise<void> {
  const executable = await temporalExecutable();
  const words = ["worker", "deployment", "set-current-version", "--yes", "--address", cluster.address];
  const which = ["--deployment-name", id, "--build-id", buildId];
  await until(
    `version ${buildId} to become current`,
    () =>
      promisify(execFile)(executable, [...words, ...which]).then(
        () => true,
        () => false,
      ),
    patienceMs,
  );
}
