// Detects a Temporal server that runs but no longer answers: a cheap, repeated call distinguishes it from one that is busy.
import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionLike } from "@temporalio/client";
import { reportWait } from "../../store/waits.ts";

const pauseMs = 1_000;
const answerMs = 2_000;
/** The longest time without an answer. A server that restarts is back sooner. */
export const patienceMs = 60_000;
/** The most that the last look adds to the bound of the wait, also on a busy machine. */
const lastLookMs = 10_000;

/**
 * Resolves with true after `mostSilentMs` without an answer, which is reported meanwhile, and with false once `ended`. Only time
 * in which an answer could have come counts, so a process that was suspended gives nobody up.
 */
export async function fallsSilent(
  name: string,
  connection: () => Pick<ConnectionLike, "withDeadline" | "workflowService">,
  ended: AbortSignal,
  mostSilentMs = patienceMs,
): Promise<boolean> {
  let silentMs = 0;
  while (silentMs < mostSilentMs) {
    const beganMs = performance.now();
    await delay(pauseMs, undefined, { ref: false });
    if (ended.aborted) return false;
    const isAnswered = await answersOnce(connection());
    if (ended.aborted) return false;
    silentMs = isAnswered ? 0 : silentMs + Math.min(performance.now() - beganMs, pauseMs + answerMs);
    if (silentMs >= answerMs) reportWait({ name, waitedMs: silentMs, mostMs: mostSilentMs + lastLookMs });
  }
  return true;
}

async function answersOnce(connection: Pick<ConnectionLike, "withDeadline" | "workflowService">) {
  const ask = async () => connection.workflowService.getSystemInfo({});
  return connection.withDeadline(Date.now() + answerMs, ask).then(
    () => true,
    () => false,
  );
}
