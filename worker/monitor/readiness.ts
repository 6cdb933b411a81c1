// Readiness of a worker: probes Temporal, the vault and the site. The result is cached for a few seconds, and each change is logged
// with its reason.
import type { Store } from "../../store/store.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { NativeConnection } from "@temporalio/worker";
import type { Log } from "../../vault/log.ts";
import { layout } from "../../vault/layout.ts";
import { pointerPath } from "../../publish/state/state.ts";

/** Public response: contains no URLs and no third-party messages. */
export type Readiness = Awaited<ReturnType<ReturnType<typeof createReadiness>>>;

export interface ReadinessSettings {
  /** Current connection of the workers. */
  readonly connection: () => Pick<NativeConnection, "workflowService" | "withDeadline">;
  readonly namespace: string;
  readonly vault: Store;
  readonly site: Store;
  readonly workerState: () => "starts" | "works" | "stops";
  readonly log: Log;
}

/** Timeout of a probe, shorter than the usual timeout of a monitor. */
const lookMs = 2_000;
const goodForMs = 3_000;

export function createReadiness(settings: ReadinessSettings) {
  const { connection, namespace, vault, site, workerState, log } = settings;
  const temporal = watchedPart("temporal", log, () => {
    const used = connection();
    // A call that needs the database: Temporal's frontend answers others even if its database is down and no work continues.
    const ask = () => used.workflowService.describeNamespace({ namespace });
    return used.withDeadline(Date.now() + lookMs, ask);
  });
  const vaultPart = watchedPart("vault", log, () => vault.read(layout.lease("english")));
  const sitePart = watchedPart("site", log, () => site.read(pointerPath));
  const look = () => Promise.all([temporal(), vaultPart(), sitePart()]);

  let latest: { readonly atMs: number; readonly answers: ReturnType<typeof look> } | undefined;
  return async () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs > goodForMs) latest = { atMs: nowMs, answers: look() };
    const answers = await latest.answers;
    const [temporalIs, vaultIs, siteIs] = answers;
    const worker = workerState();
    const ready = worker === "works" && !answers.includes("away");
    return { ready, worker, temporal: temporalIs, vault: vaultIs, site: siteIs };
  };
}

/** Probes a part, and logs each change. */
function watchedPart(part: string, log: Log, ask: () => Promise<unknown>) {
  let before = "answers";
  return async () => {
    const seen = await within(lookMs, ask());
    const answer = seen === undefined ? "answers" : "away";
    if (answer !== before) {
      if (seen === undefined) log.info({ part }, `${part} answers again`);
      else log.error({ part }, `${part} is unreachable, so this worker is not ready: ${seen}`);
    }
    before = answer;
    return answer;
  };
}

/** A sentence about what was wrong; undefined when the answer came in time. */
async function within(mostMs: number, asked: Promise<unknown>) {
  const answered = asked.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([answered, delay(mostMs, `no answer within ${mostMs / 1000} s`, { ref: false })]);
}
