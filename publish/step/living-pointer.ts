// Keeps the pointer to our state alive: renewed in time, and written anew where somebody has changed it.
import { mostAheadMs } from "../../readings/dates-ahead.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import type { SiteState } from "../state/state.ts";
import { signedByUs } from "./site-state.ts";
import { believedTime } from "../state/believed-time.ts";
import { expiresAfterMs, renew } from "./pointer-swap.ts";

/**
 * Renews the pointer when half of its time is over, because readers take an expired one for a frozen copy; and where somebody
 * has changed it, though it names our state.
 */
export async function keepAlive(state: SiteState, place: PublishingPlace): Promise<void> {
  const leftMs = await timeLeft(state, place);
  const change = await changeIn(state, place);
  if (leftMs < expiresAfterMs / 2 || change !== undefined) await renew(state, place);
}

/**
 * What somebody has changed in the pointer to our state, in words: its signature, its version, or a time that no publisher of
 * ours would give it. A signature counts only where there is a key to make another.
 */
export async function changeIn(state: SiteState, place: PublishingPlace): Promise<string | undefined> {
  if (state.pointer.version !== state.manifest.version) return "its version was not the manifest's";
  if ((await timeLeft(state, place)) > expiresAfterMs + mostAheadMs)
    return "it was to expire later than any publisher says";
  const isUnsigned = place.signer !== undefined && signedByUs(place, state.pointer) === false;
  return isUnsigned ? "no key of ours had signed it" : undefined;
}

async function timeLeft({ pointer }: SiteState, place: PublishingPlace): Promise<number> {
  return Date.parse(pointer.expires) - (await believedTime(place)).getTime();
}
