// A few minutes in which everything happens to workers that share a rate, in an order that a seed decides.
import { closed, PlayedNight } from "./played-night.ts";

/** A few minutes in which everything happens, and then the time in which all has to come right again. */
export async function troubledNight(seed: number): Promise<PlayedNight> {
  const night = new PlayedNight(seed);
  const { chance, time, store } = night;
  const one = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(chance() * values.length)];
  const rates = [20, 20, 20, 7, 2.5, 3, 1, 0.5];
  const rate = one(rates) ?? 1;
  night.heedMs = 32_000;
  night.heldUp = 0.02;
  store.isSlowToWrite = chance() < 0.5;
  for (let count = 1 + Math.floor(chance() * 5); count > 0; count -= 1)
    night.worker(rate, 4 + Math.floor(chance() * 30));
  for (let atMs = 5_000; atMs < 200_000; atMs += 500 + chance() * 15_000) {
    await time.runUntil(atMs);
    const worker = one(night.workers);
    const lot = chance();
    if (lot < 0.15) store.trouble = { mostMs: chance() * 8_000, unsent: 0, lost: 0, late: 0 };
    else if (lot < 0.3)
      store.trouble = { mostMs: 500, unsent: chance() * 0.5, lost: chance() * 0.3, late: chance() * 0.2 };
    else if (lot < 0.35) store.trouble = { mostMs: 100, unsent: 1, lost: 0, late: 0 };
    else if (lot < 0.55) store.trouble = { mostMs: 40, unsent: 0, lost: 0, late: 0 };
    else if (worker === undefined) continue;
    else if (lot < 0.7) {
      worker.process.stop();
      time.at(time.nowMs + chance() * 60_000, () => worker.process.goOn());
    } else if (lot < 0.75) worker.isCaught = true;
    else if (lot < 0.8) worker.process.kill();
    else if (lot < 0.85) void closed(worker);
    else if (lot < 0.9) night.busy(worker, Math.floor(chance() * 3) * 12);
    else if (night.workers.length < 9) night.worker(chance() < 0.7 ? rate : (one(rates) ?? 1), 12);
  }
  store.trouble = { mostMs: 40, unsent: 0, lost: 0, late: 0 };
  night.heldUp = 0;
  for (const worker of night.workers) worker.isCaught = false; // or its rare turn would stop it in the last minute
  const last = night.worker(rate, 40);
  await time.runUntil(280_000);
  const before = night.sentMs.length;
  await time.runUntil(340_000);
  const least = Math.min(...night.workers.map(({ ratePerSecond }) => ratePerSecond));
  const isScarce = night.workers.filter(({ process }) => process.isUp).length > least;
  const whole = isScarce ? 0.6 : 0.85;
  if (night.sentMs.length - before < Math.floor(60 * least * whole)) {
    night.wrong.push(`only ${night.sentMs.length - before} in the last minute at ${least} a second`);
  }
  if (!isScarce && last.sent === 0) night.wrong.push("the last worker never sent anything");
  return night;
}
