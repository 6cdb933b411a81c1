// The pointer's signature: Ed25519 over its canonical bytes without the signature. With it a reader can refuse a forged,
// frozen, rolled-back or mixed site; without a key the pointer has none.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Pointer } from "../../site/manifest.schema.ts";
import { canonical } from "../../vault/json.ts";

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
    return undefined; // what the parser says may quote the key
  }
}

/** Thrown for a key that can't be used; the message has no word of the key. */
export class UnusableKey extends Error {
  override readonly name = "UnusableKey";
}
