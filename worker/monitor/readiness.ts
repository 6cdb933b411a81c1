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

type PartAnswer = "answers" | "away";
type AskedPart = "temporal" | "vault" | "site";

export interface ReadinessSettings {
  readonly connection: Pick<NativeConnection, "workflowService" | "withDeadline">;
  readonly vault: Store;
  readonly site: Store;
  readonly isWorking: () => boolean;
  readonly log: Log;
}

/** The time of a look, which is less than a monitor mostly waits. */
const lookMs = 2_000;
const goodForMs = 3_000;

export function createReadiness(settings: ReadinessSettings) {
  const { connection, vault, site, isWorking, log } = settings;
  const before: Record<AskedPart, PartAnswer> = { temporal: "answers", vault: "answers", site: "answers" };
  const looks: Record<AskedPart, () => Promise<unknown>> = {
    temporal: () =>
      connection.withDeadline(Date.now() + lookMs, () => connection.workflowService.getSystemInfo({})),
    vault: () => vault.read(layout.gate("english")),
    site: () => site.read(pointerPath),
  };

  async function lookAt(part: AskedPart): Promise<PartAnswer> {
    const seen = await within(lookMs, looks[part]());
    const answer = seen === undefined ? "answers" : "away";
    if (answer !== before[part]) {
      if (seen === undefined) log.info({ part }, `${part} answers again`);
      else log.error({ part }, `${part} is away, so this worker is not ready: ${seen}`);
    }
    before[part] = answer;
    return answer;
  }

  let latest: { readonly atMs: number; readonly answers: Promise<readonly PartAnswer[]> } | undefined;
  return async () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs > goodForMs) {
      latest = { atMs: nowMs, answers: Promise.all((["temporal", "vault", "site"] as const).map(lookAt)) };
    }
    const [temporal = "away", vaultIs = "away", siteIs = "away"] = await latest.answers;
    const works = isWorking();
    const ready = works && [temporal, vaultIs, siteIs].every((answer) => answer === "answers");
    return { ready, worker: works ? "works" : "stops", temporal, vault: vaultIs, site: siteIs };
  };
}

/** A sentence about what was wrong; undefined when the answer came in time. */
async function within(mostMs: number, asked: Promise<unknown>): Promise<string | undefined> {
  const answered = asked.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([answered, delay(mostMs, `no answer within ${mostMs / 1000} s`, { ref: false })]);
}
