// Whether a worker can work: Temporal, the vault and the site are each tried. One look serves all who ask within a few seconds,
// and each change is a line of the log, with the reason.
import type { Store } from "../../store/store.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { NativeConnection } from "@temporalio/worker";
import type { Log } from "../../vault/log.ts";
import { layout } from "../../vault/layout.ts";
import { pointerPath } from "../../publish/state/state.ts";

/** The answer for anybody who asks: it has no address and no message of others. */
export type Readiness = Awaited<ReturnType<ReturnType<typeof createReadiness>>>;

export interface ReadinessSettings {
  /** The one that the workers use now. */
  readonly connection: () => Pick<NativeConnection, "workflowService" | "withDeadline">;
  readonly namespace: string;
  readonly vault: Store;
  readonly site: Store;
  readonly workerState: () => "starts" | "works" | "stops";
  readonly log: Log;
}

/** The time of a look, which is less than a monitor mostly waits. */
const lookMs = 2_000;
const goodForMs = 3_000;

export function createReadiness(settings: ReadinessSettings) {
  const { connection, namespace, vault, site, workerState, log } = settings;
  const temporal = watchedPart("temporal", log, () => {
    const used = connection();
    // Not what its frontend answers by itself: without its database it does that too, and no work goes on.
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

/** Looks whether a part answers, and logs each change. */
function watchedPart(part: string, log: Log, ask: () => Promise<unknown>) {
  let before = "answers";
  return async () => {
    const seen = await within(lookMs, ask());
    const answer = seen === undefined ? "answers" : "away";
    if (answer !== before) {
      if (seen === undefined) log.info({ part }, `${part} answers again`);
      else log.error({ part }, `${part} is away, so this worker is not ready: ${seen}`);
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
