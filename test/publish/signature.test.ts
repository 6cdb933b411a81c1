// The pointer's signature: who can make it, who accepts it, and that no word of a key is ever shown.
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Pointer } from "../../site/manifest.schema.ts";
import {
  isSignedBy,
  publicHalf,
  readPublicKey,
  readSigningKey,
  signed,
  UnusableKey,
} from "../../publish/step/pointer.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { parseConfiguration } from "../../worker/settings/configuration.ts";
import { WrongConfiguration } from "../../worker/settings/configuration-problems.ts";
import { readEnvironment, WrongSettings } from "../../worker/settings/environment.ts";
import { signerFor } from "../../worker/settings/credentials.ts";

const pointer: Omit<Pointer, "signature"> = {
  format: 1,
  manifest: "a".repeat(64),
  version: 7,
  publishedAt: "2026-11-21T12:00:00.000Z",
  expires: "2026-12-05T12:00:00.000Z",
};

interface Pair {
  /** Output of `openssl genpkey -algorithm ed25519`. */
  readonly secret: string;
  readonly open: string;
  /** The part that must never leak. */
  readonly core: string;
}

function newPair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const core = secret.split("\n")[1] ?? "";
  return { secret, open: publicKey.export({ type: "spki", format: "pem" }).toString(), core };
}

const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\n/g, "");
const [one, other] = [newPair(), newPair()];
const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
const publicKeyOf = ({ open }: Pair) => readPublicKey(open, "it");

describe("a signed pointer", () => {
  const whole = signed(pointer, readSigningKey(one.secret, "it"));

  test("is accepted by its own key, even as the second of two during a rotation", () => {
    expect(isSignedBy(whole, [publicKeyOf(one)])).toBe(true);
    expect(isSignedBy(whole, [publicKeyOf(other), publicKeyOf(one)])).toBe(true);
  });

  test("is refused by any other key, by no key, and without its signature", () => {
    expect(isSignedBy(whole, [publicKeyOf(other)])).toBe(false);
    expect(isSignedBy(whole, [])).toBe(false);
    expect(isSignedBy(pointer, [publicKeyOf(one)])).toBe(false);
  });

  test("is refused after any change of its contents", () => {
    const change = fc.oneof(
      fc.record({ version: fc.integer({ min: 1 }).filter((version) => version !== pointer.version) }),
      fc.record({ manifest: fc.constantFrom("b".repeat(64), `${"a".repeat(63)}b`) }),
      fc.record({ expires: fc.constantFrom("2027-12-05T12:00:00.000Z", "2026-12-05T12:00:00Z") }),
      fc.record({ publishedAt: fc.constant("2026-11-20T12:00:00.000Z") }),
      fc.record({ signature: fc.base64String().filter((text) => text !== whole.signature) }),
    );
    fc.assert(
      fc.property(change, (changed) => {
        expect(isSignedBy({ ...whole, ...changed }, [publicKeyOf(one)])).toBe(false);
      }),
    );
  });

  test("is independent of the order of its fields", () => {
    const { version, ...rest } = whole;
    expect(isSignedBy({ version, ...rest }, [publicKeyOf(one)])).toBe(true);
  });

  test("is absent without a key", () => {
    expect(signed(pointer, undefined)).toEqual(pointer);
  });
});

describe("a key", () => {
  test.each([
    ["as openssl prints it", one.secret],
    ["in one line, with \\n where its lines end", one.secret.replaceAll("\n", "\\n")],
    ["as base64 without the lines around it", bare(one.secret)],
    ["as base64 with a line end", `${bare(one.secret)}\n`],
  ])("that signs is read %s", (_, text) => {
    expect(publicHalf(readSigningKey(text, "it"))).toBe(bare(one.open));
  });

  test.each([
    ["as openssl prints it", one.open],
    ["as base64", bare(one.open)],
    ["as what publicHalf says", publicHalf(readSigningKey(one.secret, "it"))],
  ])("that checks is read %s", (_, text) => {
    expect(publicHalf(readPublicKey(text, "it"))).toBe(bare(one.open));
  });

  const rsaSecret = rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  test.each([
    ["another algorithm", rsaSecret],
    ["a public key", one.open],
    ["half of one", one.secret.slice(0, 60)],
    ["nothing", ""],
    ["any text", "correct horse battery staple"],
  ])("that signs is refused where it is %s, without a word of it", (_, text) => {
    const error = thrownBy(() => readSigningKey(text, "/run/key"));
    expect(error).toBeInstanceOf(UnusableKey);
    expect(String(error)).toContain("/run/key is not an Ed25519 private key in PEM format. `openssl genpkey");
    for (const line of text.split("\n").filter((part) => part.length > 8)) {
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(line);
    }
  });

  test.each([
    ["another algorithm", rsa.publicKey.export({ type: "spki", format: "pem" }).toString()],
    ["any text", "abc"],
    ["a private key in base64", bare(one.secret)],
  ])("that checks is refused where it is %s", (_, text) => {
    const error = thrownBy(() => readPublicKey(text, "publishing.publicKeys.0"));
    expect(String(error)).toContain("publishing.publicKeys.0 is not an Ed25519 public key");
    expect(String(error)).not.toContain(one.core);
  });

  test("for signing is refused as a public key, which the library would accept", () => {
    const error = thrownBy(() => readPublicKey(one.secret, "publishing.publicKeys.1"));
    expect(String(error)).toContain(
      "publishing.publicKeys.1 is a private key, which belongs only in ALMANAC_SIGNING_KEY",
    );
    expect(String(error)).not.toContain(one.core);
  });
});

describe("the keys of the configuration", () => {
  const parse = (publicKeys: readonly string[]) =>
    parseConfiguration({ publishing: { publicKeys } }, "almanac.config.ts").publishing.publicKeys;

  test("are validated at the start; two are accepted, three are not", () => {
    expect(parse([bare(one.open), other.open])).toHaveLength(2);
    expect(() => parse([one.open, other.open, newPair().open])).toThrow(WrongConfiguration);
    expect(() => parse([one.open, "abc"])).toThrow(
      "invalid settings in almanac.config.ts:\n  publishing.publicKeys.1 is not an Ed25519 public key",
    );
  });

  test("never print a private key that was entered by mistake", () => {
    expect(String(thrownBy(() => parse([one.secret])))).not.toContain(one.core);
  });
});

describe("the signing key of the environment", () => {
  const configured = (...pairs: readonly Pair[]) =>
    configurationSchema.parse({ publishing: { publicKeys: pairs.map(({ open }) => open) } });
  const signer = (env: Record<string, string>, ...pairs: readonly Pair[]) =>
    signerFor(readEnvironment(env), configured(...pairs));

  function fileWith(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), "almanac-signing-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "key.pem"), text);
    return join(folder, "key.pem");
  }

  test("is absent if no variable names one", () => {
    expect(signer({})).toBeUndefined();
  });

  test("comes from the variable or the file, and may belong to either of two public keys", () => {
    for (const key of [
      signer({ ALMANAC_SIGNING_KEY: one.secret }),
      signer({ ALMANAC_SIGNING_KEY: one.secret }, other, one),
      signer({ ALMANAC_SIGNING_KEY_FILE: fileWith(one.secret) }, one),
    ]) {
      expect(key === undefined ? undefined : publicHalf(key)).toBe(bare(one.open));
    }
  });

  test("is refused with its public half if that is not among the configured keys", () => {
    const error = thrownBy(() => signer({ ALMANAC_SIGNING_KEY: one.secret }, other));
    expect(error).toBeInstanceOf(WrongSettings);
    expect(String(error)).toContain(
      `ALMANAC_SIGNING_KEY: its public key ${bare(one.open)} is not in publishing.publicKeys`,
    );
    expect(String(error)).not.toContain(one.core);
  });

  test("is refused without showing its contents if it is invalid, or its file can't be read", () => {
    const file = fileWith("correct horse battery staple");
    const wrong = [
      thrownBy(() => signer({ ALMANAC_SIGNING_KEY: "correct horse battery staple" })),
      thrownBy(() => signer({ ALMANAC_SIGNING_KEY_FILE: file })),
      thrownBy(() => signer({ ALMANAC_SIGNING_KEY_FILE: `${file}.gone` })),
    ].map(String);
    expect(wrong[0]).toContain("ALMANAC_SIGNING_KEY: it is not an Ed25519 private key in PEM form");
    expect(wrong[1]).toContain(`ALMANAC_SIGNING_KEY_FILE: ${file} is not an Ed25519 private key in PEM form`);
    expect(wrong[2]).toContain(`ALMANAC_SIGNING_KEY_FILE: ${file}.gone cannot be read (ENOENT)`);
    expect(wrong.join()).not.toContain("staple");
  });

  test("is refused if it is given twice", () => {
    const env = { ALMANAC_SIGNING_KEY: one.secret, ALMANAC_SIGNING_KEY_FILE: "/run/key" };
    expect(() => readEnvironment(env)).toThrow(
      "ALMANAC_SIGNING_KEY: set together with ALMANAC_SIGNING_KEY_FILE",
    );
  });

  test("is a secret in the environment, however that is printed", () => {
    const environment = readEnvironment({ ALMANAC_SIGNING_KEY: one.secret });
    const render = inspect(environment, { depth: 9, showHidden: true }) + JSON.stringify(environment);
    expect(render).not.toContain(one.core);
    const key = signerFor(environment, configured());
    expect(inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)).not.toContain(one.core);
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
