// Waiting for an event: the deadline is far longer than anything takes on a busy machine, so that only a fault reaches it.
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";

const lookEveryMs = 100;

/** Waits until `look` finds something; `what` completes the sentence "waited 120 s for ...". */
export async function until<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  withinMs = 120_000,
): Promise<Exclude<Value, undefined | false>> {
  const beganMs = performance.now();
  for (let looks = 1; ; looks += 1) {
    const seen = await look();
    if (isFound(seen)) return seen;
    if (performance.now() - beganMs > withinMs)
      throw new Error(`waited ${withinMs / 1000} s for ${what}; look ${looks} saw ${inspect(seen)}`);
    await delay(lookEveryMs);
  }
}

function isFound<Value>(seen: Value): seen is Exclude<Value, undefined | false> {
  return seen !== undefined && seen !== false;
}
