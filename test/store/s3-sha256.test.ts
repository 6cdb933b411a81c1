// The hash that signs calls is Node's own, whatever the key and the pieces.
import { createHash, createHmac } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Sha256 } from "../../store/s3-client.ts";

const data = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 200 }));

test("hashes and signs like Node, with more keys than it caches", async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(data, { nil: undefined }), fc.array(data), async (secret, parts) => {
      const ours = new Sha256(secret);
      const nodes = secret === undefined ? createHash("sha256") : createHmac("sha256", secret);
      for (const part of parts) {
        ours.update(part);
        nodes.update(part);
      }
      expect(Buffer.from(await ours.digest())).toEqual(nodes.digest());
    }),
    { numRuns: 300 },
  );
});

test("hashes only the given part of a larger buffer", async () => {
  const whole = Buffer.from("before, the text, after");
  const part = new Uint8Array(whole.buffer, whole.byteOffset + 8, 8);
  const ours = new Sha256();
  ours.update(part);
  expect(Buffer.from(await ours.digest())).toEqual(createHash("sha256").update("the text").digest());
});
