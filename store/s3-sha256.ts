// The hash by which the SDK signs its calls, with keys that are prepared once: to prepare one costs five times the hash itself,
// and each call needs two that are always the same.
import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

type Data = string | ArrayBuffer | ArrayBufferView;

/** A worker has few credentials; those of a role are others after some hours, and the key of a signature each day. */
const mostKeys = 16;
const keys = new Map<string, KeyObject>();

export class Sha256 {
  readonly #key: KeyObject | undefined;
  readonly #parts: Buffer[] = [];

  constructor(secret?: Data) {
    this.#key = secret === undefined ? undefined : preparedKey(bytesOf(secret));
  }

  update(data: Data): void {
    this.#parts.push(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    const [first = Buffer.alloc(0), ...more] = this.#parts;
    const bytes = more.length === 0 ? first : Buffer.concat(this.#parts);
    return this.#key === undefined
      ? hash("sha256", bytes, "buffer")
      : createHmac("sha256", this.#key).update(bytes).digest();
  }
}

function preparedKey(secret: Buffer): KeyObject {
  const name = secret.toString("base64");
  const known = keys.get(name);
  if (known !== undefined) return known;
  const made = createSecretKey(secret);
  const [oldest] = keys.keys();
  if (oldest !== undefined && keys.size >= mostKeys) keys.delete(oldest);
  keys.set(name, made);
  return made;
}

function bytesOf(data: Data): Buffer {
  if (typeof data === "string") return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}
