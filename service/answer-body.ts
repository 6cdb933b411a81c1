// A body while it is being read: it grows as bytes come in, and never beyond its limit.

export const bodyLimitBytes = 4 * 1024 * 1024;

export class Body {
  #bytes: Uint8Array = new Uint8Array(0);
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** False when the chunk does not fit: the body keeps what it had. */
  add(chunk: Uint8Array): boolean {
    const sizeBytes = this.#sizeBytes + chunk.length;
    if (sizeBytes > bodyLimitBytes) return false;
    // The first chunk, mostly the only one, is taken as it is. Further ones are copied, not collected: chunks of one
    // byte would each hold on to the whole buffer of the socket they came in.
    if (this.#sizeBytes === 0) this.#bytes = chunk;
    else this.#append(chunk, sizeBytes);
    this.#sizeBytes = sizeBytes;
    return true;
  }

  /** Plain bytes, though the network library deals in Buffers. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#sizeBytes);
  }

  #append(chunk: Uint8Array, neededBytes: number) {
    if (neededBytes > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(Math.max(neededBytes, this.#bytes.length * 2), bodyLimitBytes));
      larger.set(this.bytes());
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#sizeBytes);
  }
}
