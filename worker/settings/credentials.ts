// The secrets that the environment names: the credentials of the reading service, looked up for every call, and the key that signs the
// site's pointer. Credentials in files can be rotated during a night: each call stats the file, and reads it again only if it changed.
import { readFileSync, statSync } from "node:fs";
import type { KeyObject } from "node:crypto";
import { codeOf } from "../../store/folder-faults.ts";
import { Secret } from "../../service/secret.ts";
import type { CredentialSource } from "../../service/service.ts";
import { type Environment, type SecretFrom, WrongSettings } from "./environment.ts";
import { isSecretWord } from "./variables.ts";
import { publicHalf, readPublicKey, readSigningKey, UnusableKey } from "../../publish/step/pointer.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";

/** Two writes within a clock tick look alike, and some file systems tick in seconds: so young a file is read again. */
const settledAfterMs = 2_500;
const largestBytes = 65_536;

/** Thrown for a credentials file that can't be read now; it may be in the middle of a rotation. */
export class CredentialsUnreadable extends Error {
  override readonly name = "CredentialsUnreadable";

  constructor(variable: string, file: string, seen: string) {
    super(
      `${variable}: ${file} ${seen}. Write only the credential to that file, and make it readable for this user`,
    );
  }
}

/** Undefined when the environment names no credentials. */
export function credentialSource(
  environment: Pick<Environment, "token" | "apiKey">,
): CredentialSource | undefined {
  if (environment.token === undefined || environment.apiKey === undefined) return undefined;
  const token = readerOf(environment.token);
  const apiKey = readerOf(environment.apiKey);
  return async () => ({ token: token(), apiKey: apiKey() });
}

// The synchronous calls take microseconds, and no second call can come between the look and the reading.
export function readerOf(from: SecretFrom): () => Secret {
  if ("value" in from) return () => from.value;
  let held: { readonly state: string; readonly secret: Secret } | undefined;
  return () => {
    const look = lookAt(from);
    if (held?.state === look.state) return held.secret;
    const secret = new Secret(wordIn(from));
    held = look.settled ? { state: look.state, secret } : undefined;
    return secret;
  };
}

type SecretFile = Extract<SecretFrom, { file: string }>;

/** The state of the file, looked at before it is read, so that a change in between is seen at the next call. */
function lookAt({ variable, file }: SecretFile) {
  const stat = attempt(variable, file, () => statSync(file, { bigint: true }));
  if (!stat.isFile()) throw new CredentialsUnreadable(variable, file, "is not a file");
  if (stat.size > largestBytes)
    throw new CredentialsUnreadable(variable, file, "is too large for a credential");
  return {
    state: [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join("-"),
    settled: Date.now() - Number(stat.mtimeMs) > settledAfterMs,
  };
}

function wordIn({ variable, file }: SecretFile) {
  const word = attempt(variable, file, () => readFileSync(file, "utf8")).replace(/\r?\n$/, "");
  if (word === "") throw new CredentialsUnreadable(variable, file, "is empty");
  if (isSecretWord(word)) return word;
  throw new CredentialsUnreadable(variable, file, "contains more than one word of printable ASCII");
}

function attempt<T>(variable: string, file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CredentialsUnreadable(variable, file, `cannot be read (${codeOf(error) ?? "unknown error"})`);
  }
}

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
