// The circuit breaker of an endpoint, over simulated hours in steps of a fifth of a second: the number of wasted calls in the worst
// hour, and continuous calls to the parts that respond. Its owner changes now and then, and the next one has its note.
import { beforeEach, expect, test } from "vitest";
import { CredentialsRefused, Rejected, Unavailable, Unfit } from "../../readings/answer.ts";
import type { Language } from "../../readings/tables.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { type Random, seededRandom } from "../../packages/sandbox/random.ts";
import {
  Breaker,
  type BreakerNews,
  type BreakerNote,
  BreakerOpen,
  type Pass,
} from "../../service/breaker.ts";
import { deep } from "../support/deep.ts";
import { probePauseMs } from "../../service/outage.ts";

type Operation = "wisdom-reading" | "daily-tarot" | "divine-angel-reading";

const perSecond = 5;
const hours = deep ? 4 : 2;
const seeds = deep ? 50 : 1;
const minuteMs = 60_000;
const caller = { run: "a-night", start: "first" };

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
    return breaker.enter(request, caller);
  } catch (error) {
    if (error instanceof BreakerOpen) return error;
    throw error;
  }
}

/** Calls at once; false if the breaker is open. */
function call(breaker: Breaker, request: ReadingRequest, error?: Error): boolean {
  const permitted = entered(breaker, request);
  if (permitted instanceof BreakerOpen) return false;
  permitted.end(error);
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

/** Five calls a second of a set at a time; a response takes 0.4 s. The owner changes each `ownedSeconds`. */
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
      one.pass.end(one.isAnswered ? undefined : unavailable(one.request, isLimit ? 429 : 503));
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
  "a service that %s gets at most 60 wasted calls in any hour, even with changing owners",
  (_, isThere) => {
    for (const owned of owners)
      for (let seed = 1; seed <= seeds; seed += 1)
        expect(play(seed, owned, isThere).worst, `${owned} s, seed ${seed}`).toBeLessThanOrEqual(60);
  },
);

test("a service that keeps returning 429 for hours gets at most 60 wasted calls in any hour", () => {
  for (const owned of owners)
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { worst } = play(seed, owned, () => false, true);
      expect(worst, `${owned} s, seed ${seed}`).toBeLessThanOrEqual(60);
    }
});

test.each(["language", "operation"] as const)(
  "if one %s is unavailable, it gets at most 60 wasted calls in any hour, and the others are called as usual",
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
  "a service that fails %d of its calls at random is called continuously",
  (part) => {
    const shares = Array.from(
      { length: seeds },
      (_, seed) => play(seed, 1_800, (__, ___, chance) => chance() >= part).share,
    );
    expect(Math.min(...shares)).toBeGreaterThan(0.8);
    expect(shares.reduce((sum, share) => sum + share, 0) / seeds).toBeGreaterThan(0.98);
  },
);

test("after an outage of ten seconds all calls resume within a minute, after one of an hour within five", () => {
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

test("refused credentials open the breaker at the first refusal, with one probe at a time at growing intervals, and one alert", () => {
  const news: BreakerNews["kind"][] = [];
  const breaker = new Breaker({ clock, onNews: ({ kind }) => void news.push(kind) });
  const request = asked();
  const others = [breaker.enter(request, caller), breaker.enter(asked("daily-tarot", "ja"), caller)];
  for (const one of others) one.end(refused(request));
  expect(breaker.openSinceMs).toBe(time.monotonicMs);
  const pausesMs: number[] = [];
  for (let waitedMs = 0, probes = 0; probes < 12; waitedMs += 100) {
    pass(100);
    const probe = entered(breaker, asked("daily-tarot", "ja"));
    if (probe instanceof BreakerOpen) continue;
    expect(probe.isProbe).toBe(true);
    expect(entered(breaker, request)).toBeInstanceOf(BreakerOpen);
    probe.end(probes % 2 === 0 ? refused(request) : unavailable(request));
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

test("calls in flight when the breaker opened add no evidence", () => {
  const breaker = new Breaker({ clock, chance: () => 0.5 });
  const passes = Array.from({ length: 20 }, () => breaker.enter(asked(), caller));
  for (const one of passes.slice(0, 6)) one.end(unavailable(asked()));
  const note = breaker.note();
  expect(note.outage?.away).toHaveLength(1);
  for (const one of passes.slice(6)) one.end(unavailable(asked()));
  expect(breaker.note()).toEqual(note);
});

test("a probe that was not sent passes the probe to the next request", () => {
  const breaker = new Breaker({ clock });
  breaker.enter(asked(), caller).end(refused(asked()));
  expect(breaker.probeInMs).toBeGreaterThan(0);
  pass(1_000);
  const probe = breaker.enter(asked(), caller);
  expect(breaker.probeInMs).toBeGreaterThan(0);
  probe.end(new Error("held up on its way"));
  expect(breaker.probeInMs).toBeLessThanOrEqual(0);
  expect(breaker.enter(asked(), caller).isProbe).toBe(true);
});

test("a long outage is reported once, and its end once; Retry-After is obeyed for 75 minutes at most", () => {
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
  expect(news).toEqual(["service-unavailable"]);
  for (let minute = 0; minute < 60 && breaker.note().outage?.away?.length !== 0; minute += 1) {
    pass(minuteMs);
    call(breaker, request);
  }
  expect(news).toEqual(["service-unavailable", "service-recovered"]);
});

test("the next owner blocks the same requests until the same time, whatever its clocks", () => {
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
  expect(third.probeInMs).toBeLessThanOrEqual(0);
});

const tarot = asked("daily-tarot", "it");
const wisdom = asked("wisdom-reading", "it");

/** Number of refusals by rules, in sequence, until the language is stopped; at most 200. */
function refusalsUntilStop(
  breaker: Breaker,
  requests: readonly ReadingRequest[],
  { rules = ["language"] } = {},
): number {
  for (let count = 1; count <= 200; count += 1) {
    const request = requests[count % requests.length] ?? tarot;
    breaker.enter(request, caller).end(unfit(request, rules[count % rules.length]));
    if (breaker.note().stopped.length > 0) return count;
  }
  return Infinity;
}

test("a dozen refusals by one rule stop a language, or two dozen if all are of one operation", () => {
  const news: BreakerNews[] = [];
  const breaker = new Breaker({ clock, onNews: (one) => void news.push(one) });
  expect(refusalsUntilStop(breaker, [tarot, wisdom])).toBe(12);
  expect(call(breaker, tarot)).toBe(false);
  expect(call(breaker, asked("daily-tarot", "ja"))).toBe(true);
  const stopped = { language: "it", rule: "language", refused: 12, responses: 12 };
  expect(news).toMatchObject([{ kind: "language-stopped", run: caller.run, stopped }]);
  expect(refusalsUntilStop(new Breaker({ clock }), [tarot])).toBe(24);
});

test("refusals by several rules, or mixed with good responses, take more", () => {
  const several = new Breaker({ clock });
  expect(refusalsUntilStop(several, [tarot, wisdom], { rules: ["language", "short", "sign"] })).toBe(34);
  const fit = new Breaker({ clock });
  for (let count = 0; count < 3; count += 1) call(fit, tarot);
  expect(refusalsUntilStop(fit, [tarot, wisdom])).toBe(48);
});

test("a language gets at most 36 calls before its first good response, however many may be in flight", () => {
  const breaker = new Breaker({ clock });
  const passes: Pass[] = [];
  const enterAll = (): void => {
    for (let count = 0; count < 100; count += 1) {
      const permitted = entered(breaker, count % 2 === 0 ? tarot : wisdom);
      if (!(permitted instanceof BreakerOpen)) passes.push(permitted);
    }
  };
  enterAll();
  expect(passes).toHaveLength(36);
  expect(entered(breaker, tarot)).toMatchObject({ retryMs: 1_000 });
  pass(30_000);
  expect(entered(breaker, tarot)).toMatchObject({ retryMs: 5_000 });
  for (const one of passes.splice(0, 10)) one.end(unfit(tarot));
  enterAll();
  expect(passes).toHaveLength(26);
  passes.pop()?.end();
  enterAll();
  expect(passes).toHaveLength(125);
});

test("a stopped language has a probe every half hour, at most twelve, even with another owner, and a good response resumes it", () => {
  let breaker = new Breaker({ clock });
  refusalsUntilStop(breaker, [tarot, wisdom]);
  for (let probes = 1; probes <= 14; probes += 1) {
    pass(30 * minuteMs - 1);
    expect(call(breaker, tarot)).toBe(false);
    pass(1);
    const probe = entered(breaker, tarot);
    expect(probe instanceof BreakerOpen).toBe(probes > 12);
    expect(call(breaker, wisdom)).toBe(false);
    if (!(probe instanceof BreakerOpen)) probe.end(unfit(tarot));
    breaker = new Breaker({ clock, note: breaker.note() });
  }
  const other = new Breaker({ clock });
  refusalsUntilStop(other, [tarot, wisdom]);
  pass(30 * minuteMs);
  expect(call(other, wisdom)).toBe(true);
  expect(call(other, tarot)).toBe(true);
  expect(other.note().stopped).toEqual([]);
});

test("a language is stopped for one start of a run, and another start tries again", () => {
  const breaker = new Breaker({ clock });
  refusalsUntilStop(breaker, [tarot, wisdom]);
  const backfill = { run: "a-backfill", start: "second" };
  breaker.enter(tarot, backfill).end();
  expect(breaker.note().stopped).toMatchObject([{ language: "it", ...caller }]);
  expect(call(breaker, tarot)).toBe(false);
  const again = { ...caller, start: "third" };
  breaker.enter(tarot, again).end();
  expect(breaker.note().stopped).toEqual([]);
});

test("an outage and its end don't affect a stopped language", () => {
  const breaker = new Breaker({ clock });
  refusalsUntilStop(breaker, [tarot, wisdom]);
  const german = asked("daily-tarot", "de");
  for (let count = 0; count < 6; count += 1) call(breaker, german, unavailable(german));
  expect(call(breaker, german)).toBe(false);
  pass(4 * minuteMs);
  expect(call(breaker, german)).toBe(true);
  expect(call(breaker, tarot)).toBe(false);
  expect(breaker.note().stopped).toMatchObject([{ language: "it" }]);
});

test("probes of several workers are spread over time too", () => {
  for (const callsInVain of [0, 3, 6, 24])
    expect(probePauseMs(callsInVain, 1)).toBeGreaterThan(probePauseMs(callsInVain, 0) * 1.5);
});
