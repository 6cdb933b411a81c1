// Credentials that are refused are one matter for a person, however many addresses refuse them.
import { expect, test } from "vitest";
import type { Alert, Dependencies } from "../../activities/dependencies.ts";
import { closedGates, createGate } from "../../vault/credentials-gate.ts";
import { watchGate } from "../../activities/gate-watch.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";
import { composed } from "../support/composed.ts";

const run = "almanac-nightly-2026-11-21";
const { signal } = new AbortController();
const now = () => new Date("2026-11-21T12:00:00Z");
const english = { run, key: "daily/2026-11-21/en/daily-tarot/reading", seen: "HTTP 401" };
const hindi = { run, key: "daily/2026-11-21/hi/daily-tarot/reading", seen: "HTTP 401" };

test("of two addresses that refuse at once, in two workers, one raises the alarm", async () => {
  for (let round = 0; round < 20; round += 1) {
    const vault = createVault(openMemory());
    const workers = [createGate(vault, now), createGate(vault, now)];
    const alarms = await Promise.all(
      workers.flatMap((gate) => [gate.close("english", english), gate.close("translator", hindi)]),
    );
    expect(alarms.filter(Boolean)).toHaveLength(1);
    expect(await closedGates(vault)).toHaveLength(2);
  }
});

test("a second address that refuses later says nothing while the first stands, and raises the alarm when it does not", async () => {
  const gate = createGate(createVault(openMemory()), now);
  expect(await gate.close("english", english)).toBe(true);
  expect(await gate.close("translator", hindi)).toBe(false);
  await gate.open("translator");
  await gate.open("english");
  expect(await gate.close("translator", hindi)).toBe(true);
});

test("the same address raises it anew when it closes again, although the gate of the time before was as old", async () => {
  let ms = now().getTime();
  const gate = createGate(createVault(openMemory()), () => new Date((ms += 1)));
  expect(await gate.close("english", english)).toBe(true);
  await gate.open("english");
  expect(await gate.close("english", english)).toBe(true);
});

test("that the credentials work again is said once, when the last of the addresses takes them", async () => {
  const said: Alert[] = [];
  const dependencies = world(async (alert) => void said.push(alert));
  await dependencies.gate.close("english", english);
  await dependencies.gate.close("translator", hindi);
  await Promise.all([
    watchGate({ address: "english", run, key: english.key }, signal, dependencies),
    watchGate({ address: "translator", run, key: hindi.key }, signal, dependencies),
  ]);
  expect(await closedGates(dependencies.vault)).toEqual([]);
  expect(said).toEqual([{ kind: "gate-opened", text: expect.stringContaining("work again") }]);
});

/** The service takes the credentials, whatever it thinks of the request. */
function world(alert: (alert: Alert) => Promise<void>): Dependencies {
  let ms = now().getTime();
  const { dependencies } = composed({ alert, now: () => new Date((ms += 2_000)) });
  const answer = { address: "http://127.0.0.1/", status: 400, retryAfter: undefined, elapsedMs: 1 };
  return {
    ...dependencies,
    service: {
      ask: async () => ({ ...answer, body: new TextEncoder().encode("{}"), receivedAt: now() }),
      close: async () => undefined,
    },
  };
}

test("a clock that was put back by an hour holds no probe up for that long", async () => {
  let ms = now().getTime() + 60 * 60_000;
  const vault = createVault(openMemory());
  const gate = createGate(vault, () => new Date(ms));
  await gate.close("english", english);
  const probed: string[] = [];
  const probe = async (key: string) => probed.push(key) > 1;
  ms = now().getTime();
  const watching = gate.watch("english", probe, AbortSignal.timeout(10_000));
  await expect.poll(() => probed).toEqual([english.key]);
  const [closed] = await closedGates(vault);
  expect(closed?.nextProbeAt).toBe("2026-11-21T12:00:02.000Z"); // from here on by the clock as it is
  ms += 2_000;
  await watching;
  expect(probed).toHaveLength(2);
});
