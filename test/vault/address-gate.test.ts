// What one process knows of a gate that it closes itself.
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { AddressGate } from "../../vault/address-gate.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";

const refusal = { run: "a-night", key: "daily/2026-11-21/hi/daily-tarot/reading", seen: "HTTP 401" };

const isHeld = async (gate: AddressGate) =>
  (await gate.held({ operation: "daily-tarot", language: "hi", period: "2026-11-21" })) !== undefined;

/** A gate whose first look at the vault ends when it is told to, and how many looks there were. */
function gateWithSlowLook() {
  const memory = openMemory();
  const slow = Promise.withResolvers<void>();
  let looks = 0;
  const store = {
    ...memory,
    async read(key: string) {
      looks += 1;
      const isFirst = looks === 1;
      const found = await memory.read(key);
      if (isFirst) await slow.promise;
      return found;
    },
  };
  const gate = new AddressGate(createVault(store), () => new Date());
  return { gate, looks: () => looks, endLook: slow.resolve };
}

test("requests that come at once share a look", async () => {
  const { gate, looks, endLook } = gateWithSlowLook();
  const all = Promise.all(Array.from({ length: 12 }, () => isHeld(gate)));
  await setImmediate();
  endLook();
  expect(new Set(await all)).toEqual(new Set([false]));
  expect(looks()).toBe(1);
});

test("who asks after the gate was closed here does not go by a look that began before", async () => {
  const { gate, endLook } = gateWithSlowLook();
  const before = isHeld(gate);
  await setImmediate();
  await gate.close("translator", refusal);
  const after = isHeld(gate);
  await setImmediate();
  endLook();
  expect(await before).toBe(false);
  expect(await after).toBe(true);
});
