// The hash that names what is stored.
import { hash } from "node:crypto";

/** In hexadecimal; of a string its UTF-8. */
export function sha256(bytes: Uint8Array | string): string {
  return hash("sha256", bytes);
}
