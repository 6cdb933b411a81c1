// The circuit breaker of an endpoint, through hours that are played by fifths of a second: how many calls are in vain in the worst
// hour, and that what answers is called all the while. Its owner changes now and then, and the next one has its note.
import { beforeEach, expect, test } from "vitest";
import { CredentialsRefused, Rejected, Unavailable, Unfit } from "../../readings/failures.ts";
import type { Language } from "../../readings/languages.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { type Random, seededRandom } from "../../sandbox/random.ts";
import {
  Breaker,
  type BreakerNews,
  type BreakerNote,
  BreakerOpen,
  type Pass,
} from "../../service/breaker.ts";
import { deep } from "../support/deep.ts";

type Operation = "wisdom-reading" | "daily-tarot" | "divine-angel-reading";

const perSecond = 5;
const hours = deep ? 4 : 2;
const seeds = deep ? 50 : 1;
const minuteMs = 60_000;
const run = "a-night";

const time = { monotonicMs: 0, wallMs: 0 };
/** Another process's clocks. */
const clockOf = (aheadMs: number) => ({
  monotonicMs: () => time.monotonicMs + 7 * aheadMs,
  wallMs: () => time.wallMs + aheadMs,
  after: () => () => undefined,
});
const clock = clockOf(0);
function pass(ms: number): void {
  time.monotonicMs += ms;
  time.wallMs += ms;
}
beforeEach(() => {
  time.monotonicMs = 1e6;
  time.wallMs = Date.UTC(2026, 10, 21);
});

function asked(operation: Operation = "wisdom-reading", language: Language = "hi"): ReadingRequest {
  return { operation, language, period: "2026-11-21" } as const;
}

const facts = (request: ReadingRequest) => ({ key: requestKey(request), address: "test", seen: "nothing" });
const unavailable = (request: ReadingRequest, status = 503, retryAfterMs?: number) =>
  new Unavailable({ ...facts(request), status }, retryAfterMs === undefined ? {} : { retryAfterMs });
const refused = (request: ReadingRequest) => new CredentialsRefused({ ...facts(request), status: 401 });
const unfit = (request: ReadingRequest, rule = "language") => new Unfit(rule, facts(request));

function entered(breaker: Breaker, request: ReadingRequest): Pass | BreakerOpen {
  try {
    return breaker.enter(request);
  } catch (error) {
    if (error instanceof BreakerOpen) return error;
    throw error;
  }
}

/** Calls at once; false if the breaker is open. */
function call(breaker: Breaker, request: ReadingRequest, error?: Error): boolean {
  const permitted = entered(breaker, request);
  if (permitted instanceof BreakerOpen) return false;
  permitted.end(run, error);
  return true;
}

type IsThere = (second: number, request: ReadingRequest, chance: Random) => boolean;

function requestBy(chance: Random): ReadingRequest {
  const pick = <One>(all: readonly [One, ...One[]]) => all[Math.floor(chance() * all.length)] ?? all[0];
  return asked(
    pick(["daily-tarot", "wisdom-reading", "divine-angel-reading"]),
    pick(["hi", "ja", "el", "ru"]),
  );
}

/** Five calls a second of a sheet at a time; a response takes 0.4 s. The owner changes each `ownedSeconds`. */
function play(seed: number, ownedSeconds: number, isThere: IsThere, isLimit = false) {
  const chance = seededRandom(seed);
  let note: BreakerNote | undefined;
  let breaker = new Breaker({ clock, chance });
  let underWay: { request: ReadingRequest; pass: Pass; isAnswered: boolean; endStep: number }[] = [];
  const inVain: number[] = [];
  let [calls, next] = [0, Array<ReadingRequest>(12).fill(requestBy(chance))];
  for (let step = 0; step < hours * 3_600 * perSecond; step += 1) {
    pass(1000 / perSecond);
    for (const one of underWay.filter(({ endStep }) => endStep === step))
      one.pass.end(run, one.isAnswered ? undefined : unavailable(one.request, isLimit ? 429 : 503));
    underWay = underWay.filter(({ endStep }) => endStep > step);
    if (step % (ownedSeconds * perSecond) === ownedSeconds * perSecond - 1) {
      note = breaker.note();
      breaker = new Breaker({ clock: clockOf(step), chance, note });
    }
    if (next.length === 0) next = Array<ReadingRequest>(12).fill(requestBy(chance));
    for (let tries = 0; tries < 20; tries += 1) {
      const request = next.pop() ?? requestBy(chance);
      const permitted = entered(breaker, request);
      if (permitted instanceof BreakerOpen) {
        next = [];
        if ((permitted.scope.operation ?? permitted.scope.language) === undefined) break;
        continue;
      }
      const isAnswered = isThere(step / perSecond, request, chance);
      calls += 1;
      if (!isAnswered) inVain.push(step);
      underWay.push({ request, pass: permitted, isAnswered, endStep: step + 2 });
      break;
    }
  }
  let [worst, first] = [0, 0];
  for (const [place, step] of inVain.entries()) {
    while (step - (inVain[first] ?? step) > 3_600 * perSecond) first += 1;
    worst = Math.max(worst, place + 1 - first);
  }
  return { worst, share: calls / (hours * 3_600 * perSecond), answered: calls - inVain.length };
}

const owners = [100_000, 1_800, 400];
const outages: Record<string, IsThere> = {
  "is away for hours": () => false,
  "goes away after an hour": (second) => second < 3_600,
  "is up for 10 s and down for 50": (second) => second % 60 < 10,
};

test.each(Object.entries(outages))(
  "a service that %s is called in vain at most 60 times in any hour, also with other owners",
  (_, isThere) => {
    for (const owned of owners)
      for (let seed = 1; seed <= seeds; seed += 1)
        expect(play(seed, owned, isThere).worst, `${owned} s, seed ${seed}`).toBeLessThanOrEqual(60);
  },
);

test("a service that reports for hours that it is called too often is called in vain at most 60 times in any hour", () => {
  for (const owned of owners)
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { worst } = play(seed, owned, () => false, true);
      expect(worst, `${owned} s, seed ${seed}`).toBeLessThanOrEqual(60);
    }
});

test.each(["language", "operation"] as const)(
  "where one %s is away, the others are called as ever, and it at most 60 times in any hour",
  (field) => {
    const isThere: IsThere = (_, request) => !["ja", "wisdom-reading"].includes(request[field]);
    for (const owned of owners)
      for (let seed = 1; seed <= seeds; seed += 1) {
        const { worst, share } = play(seed, owned, isThere);
        expect(worst, `${owned} s, seed ${seed}`).toBeLessThanOrEqual(60);
        expect(share).toBeGreaterThan(0.99);
      }
  },
);

test.each([0.05, 0.1, 0.2])(
  "a service that fails %d of its calls at random is called all the while",
  (part) => {
    const shares = Array.from(
      { length: seeds },
      (_, seed) => play(seed, 1_800, (__, ___, chance) => chance() >= part).share,
    );
    expect(Math.min(...shares)).toBeGreaterThan(0.8);
    expect(shares.reduce((sum, share) => sum + share, 0) / seeds).toBeGreaterThan(0.98);
  },
);

test("a service that was away for ten seconds is called by all within a minute, and one that was for an hour within five", () => {
  for (const [awaySeconds, withinSeconds] of [
    [10, 60],
    [3_600, 300],
  ] as const) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const isThere: IsThere = (second) => second < 60 || second >= 60 + awaySeconds;
      const whole = (hours * 3_600 - awaySeconds - withinSeconds) * perSecond;
      expect(play(seed, 1_800, isThere).answered, `${awaySeconds} s, seed ${seed}`).toBeGreaterThan(whole);
    }
  }
});

test("refused credentials open the breaker at the first refusal; one probe at a time, later and later, and one alert", () => {
  const news: BreakerNews["kind"][] = [];
  const breaker = new Breaker({ clock, onNews: ({ kind }) => void news.push(kind) });
  const request = asked();
  const others = [breaker.enter(request), breaker.enter(asked("daily-tarot", "ja"))];
  for (const one of others) one.end(run, refused(request));
  expect(breaker.openSinceMs).toBe(time.monotonicMs);
  const pausesMs: number[] = [];
  for (let waitedMs = 0, probes = 0; probes < 12; waitedMs += 100) {
    pass(100);
    const probe = entered(breaker, asked("daily-tarot", "ja"));
    if (probe instanceof BreakerOpen) continue;
    expect(probe.isProbe).toBe(true);
    expect(entered(breaker, request)).toBeInstanceOf(BreakerOpen);
    probe.end(run, probes % 2 === 0 ? refused(request) : unavailable(request));
    pausesMs.push(waitedMs + 100);
    waitedMs = 0;
    probes += 1;
  }
  expect(pausesMs.slice(0, 4)).toEqual([1_000, 2_100, 4_100, 8_100]);
  expect(pausesMs.at(-1)).toBe(300_100);
  pass(300_000);
  const rejected = new Rejected({ ...facts(request), status: 400 });
  expect(call(breaker, request, rejected)).toBe(true);
  expect(breaker.openSinceMs).toBeUndefined();
  expect(call(breaker, request)).toBe(true);
  expect(news).toEqual(["credentials-refused", "credentials-accepted"]);
});

test("calls that were under way when the breaker opened say nothing new", () => {
  const breaker = new Breaker({ clock, chance: () => 0.5 });
  const passes = Array.from({ length: 20 }, () => breaker.enter(asked()));
  for (const one of passes.slice(0, 6)) one.end(run, unavailable(asked()));
  const note = breaker.note();
  expect(note.outage?.away).toHaveLength(1);
  for (const one of passes.slice(6)) one.end(run, unavailable(asked()));
  expect(breaker.note()).toEqual(note);
});

test("a probe that did not get so far leaves the probe to the next request", () => {
  const breaker = new Breaker({ clock });
  breaker.enter(asked()).end(run, refused(asked()));
  expect(breaker.mayProbe).toBe(false);
  pass(1_000);
  const probe = breaker.enter(asked());
  expect(breaker.mayProbe).toBe(false);
  probe.end(run, new Error("held up on its way"));
  expect(breaker.mayProbe).toBe(true);
  expect(breaker.enter(asked()).isProbe).toBe(true);
});

test("a long outage is told of once, and its end once; Retry-After is obeyed for 75 minutes at most", () => {
  const news: BreakerNews["kind"][] = [];
  const breaker = new Breaker({ clock, onNews: ({ kind }) => void news.push(kind) });
  const request = asked();
  for (let count = 0; count < 6; count += 1) call(breaker, request, unavailable(request, 503, 600_000));
  expect(call(breaker, request)).toBe(false);
  pass(599_000);
  expect(call(breaker, request)).toBe(false);
  pass(1_000);
  expect(call(breaker, request, unavailable(request, 503, 86_400_000))).toBe(true);
  expect(news).toEqual([]);
  pass(74 * minuteMs);
  expect(call(breaker, request)).toBe(false);
  pass(minuteMs);
  expect(call(breaker, request, unavailable(request))).toBe(true);
  expect(news).toEqual(["service-away"]);
  for (let minute = 0; minute < 60 && breaker.note().outage?.away?.length !== 0; minute += 1) {
    pass(minuteMs);
    call(breaker, request);
  }
  expect(news).toEqual(["service-away", "service-back"]);
});

test("the next owner holds the same requests until the same moment, whatever its clocks are", () => {
  const first = new Breaker({ clock });
  for (const language of ["hi", "ja", "el"] as const)
    for (let count = 0; count < 6; count += 1) {
      const request = asked("wisdom-reading", language);
      call(first, request, unavailable(request, 503, 20 * minuteMs));
    }
  const note = JSON.parse(JSON.stringify(first.note()));
  const second = new Breaker({ clock: clockOf(0), note });
  const back = new Breaker({ clock: clockOf(-86_400_000), note });
  expect(call(second, asked("daily-tarot", "hi"))).toBe(true);
  for (const one of [second, back]) expect(one.openSinceMs).toBeUndefined();
  expect(call(second, asked())).toBe(false);
  expect(call(back, asked()), "a note of the future is that of a clock that was set back").toBe(true);
  pass(20 * minuteMs);
  expect(call(second, asked())).toBe(true);
  const third = new Breaker({ clock, note });
  expect(third.mayProbe).toBe(true);
});

test("a language of which every response is unfit is called at most 60 times in a day, one probe every half hour", () => {
  const news: BreakerNews[] = [];
  const calledAt: number[] = [];
  let breaker = new Breaker({ clock, onNews: (one) => void news.push(one) });
  const operations = ["wisdom-reading", "daily-tarot", "divine-angel-reading"] as const;
  const beganMs = time.monotonicMs;
  for (let step = 0; time.monotonicMs - beganMs < 24 * 60 * minuteMs - 1_000; step += 1, pass(1_000)) {
    if (step % 10_000 === 9_999)
      breaker = new Breaker({ clock, note: breaker.note(), onNews: (one) => void news.push(one) });
    const requests = operations.map((operation) => asked(operation));
    const passes = requests.map((request) => ({ request, permitted: entered(breaker, request) }));
    for (const { request, permitted } of passes) {
      if (permitted instanceof BreakerOpen) continue;
      permitted.end(run, unfit(request));
      calledAt.push(time.monotonicMs - beganMs);
    }
    expect(call(breaker, asked("wisdom-reading", "ja")), "another language").toBe(true);
  }
  expect(calledAt.filter((ms) => ms < minuteMs).length).toBeLessThanOrEqual(15);
  expect(calledAt.length).toBeGreaterThan(12 + 30);
  expect(calledAt.length).toBeLessThanOrEqual(60);
  const probes = calledAt.filter((ms) => ms > minuteMs);
  for (const [index, ms] of probes.slice(1).entries())
    expect(ms - (probes[index] ?? 0)).toBeGreaterThanOrEqual(30 * minuteMs);
  expect(news).toMatchObject([
    { kind: "language-stopped", stopped: { language: "hi", operation: undefined, rule: "language", fit: 0 } },
  ]);
});

test("with a hundred calls under way at once, no more than 60 responses are refused", () => {
  const breaker = new Breaker({ clock });
  const passes: Pass[] = [];
  for (let count = 0; count < 100; count += 1) {
    const permitted = entered(breaker, asked(count % 2 === 0 ? "wisdom-reading" : "daily-tarot"));
    if (!(permitted instanceof BreakerOpen)) passes.push(permitted);
  }
  for (const one of passes) one.end(run, unfit(asked()));
  expect(passes).toHaveLength(60);
});

test("an operation whose responses are all unfit stops no other one, and a fit probe resumes it", () => {
  const news: BreakerNews[] = [];
  const breaker = new Breaker({ clock, onNews: (one) => void news.push(one) });
  const [bad, good] = [asked("wisdom-reading"), asked("daily-tarot")];
  let called = 0;
  for (let count = 0; count < 40; count += 1) {
    expect(call(breaker, good)).toBe(true);
    if (call(breaker, bad, unfit(bad))) called += 1;
  }
  expect(called).toBe(12);
  expect(news).toMatchObject([
    { kind: "language-stopped", stopped: { operation: "wisdom-reading", refused: 12 } },
  ]);
  pass(30 * minuteMs);
  expect(call(breaker, bad)).toBe(true);
  expect(call(breaker, bad)).toBe(true);
});

test("single unfit responses stop nothing, and neither do different rules", () => {
  const breaker = new Breaker({ clock });
  for (let count = 0; count < 400; count += 1)
    expect(call(breaker, asked(), count % 4 === 0 ? unfit(asked()) : undefined)).toBe(true);
  const other = asked("daily-tarot", "ja");
  for (let count = 0; count < 22; count += 1)
    expect(call(breaker, other, unfit(other, count % 2 === 0 ? "language" : "markup"))).toBe(true);
});
