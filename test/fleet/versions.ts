// The step of a deploy that docs/deployment.md has between its two kinds of workers.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { until } from "../support/night.ts";
import { temporalExecutable } from "../support/temporal.ts";
import { type Fleet, patienceMs } from "./fleet.ts";

const refusal = z.object({ stderr: z.string() });

/** Refused until the version's workers have asked for work on each of the queues. */
export async function makeCurrent(
  { cluster, id }: Pick<Fleet, "cluster" | "id">,
  buildId: string,
): Promise<void> {
  const executable = await temporalExecutable();
  const words = ["worker", "deployment", "set-current-version", "--yes", "--address", cluster.address];
  const which = ["--deployment-name", id, "--build-id", buildId];
  let why = "";
  const isSet = () =>
    promisify(execFile)(executable, [...words, ...which]).then(
      () => true,
      (error: unknown) => {
        why = refusal.safeParse(error).data?.stderr.trim() ?? String(error);
        return false;
      },
    );
  await until(`version ${buildId} to become current`, isSet, patienceMs).catch((error: unknown) => {
    throw new Error(`${String(error)}; Temporal refused it: ${why}`, { cause: error });
  });
}
