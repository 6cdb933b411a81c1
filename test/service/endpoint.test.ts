// One endpoint in one process, step by step: the number of batches that it accepts, and calls that must not leave.
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Unavailable } from "../../readings/answer.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { Breaker, BreakerOpen } from "../../service/breaker.ts";
import { Endpoint } from "../../service/endpoint.ts";
import { type CallHooks, type EndpointCalls, NotOwner } from "../../service/owned-endpoint.ts";
import { Leases } from "../../store/lease.ts";
import { chanceFrom, PlayedProcess, PlayedStore, PlayedTime } from "../support/played-processes.ts";

const never = new AbortController().signal;
const request: ReadingRequest = { operation: "daily-tarot", language: "hi", period: "2026-11-21" };
const sending = { request, caller: { run: "night", start: "first" }, width: 4, signal: never };
const log = { info: () => undefined, warn: () => undefined };
const leaseKey = "leases/english.json";

function world({ concurrency = 24, ratePerSecond = 100 } = {}) {
  const time = new PlayedTime();
  const store = new PlayedStore(time, chanceFrom(1), () => undefined);
  const make = () => {
    const clock = new PlayedProcess(time);
    const leases = new Leases({ store: store.seenBy(clock), where: "here", log, clock });
    const breakers: Breaker[] = [];
    const endpoint = new Endpoint({
      name: "english",
      leaseKey,
      purpose: "test",
      figures: { ratePerSecond, concurrency, answerTimeoutMs: 30_000 },
      leases,
      openBreaker: async () => {
        const breaker = new Breaker({ clock, chance: () => 0.5 });
        breakers.push(breaker);
        return breaker;
      },
      log,
    });
    return { endpoint, leases, clock, breakers };
  };
  return { time, store, make };
}

/** A batch that waits until the test ends it. */
function held(endpoint: Endpoint) {
  const calls = Promise.withResolvers<EndpointCalls>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const ended = endpoint.batch(async (given) => {
    calls.resolve(given);
    await over;
  });
  ended.catch((error: unknown) => calls.reject(error));
  calls.promise.catch(() => undefined);
  return { calls: calls.promise, end };
}

/** A call whose connection opens and whose response arrives when the test says so. */
function slowCall() {
  const { promise: connected, resolve: connect } = Promise.withResolvers<void>();
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const call = async ({ onSent, onResponse }: CallHooks): Promise<string> => {
    await connected;
    try {
      onSent();
    } catch (error) {
      const seen = `not sent: ${String(error)}`; // the connection's message
      throw new Unavailable({ key: requestKey(request), address: "test", seen });
    }
    await response;
    onResponse();
    return "a reading";
  };
  return { call, connect, respond };
}

test("a process accepts one batch while the endpoint is free, enough for its calls as owner, and none as standby", async () => {
  const { time, make } = world();
  const [one, other] = [make().endpoint, make().endpoint];
  expect([one.permits.tryReserve(), one.permits.tryReserve()]).toEqual([true, false]);
  const batch = held(one);
  await time.runUntil(500);
  await batch.calls;
  let more = 0;
  while (one.permits.tryReserve()) more += 1;
  expect(more).toBe(3); // 24 places and 12 more, in batches of 12, none of whose requests is here
  expect(other.permits.tryReserve()).toBe(true);
  const refused = held(other);
  await time.runUntil(1_000);
  await expect(refused.calls).rejects.toThrow(NotOwner);
  other.permits.release();
  expect([other.state, other.permits.tryReserve()]).toEqual(["standby", false]);
  const reserved: string[] = [];
  void other.permits.reserve(never).then(() => reserved.push("standby"));
  batch.end();
  await time.runUntil(20_000);
  expect(reserved).toEqual([]);
  void one.close();
  await time.runUntil(24_000);
  expect(reserved).toEqual(["standby"]);
  expect([one.state, other.state]).toEqual(["closing", "free"]);
});

test("a process that sees a run watches another's lease, so it takes over at most 27 s after a death", async () => {
  const { time, make } = world();
  const [one, watching] = [make(), make()];
  const batch = held(one.endpoint);
  await time.runUntil(500);
  await batch.calls;
  await Promise.all([watching.endpoint.runSeen(), time.runUntil(1_000)]);
  expect([watching.endpoint.state, watching.endpoint.permits.tryReserve()]).toEqual(["standby", false]);
  await time.runUntil(60_000);
  one.clock.kill();
  await time.runUntil(60_000 + 27_000);
  expect(watching.endpoint.state).toBe("free");
});

test("a response that the vault did not take shows that the service is up: only failures in a row open the breaker", async () => {
  const { time, make } = world();
  const { endpoint, breakers } = make();
  const batch = held(endpoint);
  await time.runUntil(500);
  const calls = await batch.calls;
  const failed = new Unavailable({ key: requestKey(request), address: "test", seen: "HTTP 503" });
  const full = new Error("no space left on device");
  const five = Array.from({ length: 5 }, () => failed);
  const outcomes = [...five, full, ...five];
  for (const [at, outcome] of outcomes.entries()) {
    const sent = calls.send(sending, async ({ onSent, onResponse }) => {
      onSent();
      if (outcome === full) onResponse();
      throw outcome;
    });
    sent.catch(() => undefined);
    await time.runUntil(2_000 + at * 100);
    await expect(sent).rejects.toBe(outcome);
  }
  expect(breakers.map(({ openSinceMs, silentSinceMs }) => [openSinceMs, silentSinceMs])).toEqual([
    [undefined, undefined],
  ]);
  calls.check(request, sending.caller);
  batch.end();
});

test("a call whose lease is lost during connect is not sent, is no evidence, and is refused as NotOwner", async () => {
  const { time, store, make } = world();
  const { endpoint, breakers } = make();
  const batch = held(endpoint);
  await time.runUntil(500);
  const calls = await batch.calls;
  store.trouble = { mostMs: 40, unsent: 1, lost: 0, late: 0 };
  await time.runUntil(17_000);
  const slow = Array.from({ length: 8 }, slowCall);
  const ends = slow.map(({ call }) => calls.send(sending, call).catch((error: unknown) => error));
  await time.runUntil(20_500);
  for (const { connect } of slow) connect();
  for (const end of await Promise.all(ends)) expect(end).toBeInstanceOf(NotOwner);
  expect(breakers[0]?.openSinceMs).toBeUndefined();
  expect(breakers[0]?.note().outage).toBeUndefined();
});

test("a call that connects for longer than 5 s is not sent, and is no evidence either", async () => {
  const { time, make } = world();
  const { endpoint } = make();
  const batch = held(endpoint);
  await time.runUntil(500);
  const calls = await batch.calls;
  const { call, connect } = slowCall();
  const end = calls.send(sending, call).catch(String);
  await time.runUntil(6_000);
  connect();
  expect(await end).toContain("HeldUp");
});

test("at the end of a process, waiting calls are refused, and sent calls continue", async () => {
  const { time, make } = world({ concurrency: 1 });
  const { endpoint } = make();
  const next = make();
  const batch = held(endpoint);
  await time.runUntil(500);
  const calls = await batch.calls;
  const left = slowCall();
  left.connect();
  const first = calls.send(sending, left.call);
  const waiting = calls.send(sending, slowCall().call).catch((error: unknown) => error);
  await time.runUntil(1_000);
  const closing = endpoint.close();
  expect(await waiting).toBeInstanceOf(NotOwner);
  await expect(calls.send(sending, slowCall().call)).rejects.toThrow(NotOwner);
  await time.runUntil(2_000);
  await closing;
  const looked = next.leases.look(leaseKey);
  await time.runUntil(3_000);
  expect(await looked).toMatchObject({ isTakeable: true, entry: { state: "released" } });
  left.respond();
  expect(await first).toBe("a reading");
});

test("an endpoint without responses accepts only one batch, when a probe is due", async () => {
  const { time, make } = world();
  const { endpoint, breakers } = make();
  const batch = held(endpoint);
  await time.runUntil(500);
  const calls = await batch.calls;
  const fail = async ({ onSent }: CallHooks): Promise<never> => {
    onSent();
    throw new Unavailable({ key: requestKey(request), address: "test", status: 503, seen: "nothing" });
  };
  const languages = ["hi", "ja", "el"] as const;
  const operations = ["daily-tarot", "wisdom-reading"] as const;
  const all = operations.flatMap((operation) =>
    languages.map((language) => ({ ...request, operation, language })),
  );
  const ends = [...all, ...all].map((one) => calls.send({ ...sending, request: one }, fail).catch(String));
  await time.runUntil(1_000);
  await Promise.all(ends);
  expect(breakers[0]?.openSinceMs).toBeDefined();
  batch.end();
  await setImmediate();
  expect(endpoint.permits.tryReserve()).toBe(false);
  await expect(endpoint.batch((given) => given.send(sending, fail))).rejects.toThrow(BreakerOpen);
  await time.runUntil(7_000);
  expect([endpoint.permits.tryReserve(), endpoint.permits.tryReserve()]).toEqual([true, false]);
});

test("a lease without an owner and an unreadable note cost one batch", async () => {
  const { time, store } = world();
  const clock = new PlayedProcess(time);
  let isReadable = false;
  const endpoint = new Endpoint({
    name: "english",
    leaseKey,
    purpose: "test",
    figures: { ratePerSecond: 20, concurrency: 20, answerTimeoutMs: 30_000 },
    leases: new Leases({ store: store.seenBy(clock), where: "here", log, clock }),
    openBreaker: async () => {
      if (!isReadable) throw new Error("the note can't be read");
      return new Breaker({ clock });
    },
    log,
  });
  const failed = endpoint.batch(async () => "done").catch(String);
  await time.runUntil(1_000);
  expect(await failed).toBe("Error: the note can't be read");
  isReadable = true;
  const done = endpoint.batch(async () => "done");
  await time.runUntil(2_000);
  expect(await done).toBe("done");
});

test("a call that fails before its connection is open gives up its place, and the next one leaves at the rate", async () => {
  const { time, make } = world({ ratePerSecond: 1 });
  const batch = held(make().endpoint);
  await time.runUntil(500);
  const calls = await batch.calls;
  const failing = calls.send(sending, async () => {
    throw new Unavailable({ key: requestKey(request), address: "test", seen: "connection refused" });
  });
  const failed = failing.catch(String);
  await time.runUntil(1_000);
  expect(await failed).toContain("connection refused");
  const { call, connect, respond } = slowCall();
  connect();
  respond();
  let result = "waits";
  void calls.send({ ...sending, request: { ...request, operation: "wisdom-reading" } }, call).then(
    (done) => (result = done),
    (error: unknown) => (result = String(error)),
  );
  await time.runUntil(2_600); // its place would be taken for 5 s
  expect(result).toBe("a reading");
  batch.end();
});
