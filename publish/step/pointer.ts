// The pointer's bytes and its signature. Each version of them is later than the one before, and a reader takes an expired pointer for a
// frozen copy. The signature is Ed25519 over its canonical bytes without the signature: with it a reader can refuse a forged, frozen,
// rolled-back or mixed site. Without a key the pointer has none.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { mostAheadMs } from "../../readings/calendar.ts";
import { believedTime } from "../state/published-files.ts";
import type { Pointer } from "../../site/manifest.schema.ts";
import type { PublishContext } from "../state/publish-context.ts";
import type { NamedState } from "./record.ts";
import { canonical } from "../../vault/files.ts";

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
 * Describes a change that somebody made in the pointer to our state of this version: its signature, its version, or a time that no
 * publisher of ours would write. The signature counts only if a key can create another.
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

export function signed(pointer: Omit<Pointer, "signature">, signer: KeyObject | undefined): Pointer {
  if (signer === undefined) return pointer;
  return { ...pointer, signature: sign(null, canonical(pointer), signer).toString("base64") };
}

/** One of the keys must have made it: two are known while one takes over from the other. */
export function isSignedBy(pointer: Pointer, keys: readonly KeyObject[]): boolean {
  const { signature, ...rest } = pointer;
  if (signature === undefined) return false;
  const bytes = canonical(rest);
  return keys.some((key) => verify(null, bytes, key, Buffer.from(signature, "base64")));
}

/** Undefined if there is no key to check with. */
export function signedByUs(
  { publicKeys = [], signer }: PublishContext,
  pointer: Pointer,
): boolean | undefined {
  const keys: KeyObject[] = [...publicKeys, ...(signer === undefined ? [] : [signer])];
  return keys.length === 0 ? undefined : isSignedBy(pointer, keys);
}

/** A private key as `openssl genpkey -algorithm ed25519` prints it, or its base64 without the lines around it. */
export function readSigningKey(text: string, from: string): KeyObject {
  // A file of variables keeps a key in one line, with `\n` where its lines end.
  const key = parsed(() => createPrivateKey(pemOf(text.replaceAll("\\n", "\n"), "PRIVATE KEY")));
  if (key?.asymmetricKeyType === "ed25519") return key;
  throw new UnusableKey(
    `${from} is not an Ed25519 private key in PEM format. \`openssl genpkey -algorithm ed25519\` creates one`,
  );
}

/** A public key in PEM form, or its base64 without the lines around it, which fits in a configuration. */
export function readPublicKey(text: string, from: string): KeyObject {
  // The library would take a private key and derive the public one, and the secret would stay in the configuration.
  if (text.includes("PRIVATE KEY")) {
    throw new UnusableKey(
      `${from} is a private key, which belongs only in ALMANAC_SIGNING_KEY. Create a new key, and put its public key here`,
    );
  }
  const key = parsed(() => createPublicKey(pemOf(text, "PUBLIC KEY")));
  if (key?.asymmetricKeyType === "ed25519") return key;
  throw new UnusableKey(
    `${from} is not an Ed25519 public key. \`openssl pkey -pubout\` prints it from the private key`,
  );
}

/** The public half of a key, private or public, in base64: what stands in `publishing.publicKeys`. */
export function publicHalf(key: KeyObject): string {
  const half = key.type === "private" ? createPublicKey(key) : key;
  return half.export({ format: "der", type: "spki" }).toString("base64");
}

function pemOf(text: string, kind: "PRIVATE KEY" | "PUBLIC KEY") {
  return text.includes("-----") ? text : `-----BEGIN ${kind}-----\n${text.trim()}\n-----END ${kind}-----\n`;
}

function parsed(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined; // the parser's message may quote the key
  }
}

/** Thrown for a key that can't be used; the message has no word of the key. */
export class UnusableKey extends Error {
  override readonly name = "UnusableKey";
}
