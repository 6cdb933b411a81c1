// A part of the scrub (publish/repair/scrub.ts): continues reading for some minutes, then reports its findings.
import type { ScrubInput, ScrubResult } from "../readings/run-messages.ts";
import { walkOn } from "../publish/repair/scrub.ts";
import { alertAboutFindings } from "./alerts.ts";
import type { Dependencies } from "./dependencies.ts";

/** A site of some weeks and one language is read whole each day. */
const leastBytes = 10_000_000;
/** A call ends well before its time is over, and another one goes on. */
const forMs = 4 * 60_000;
/** A publish has written its public paths by then. */
const againAfterMs = 20_000;

export async function scrubOn(
  { id }: ScrubInput,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<ScrubResult> {
  const mostBytes = dependencies.configuration.schedule.scrubMegabytes * 1_000_000;
  const bounds = { leastBytes, mostBytes, forMs, againAfterMs, signal };
  const seen = await walkOn(id, bounds, dependencies);
  const { files, sizeBytes, findings, endedAt } = seen;
  const isDone = endedAt !== undefined;
  if (isDone) {
    dependencies.log.info({ files, sizeBytes, findings: findings.length }, "background check finished");
    await alertAboutFindings(findings, dependencies);
  }
  return { isDone, files, sizeBytes, findings: findings.length };
}
