// The key that signs the site's pointer, from the environment or a file, checked against the public keys that readers have.
import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { publicHalf, readPublicKey, readSigningKey, UnusableKey } from "../../publish/state/signature.ts";
import { codeOf } from "../../store/folder-faults.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { type Environment, type SecretFrom, WrongSettings } from "./environment.ts";

/** Undefined when the environment names no key: the pointer is not signed then. */
export function signerFor(
  { signingKey }: Pick<Environment, "signingKey">,
  { publishing }: Pick<Configuration, "publishing">,
): KeyObject | undefined {
  if (signingKey === undefined) return undefined;
  const name = "value" in signingKey ? "ALMANAC_SIGNING_KEY" : signingKey.variable;
  const wrong = (problem: string) => new WrongSettings([{ name, problem }]);
  try {
    const signer = readSigningKey(textOf(signingKey), "value" in signingKey ? "it" : signingKey.file);
    const half = publicHalf(signer);
    const known = publicKeysOf(publishing.publicKeys).map(publicHalf);
    if (known.length === 0 || known.includes(half)) return signer;
    throw wrong(
      `its public key ${half} is not in publishing.publicKeys, so every client would reject the site. Add it there first`,
    );
  } catch (error) {
    if (error instanceof UnusableKey) throw wrong(error.message);
    throw error;
  }
}

export function publicKeysOf(texts: readonly string[]): KeyObject[] {
  return texts.map((text, index) => readPublicKey(text, `publishing.publicKeys.${index}`));
}

function textOf(from: SecretFrom) {
  if ("value" in from) return from.value.reveal();
  try {
    return readFileSync(from.file, "utf8");
  } catch (error) {
    throw new UnusableKey(`${from.file} cannot be read (${codeOf(error) ?? "unknown error"})`);
  }
}
