// Credentials that are refused are one matter for a person, however many addresses refuse them.
import { expect, test } from "vitest";
import type { Alert, Dependencies } from "../../activities/dependencies.ts";
import { Unavailable } from "../../readings/failures.ts";
import { fewInVain } from "../../readings/retry-rules.ts";
import { closedGates, AddressGate } from "../../vault/address-gate.ts";
import { watchGate } from "../../activities/gate-watch.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";
import { composed } from "../support/composed.ts";

const run = "almanac-nightly-2026-11-21";
const { signal } = new AbortController();
const now = () => new Date("2026-11-21T12:00:00Z");
const request = { operation: "daily-tarot", language: "en", period: "2026-11-21" } as const;
const english = { run, key: "daily/2026-11-21/en/daily-tarot/reading", seen: "HTTP 401" };
const hindi = { run, key: "daily/2026-11-21/hi/daily-tarot/reading", seen: "HTTP 401" };

test("of two addresses that refuse at once, in two workers, one raises the alarm", async () => {
  for (let round = 0; round < 20; round += 1) {
    const vault = createVault(openMemory());
    const workers = [new AddressGate(vault, now), new AddressGate(vault, now)];
    const alarms = await Promise.all(
      workers.flatMap((gate) => [gate.close("english", english), gate.close("translator", hindi)]),
    );
    expect(alarms.filter(Boolean)).toHaveLength(1);
    expect(await closedGates(vault)).toHaveLength(2);
  }
});

test("a second address that refuses later says nothing while the first stands, and raises the alarm when it does not", async () => {
  const gate = new AddressGate(createVault(openMemory()), now);
  expect(await gate.close("english", english)).toBe(true);
  expect(await gate.close("translator", hindi)).toBe(false);
  await gate.open("translator");
  await gate.open("english");
  expect(await gate.close("translator", hindi)).toBe(true);
});

test("the same address raises it anew when it closes again, although the gate of the time before was as old", async () => {
  let ms = now().getTime();
  const gate = new AddressGate(createVault(openMemory()), () => new Date((ms += 1)));
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

/** The service takes the credentials, whatever it thinks of the request, when it is there. */
function world(
  alert: (alert: Alert) => Promise<void>,
  stepMs = 2_000,
  away?: () => Unavailable | undefined,
): Dependencies {
  let ms = now().getTime();
  const { dependencies } = composed({ alert, now: () => new Date((ms += stepMs)) });
  const answer = { address: "http://127.0.0.1/", status: 400, retryAfter: undefined, elapsedMs: 1 };
  return {
    ...dependencies,
    service: {
      ask: async () => {
        const failure = away?.();
        if (failure !== undefined) throw failure;
        return { ...answer, body: new TextEncoder().encode("{}"), receivedAt: now() };
      },
      close: async () => undefined,
    },
  };
}

const facts = { key: english.key, address: "http://127.0.0.1/", seen: "HTTP 503" };

async function closeByFailures({ gate }: Dependencies): Promise<void> {
  for (let call = 0; call < fewInVain; call += 1) await gate.failed(request, english);
}

test("an outage is told when it has lasted for a quarter of an hour, and its end when it is over, once each", async () => {
  const said: string[] = [];
  let failure: Unavailable | undefined = new Unavailable(facts);
  const dependencies = world(
    async ({ kind }) => void said.push(kind),
    60_000,
    () => failure,
  );
  await closeByFailures(dependencies);
  expect(await closedGates(dependencies.vault)).toMatchObject([{ away: [{ language: "en" }] }]);
  const watching = watchGate({ address: "english", run, key: english.key }, signal, dependencies);
  await expect.poll(() => said).toEqual(["service-away"]);
  failure = undefined;
  await watching;
  while ((await closedGates(dependencies.vault)).length > 0)
    await watchGate({ address: "english", run, key: english.key }, signal, dependencies);
  expect(said).toEqual(["service-away", "service-back"]);
});

test("a probe that is told to come again in twenty minutes sends the next one in twenty minutes", async () => {
  const failure = new Unavailable(facts, { retryAfterMs: 20 * 60_000 });
  const dependencies = world(
    async () => undefined,
    10_000,
    () => failure,
  );
  await closeByFailures(dependencies);
  const stop = new AbortController();
  const watching = watchGate({ address: "english", run, key: english.key }, stop.signal, dependencies);
  await expect
    .poll(async () => {
      const [gate] = await closedGates(dependencies.vault);
      return Date.parse(gate?.nextProbeAt ?? "") - now().getTime();
    })
    .toBeGreaterThan(20 * 60_000);
  stop.abort();
  await expect(watching).rejects.toThrow("abort");
});

test("a clock that was put back by an hour holds no probe up for that long", async () => {
  let ms = now().getTime() + 60 * 60_000;
  const vault = createVault(openMemory());
  const gate = new AddressGate(vault, () => new Date(ms));
  await gate.close("english", english);
  const probed: string[] = [];
  const probe = async ({ key }: { readonly key: string }) => ({ isAnswered: probed.push(key) > 1 });
  const watcher = { request, answerTimeoutMs: 1_000, probe, probed: async () => undefined };
  ms = now().getTime();
  const watching = gate.watch(watcher, AbortSignal.timeout(200_000));
  await expect.poll(() => probed).toEqual([english.key]);
  const [closed] = await closedGates(vault);
  expect(closed?.nextProbeAt).toBe("2026-11-21T12:00:02.000Z"); // from here on by the clock as it is
  ms += 2_000;
  await watching;
  expect(probed).toHaveLength(2);
});
