// Lines about waits for another process or server: the name, the start and the bound.
import { showWaits } from "../../store/waits.ts";
import { say } from "./output.ts";

const againAfterMs = 20_000;

/** Prints each wait once, and again from time to time. */
export function sayWaits(): void {
  const saidMs = new Map<string, number>();
  showWaits(({ name, waitedMs, mostMs }) => {
    const nowMs = performance.now();
    if (nowMs - (saidMs.get(name) ?? Number.NEGATIVE_INFINITY) < againAfterMs) return;
    saidMs.set(name, nowMs);
    const since = new Date(Date.now() - waitedMs).toISOString();
    say(`waiting since ${since} for ${name}, for at most ${Math.round(mostMs / 1000)} s`);
  });
}
