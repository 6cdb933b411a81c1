// The pointer's signature: Ed25519 over its canonical bytes without the signature. With it a reader can refuse a forged,
// frozen, rolled-back or mixed site; without a key the pointer has none.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { type Pointer } from "./manifest.schema.ts";
import { canonical } from "./state.ts";

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

/** A private key as `openssl genpkey -algorithm ed25519` prints it. Says what is wrong without a word of the key. */
export function readSigningKey(pem: string, from: string): KeyObject {
  const key = parsed(() => createPrivateKey(pem));
  if (key?.asymmetricKeyType === "ed25519") return key;
  throw new WrongKeyFile(
    `${from} is not an Ed25519 private key in PEM form; \`openssl genpkey -algorithm ed25519\` makes one`,
  );
}

/** A public key in PEM form, or its base64 without the lines around it, which fits in a configuration. */
export function readPublicKey(text: string, from: string): KeyObject {
  const pem = text.includes("-----")
    ? text
    : `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`;
  const key = parsed(() => createPublicKey(pem));
  if (key?.asymmetricKeyType === "ed25519") return key;
  throw new WrongKeyFile(
    `${from} is not an Ed25519 public key; \`openssl pkey -pubout\` prints it from the private one`,
  );
}

function parsed(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined; // what the parser says may quote the key
  }
}

export class WrongKeyFile extends Error {
  override readonly name = "WrongKeyFile";
}
