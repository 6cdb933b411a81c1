// Refuses activities of runs for another vault or site than the worker's: here they would send requests and publish for the
// wrong site. Temporal offers them again to the next worker that polls.
import { ApplicationFailure, defaultPayloadConverter } from "@temporalio/common";
import type { ActivityInterceptors } from "@temporalio/worker";
import type { Log } from "../vault/log.ts";
import { vaultOf } from "../vault/installation.ts";
import { installationField } from "../workflows/names.ts";

/** Retry delay of a refused activity, after which another worker may take it. */
const againAfterMs = 5_000;

/** Calls are checked against the vault only, all other activities against vault and site. */
export function installationGuard(own: string, log: Log, part: "vault" | "both"): () => ActivityInterceptors {
  return () => ({
    inbound: {
      async execute(input, next) {
        const header = input.headers[installationField];
        const installation: unknown = header && defaultPayloadConverter.fromPayload(header);
        if (installation === undefined || installation === own) return next(input);
        if (part === "vault" && typeof installation === "string" && vaultOf(installation) === vaultOf(own))
          return next(input);
        const message =
          `this run is for another vault or site (${JSON.stringify(installation)}) than this worker's (${own}). ` +
          "Start a worker with the run's ALMANAC_VAULT and ALMANAC_SITE, or cancel the run. `almanac check` shows both";
        log.error({ installation, own }, message);
        throw ApplicationFailure.create({
          type: "AnotherInstallation",
          message,
          nextRetryDelay: againAfterMs,
        });
      },
    },
  });
}
