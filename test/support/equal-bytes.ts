// Bytes are compared as bytes: vitest goes through them one by one, which for a rendered site takes seconds.
import { expect } from "vitest";

function areEqualBytes(one: unknown, other: unknown): boolean | undefined {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return undefined;
  // A Buffer is no Uint8Array to vitest, and stays none.
  return one.constructor === other.constructor ? Buffer.compare(one, other) === 0 : undefined;
}

expect.addEqualityTesters([areEqualBytes]);
