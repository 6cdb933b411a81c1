// The pointer's bytes. Each version of them is later than the one before, and a reader takes an expired pointer for a frozen copy.
import { mostAheadMs } from "../../readings/calendar.ts";
import { believedTime } from "../state/believed-time.ts";
import type { Pointer } from "../../site/manifest.schema.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { signed } from "../state/signature.ts";
import type { NamedState } from "./record.ts";
import { signedByUs } from "./site-state.ts";

/** A reader that finds an older pointer should take the site for a frozen copy. */
const expiresAfterMs = 14 * 24 * 60 * 60_000;

/**
 * The pointer to a state in place of another pointer. It is later than that one, also while the clock stands still or goes back: a
 * late write expects bytes that were there before, and these must never come back.
 */
export async function pointerAfter(
  context: PublishContext,
  before: Pointer | undefined,
  { manifest, version }: NamedState,
): Promise<Pointer> {
  const nowMs = (await believedTime(context)).getTime();
  const beforeMs = before === undefined ? 0 : Date.parse(before.publishedAt);
  const isAhead = beforeMs > nowMs + mostAheadMs; // no publisher of ours wrote that
  const atMs = isAhead ? nowMs : Math.max(nowMs, beforeMs + 1);
  const publishedAt = new Date(atMs).toISOString();
  const expires = new Date(nowMs + expiresAfterMs).toISOString();
  return signed({ format: 1, manifest, version, publishedAt, expires }, context.signer);
}

/** The same pointer with a new expiry, and the version of its manifest. */
export async function renewedPointer(
  context: PublishContext,
  { signature: _old, ...pointer }: Pointer,
  version: number,
): Promise<Pointer> {
  const expires = new Date((await believedTime(context)).getTime() + expiresAfterMs).toISOString();
  return signed({ ...pointer, version, expires }, context.signer);
}

/** Whether half of the pointer's time is over, or somebody has changed it, though it names our state. */
export async function isToRenew(
  context: PublishContext,
  pointer: Pointer,
  version: number,
): Promise<boolean> {
  const isOld = (await timeLeft(context, pointer)) < expiresAfterMs / 2;
  return isOld || (await changeInPointer(context, pointer, version)) !== undefined;
}

/**
 * What somebody has changed in the pointer to our state of this version, in words: its signature, its version, or a time that no
 * publisher of ours would give it. A signature counts only where there is a key to make another.
 */
export async function changeInPointer(
  context: PublishContext,
  pointer: Pointer,
  version: number,
): Promise<string | undefined> {
  if (pointer.version !== version) return "its version differed from the manifest's";
  if ((await timeLeft(context, pointer)) > expiresAfterMs + mostAheadMs)
    return "its expiry was later than any publisher sets";
  const isUnsigned = context.signer !== undefined && signedByUs(context, pointer) === false;
  return isUnsigned ? "it was not signed by this site's key" : undefined;
}

async function timeLeft(context: PublishContext, { expires }: Pointer): Promise<number> {
  return Date.parse(expires) - (await believedTime(context)).getTime();
}
