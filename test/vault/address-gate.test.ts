// What one process knows of a gate that it closes itself.
import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { AddressGate } from "../../vault/address-gate.ts";
import { layout } from "../../vault/layout.ts";
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

// An answer may take half a minute, and a worker that asked nothing waits for its share of the rate besides.
test("while a probe waits for its turn or its answer, no other worker sends one for the same refused request", async () => {
  let ms = Date.parse("2026-11-21T12:00:00Z");
  const vault = createVault(openMemory());
  const one = new AddressGate(vault, () => new Date(ms));
  const other = new AddressGate(vault, () => new Date(ms));
  await one.close("translator", refusal);
  ms += 1_000;
  const probed: string[] = [];
  const answer = Promise.withResolvers<void>();
  const watcher = {
    request: { operation: "daily-tarot", language: "hi", period: "2026-11-21" } as const,
    answerTimeoutMs: 30_000,
    probe: async ({ key }: { readonly key: string }) => {
      probed.push(key);
      await answer.promise;
      return { isAnswered: true };
    },
    probed: async () => undefined,
  };
  const watching = [one, other].map((gate) => gate.watch(watcher, AbortSignal.timeout(200_000)));
  await expect.poll(() => probed).toEqual([refusal.key]);
  ms += 25_000;
  await delay(1_500); // each looks every half second
  answer.resolve();
  await Promise.all(watching);
  expect(probed).toEqual([refusal.key]);
});

// docs/operating.md says so to operators who know that the service answers again.
test("a gate whose file an operator removes is open at once, without a probe", async () => {
  const at = new Date("2026-11-21T12:00:00Z");
  const vault = createVault(openMemory());
  const gate = new AddressGate(vault, () => at); // the time of the next probe never comes
  await gate.close("translator", refusal);
  let probes = 0;
  const watcher = {
    request: { operation: "daily-tarot", language: "hi", period: "2026-11-21" } as const,
    answerTimeoutMs: 30_000,
    probe: async () => ({ isAnswered: (probes += 1) > 0 }),
    probed: async () => undefined,
  };
  let isOver = false;
  const watching = gate.watch(watcher, AbortSignal.timeout(120_000)).then(() => (isOver = true));
  expect(await isHeld(gate)).toBe(true);
  expect(isOver).toBe(false);
  await vault.store.remove([layout.gate("translator")]);
  await watching;
  expect(await isHeld(gate)).toBe(false);
  expect(probes).toBe(0);
});
