// One owner at a time makes the calls of an endpoint, in simulated time (support/played-endpoints.ts).
import { expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { PlayedEndpoints } from "./support/played-endpoints.ts";

const calm = { mostMs: 40, unsent: 0, lost: 0, late: 0 };

test("the first process with a batch makes all calls at the rate, and every other process refuses at most one batch", async () => {
  const played = new PlayedEndpoints(1);
  const owners = [1, 2, 3].map(() => played.owner(20));
  await played.time.runUntil(1_000);
  expect([played.store.reads, played.store.writes]).toEqual([0, 0]);
  played.want(240);
  await played.time.runUntil(60_000);
  expect(played.stored.size).toBe(240);
  expect(played.mostInASecond).toBeLessThanOrEqual(21);
  expect(owners.filter(({ sent }) => sent > 0)).toHaveLength(1);
  for (const { refused } of owners) expect(refused).toBeLessThanOrEqual(1);
  const tookMs = (played.sent.at(-1)?.atMs ?? 0) - 1_000;
  expect(tookMs / 12_000).toBeLessThan(1.03);
  expect(played.repeats).toBe(0);
});

test("an idle owner releases the lease after a minute, and then nothing is read or written", async () => {
  const played = new PlayedEndpoints(2);
  const [one] = [played.owner(20), played.owner(20)];
  played.want(24);
  await played.time.runUntil(50_000);
  expect(played.owners.map(({ endpoint }) => endpoint.state).toSorted()).toEqual(["owner", "standby"]);
  await played.time.runUntil(70_000);
  expect(played.owners.map(({ endpoint }) => endpoint.state)).toEqual(["free", "free"]);
  const { reads, writes } = played.store;
  await played.time.runUntil(600_000);
  expect([played.store.reads, played.store.writes]).toEqual([reads, writes]);
  const beforeMs = played.time.nowMs;
  played.want(1);
  await played.time.runUntil(610_000);
  expect(played.sentIn(beforeMs, beforeMs + 500), "nothing was sent for long: no silence").toBe(1);
  expect(one?.refused).toBeLessThanOrEqual(1);
});

test("another process calls within 5 s after a clean end, and within 35 s after a death, which repeats only calls in flight", async () => {
  for (let seed = 1; seed <= (deep ? 100 : 15); seed += 1) {
    const played = new PlayedEndpoints(seed);
    for (let count = 0; count < 3; count += 1) played.owner(20);
    played.want(2_400);
    await played.time.runUntil(20_000 + played.chance() * 5_000);
    const ending = played.owners.find(({ endpoint }) => endpoint.state === "owner");
    if (ending === undefined) throw new Error("nobody owns the endpoint");
    const endedMs = played.time.nowMs;
    void ending.endpoint.close();
    await played.time.runUntil(endedMs + 15_000);
    expect(played.nextAfter(endedMs, ending.name), `seed ${seed}`).toBeLessThan(5_000);
    expect(played.nextAfter(endedMs, ending.name), `seed ${seed}`).toBeGreaterThan(900);
    expect(played.repeats).toBe(0);
    const dying = played.owners.find(({ endpoint }) => endpoint.state === "owner");
    if (dying === undefined) throw new Error("nobody owns the endpoint");
    const diedMs = played.time.nowMs;
    played.kill(dying);
    await played.time.runUntil(diedMs + 60_000);
    expect(played.nextAfter(diedMs, dying.name), `seed ${seed}`).toBeLessThan(35_000);
    await played.time.runUntil(diedMs + 200_000);
    expect(played.stored.size).toBe(2_400);
    expect(played.repeats).toBeLessThanOrEqual(played.mayRepeat);
    expect(played.mostInASecond).toBeLessThanOrEqual(21);
  }
});

test("an owner frozen beyond its lease sends nothing when it resumes", async () => {
  const played = new PlayedEndpoints(4);
  for (let count = 0; count < 2; count += 1) played.owner(20);
  played.want(2_400);
  await played.time.runUntil(20_000);
  const stopped = played.owners.find(({ endpoint }) => endpoint.state === "owner");
  stopped?.process.stop();
  const { sent } = stopped ?? {};
  await played.time.runUntil(70_000);
  expect(played.sentIn(60_000, 70_000)).toBeGreaterThan(180);
  stopped?.process.goOn();
  await played.time.runUntil(80_000);
  expect(stopped?.sent).toBe(sent);
  expect(stopped?.endpoint.state).toBe("standby");
  expect(played.mostInASecond).toBeLessThanOrEqual(21);
});

test.each([
  { isNarrow: false, what: "of all kinds", rate: 20, wanted: 1_200, seed: 5 },
  { isNarrow: true, what: "of one language and operation", rate: 20, wanted: 1_200, seed: 5 },
  { isNarrow: true, what: "at the end of a night", rate: 1, wanted: 24, seed: 4 },
])(
  "an owner whose calls $what get no response hands over after a minute, and the next one calls on",
  async ({ isNarrow, rate, wanted, seed }) => {
    const played = new PlayedEndpoints(seed);
    played.isNarrow = isNarrow;
    for (let count = 0; count < 2; count += 1) played.owner(rate);
    played.want(wanted);
    await played.time.runUntil(20_000);
    const cut = played.owners.find(({ endpoint }) => endpoint.state === "owner");
    if (cut === undefined) throw new Error("nobody owns the endpoint");
    cut.isConnected = false;
    const cutMs = played.time.nowMs;
    await played.time.runUntil(300_000);
    const outMs = cut.states.find(({ state }) => state === "out")?.atMs ?? Infinity;
    expect(outMs - cutMs).toBeGreaterThan(60_000);
    expect(outMs - cutMs).toBeLessThan(70_000);
    expect(played.stored.size).toBe(wanted);
    await played.time.runUntil(outMs + 310_000);
    expect(cut.endpoint.state).not.toBe("out");
  },
);

test("a single owner keeps the endpoint during an outage, and calls again afterward", async () => {
  const played = new PlayedEndpoints(6);
  const lonely = played.owner(20);
  played.want(600);
  await played.time.runUntil(10_000);
  played.isThere = false;
  await played.time.runUntil(3_600_000);
  expect(played.sentIn(0, 3_600_000) - played.stored.size).toBeLessThanOrEqual(62); // 60, and one at a hand-over to itself
  expect(lonely.states.filter(({ state }) => state === "out").length).toBeLessThan(14);
  played.isThere = true;
  await played.time.runUntil(3_600_000 + 600_000);
  expect(played.stored.size).toBe(600);
});

test("an owner without contact to Temporal for 20 s hands over", async () => {
  const played = new PlayedEndpoints(7);
  const [one, other] = [played.owner(20), played.owner(20)];
  played.want(2_400);
  await played.time.runUntil(5_000);
  const owner = one?.endpoint.state === "owner" ? one : other;
  if (owner === undefined) throw new Error("nobody owns the endpoint");
  owner.endpoint.heardFromTemporal();
  owner.hearsTemporal = false;
  await played.time.runUntil(40_000);
  expect(owner.states.map(({ state }) => state)).toEqual(["owner", "out"]);
  const next = owner === one ? other : one;
  expect(next?.sent).toBeGreaterThan(0);
  expect(played.mostInASecond).toBeLessThanOrEqual(21);
});

test("a process with another rate uses its own while it is the owner, after a silence", async () => {
  for (const [first, second] of [
    [20, 0.2],
    [0.2, 20],
  ] as const) {
    const played = new PlayedEndpoints(8);
    const one = played.owner(first);
    played.want(2_400);
    await played.time.runUntil(30_000);
    const before = played.sent.length;
    played.owner(second);
    void one.endpoint.close();
    await played.time.runUntil(60_000);
    const later = played.sentIn(32_000, 60_000);
    expect(later).toBeGreaterThan(second * 20);
    expect(later).toBeLessThan(second * 28 + 2);
    expect(before).toBeGreaterThan(first * 25 - 2);
    const lastMs = played.sent.findLast(({ name }) => name === one.name)?.atMs ?? Infinity;
    expect(played.nextAfter(lastMs, one.name)).toBeGreaterThanOrEqual(1_000);
  }
});

async function troubled(seed: number): Promise<{
  readonly played: PlayedEndpoints;
  readonly rate: number;
  readonly lastMinute: number;
}> {
  const played = new PlayedEndpoints(seed);
  const { chance, time, store, owners } = played;
  const rate = [20, 20, 7, 2.5, 1, 0.5][Math.floor(chance() * 6)] ?? 1;
  const join = (): void => void played.owner(rate, 30, 1 + (chance() - 0.5) / 1000);
  played.heldUp = 0.02;
  store.isSlowToWrite = chance() < 0.3;
  played.want(Math.ceil(rate * 600));
  for (let count = 1 + Math.floor(chance() * 3); count > 0; count -= 1) join();
  for (let atMs = 5_000; atMs < 200_000; atMs += 500 + chance() * 15_000) {
    await time.runUntil(atMs);
    const owner = owners[Math.floor(chance() * owners.length)];
    const lot = chance();
    if (lot < 0.15) store.trouble = { ...calm, mostMs: chance() * 8_000 };
    else if (lot < 0.3)
      store.trouble = {
        mostMs: 500,
        unsent: chance() * 0.5,
        lost: chance() * 0.3,
        late: chance() * 0.2,
      };
    else if (lot < 0.35) store.trouble = { ...calm, unsent: 1 };
    else if (lot < 0.5) store.trouble = calm;
    else if (lot < 0.55) played.isThere = !played.isThere;
    else if (owner === undefined) continue;
    else if (lot < 0.7 && owner.process.isUp) {
      if (chance() < 0.5) owner.process.stop();
      else owner.process.suspend();
      played.mayRepeat += owner.inFlight;
      time.at(time.nowMs + chance() * 60_000, () => owner.process.goOn());
    } else if (lot < 0.75) played.kill(owner);
    else if (lot < 0.85) void owner.endpoint.close();
    else if (owners.length < 8) join();
  }
  store.trouble = calm;
  played.isThere = true;
  played.heldUp = 0;
  join();
  await time.runUntil(460_000);
  const before = played.sent.length;
  await time.runUntil(520_000);
  return { played, rate, lastMinute: played.sent.length - before };
}

const nights = deep ? 500 : 15;
test(
  `in ${nights} troubled nights no second sees more than the rate and one, and then all is called at the rate again`,
  async () => {
    const only = Number(process.env["ALMANAC_TEST_SEED"]);
    for (let seed = only || 1; seed <= (only || nights); seed += 1) {
      const { played, rate, lastMinute } = await troubled(seed);
      expect(played.mostInASecond, `seed ${seed}`).toBeLessThanOrEqual(Math.ceil(rate) + 1);
      expect(played.repeats, `seed ${seed}`).toBeLessThanOrEqual(played.mayRepeat);
      const isDone = played.stored.size === played.wanted;
      expect(isDone || lastMinute >= Math.floor(rate * 60 * 0.85), `seed ${seed}: ${lastMinute}`).toBe(true);
    }
  },
  deep ? 3_000_000 : undefined,
);
