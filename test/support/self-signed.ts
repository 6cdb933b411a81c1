// Self-signed certificates for tests with TLS, made here because Node has no function for that.
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

/** One ASN.1 value. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const named = (name: string): Buffer =>
  der(0x30, der(0x31, der(0x30, oid("550403"), der(0x0c, Buffer.from(name)))));
const ecdsaWithSha256 = der(0x30, oid("2a8648ce3d040302"));
const yes = der(0x01, Buffer.from([255]));
const extension = (id: string, value: Buffer): Buffer => der(0x30, oid(id), yes, der(0x04, value));

const isAuthority = extension("551d13", der(0x30, yes));
const ofMachine = (name: string, address: string) =>
  extension(
    "551d11",
    der(0x30, der(0x82, Buffer.from(name)), der(0x87, Buffer.from(address.split(".").map(Number)))),
  );
const ofThisMachine = ofMachine("localhost", "127.0.0.1");

export interface Certificate {
  readonly name: string;
  readonly key: KeyObject;
  readonly keyText: string;
  readonly cert: string;
}

let serial = 1;

/** Signed by an authority, or by itself, which makes it an authority. */
export function certificate(name: string, by?: Certificate, endsAt = "490101000000Z"): Certificate {
  const { privateKey: key, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return signed(
    name,
    key,
    publicKey,
    by ?? { name, key },
    endsAt,
    by === undefined ? isAuthority : ofThisMachine,
  );
}

function signed(
  name: string,
  key: KeyObject,
  publicKey: KeyObject,
  by: Pick<Certificate, "name" | "key">,
  endsAt: string,
  extensions?: Buffer,
): Certificate {
  const validity = der(0x30, ...["200101000000Z", endsAt].map((time) => der(0x17, Buffer.from(time))));
  serial += 1;
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, serial >> 8, serial & 255])),
    ecdsaWithSha256,
    named(by.name),
    validity,
    named(name),
    publicKey.export({ type: "spki", format: "der" }),
    ...(extensions === undefined ? [] : [der(0xa3, der(0x30, extensions))]),
  );
  const signature = createSign("sha256").update(body).sign(by.key);
  const whole = der(0x30, body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`;
  return { name, key, keyText: key.export({ type: "pkcs8", format: "pem" }).toString(), cert };
}

/** A certificate for localhost, at that address too, that nobody but itself vouches for. */
export function selfSigned(address = "127.0.0.1"): Pick<Certificate, "key" | "cert"> {
  const { privateKey: key, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const by = { name: "localhost", key };
  return signed("localhost", key, publicKey, by, "490101000000Z", ofMachine("localhost", address));
}
