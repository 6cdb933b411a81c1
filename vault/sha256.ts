// The hash that names objects, bodies and parts.
import { hash } from "node:crypto";

/** Hexadecimal; a string is hashed as UTF-8. */
export function sha256(bytes: Uint8Array | string): string {
  return hash("sha256", bytes);
}
