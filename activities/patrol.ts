// A part of the patrol (publish/mend/patrol.ts): reads on for some minutes, and tells a person what it found in the end.
import type { PatrolInput, PatrolResult } from "../readings/run-messages.ts";
import { walkOn } from "../publish/mend/patrol.ts";
import type { Patrol } from "../vault/patrol-note.ts";
import type { Dependencies } from "./dependencies.ts";

/** A site of some weeks and one language is read whole each day. */
const leastBytes = 10_000_000;
/** A call ends well before its time is over, and another one goes on. */
const forMs = 4 * 60_000;
/** A publish has written its stable paths by then. */
const againAfterMs = 20_000;

export async function patrolOn(
  { id }: PatrolInput,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<PatrolResult> {
  const mostBytes = dependencies.configuration.schedule.patrolMegabytes * 1_000_000;
  const bounds = { leastBytes, mostBytes, forMs, againAfterMs, signal };
  const seen = await walkOn(id, bounds, dependencies);
  const { files, sizeBytes, findings, endedAt } = seen;
  const isDone = endedAt !== undefined;
  if (isDone) {
    dependencies.log.info({ files, sizeBytes, findings: findings.length }, "the patrol has ended");
    if (findings.length > 0) await say(seen, dependencies);
  }
  return { isDone, files, sizeBytes, findings: findings.length };
}

async function say({ findings }: Patrol, { alert }: Dependencies): Promise<void> {
  const [first] = findings;
  const others = findings.length === 1 ? "" : ` and ${findings.length - 1} more`;
  const what = first === undefined ? "" : `${first.store} ${first.path}${others}: ${first.seen}`;
  const text = `The patrol found files that are not as they were kept: ${what}. Next: ${first?.remedy}; \`almanac status\` lists them.`;
  await alert({ kind: "damage-found", text, once: findings.map(({ path }) => path).join(" ") });
}
