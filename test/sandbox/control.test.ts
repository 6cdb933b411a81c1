// The control endpoint: counts, credentials, latency, clock, options; and the sandbox as a separate process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createStatistics } from "../../packages/sandbox/statistics.ts";
import { spawnSandbox, type SpawnedSandbox } from "../support/sandbox.ts";
import { answerOf, call, dailyOf } from "./calling.ts";

describe("the sandbox's control endpoint", () => {
  let sandbox: SpawnedSandbox;
  beforeAll(async () => {
    sandbox = await spawnSandbox();
  });
  beforeEach(() => sandbox.reset());
  afterAll(() => sandbox.close());

  const post = async (path: string, body: string) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${sandbox.origin}/control/${path}`, { method: "POST", headers, body });
    return { status: response.status, text: await response.text() };
  };

  it("counts calls by endpoint, request and status, and itself never", async () => {
    await sandbox.clock({ at: "2026-11-21T12:00:00Z" });
    await call(sandbox, "daily-horoscope");
    await call(sandbox, "daily-horoscope", "hi", { sign: "Leo", h_day: "tomorrow" });
    await call(sandbox, "weekly-horoscope", "hi");
    await call(sandbox, "love-compatibility", "hi");
    await call(sandbox, "daily-tarot-legacy");
    await call(sandbox, "daily-tarot", "en", { lan: "xx" });
    const stats = await sandbox.stats();
    expect(stats.calls).toBe(6);
    expect(stats.byEndpoint.english.calls).toBe(2);
    expect(stats.byEndpoint.translator.calls).toBe(3);
    expect(stats.byEndpoint.legacy.calls).toBe(1);
    expect(stats.byStatus).toEqual({ "200": 5, "400": 1 });
    expect(Object.keys(stats.byRequest)).toEqual([
      "daily/2026-11-21/en/daily-horoscope/aries",
      "daily/2026-11-22/hi/daily-horoscope/leo",
      "weekly/2026-11-15/hi/weekly-horoscope/aries",
      "seasonal/always/hi/love-compatibility/aries-pisces",
      "daily/always/en/daily-tarot-legacy/reading",
    ]);
    expect(stats.repeats).toBe(0);
  });

  it("counts as a repeat what had been answered well already, not what is asked again after a fault", async () => {
    await sandbox.faults([
      { fault: "http500", times: 1 },
      { fault: "wrongSign", times: 1 },
      { fault: "truncated", times: 1 },
    ]);
    for (let tries = 0; tries < 3; tries += 1) {
      await call(sandbox, "daily-horoscope")
        .then((response) => response.text())
        .catch(() => undefined);
    }
    expect((await sandbox.stats()).repeats).toBe(0);
    for (let tries = 0; tries < 3; tries += 1) await answerOf(sandbox, "daily-horoscope");
    const stats = await sandbox.stats();
    expect(stats.repeats).toBe(2);
    expect(Object.values(stats.byRequest)).toMatchObject([{ calls: 6, answered: 3 }]);
  });

  it("knows today's request again when it was asked for as tomorrow's", async () => {
    await sandbox.clock({ at: "2026-11-21T12:00:00Z" });
    await answerOf(sandbox, "daily-horoscope", "en", { h_day: "tomorrow" });
    await sandbox.clock({ at: "2026-11-22T12:00:00Z" });
    await answerOf(sandbox, "daily-horoscope", "en", { h_day: "today" });
    expect((await sandbox.stats()).repeats).toBe(1);
  });

  it("keeps a person's name and birth date out of its counts", async () => {
    await call(sandbox, "which-animal-are-you-reading");
    const counted = JSON.stringify(await sandbox.stats());
    expect(counted).toMatch(/once\/always\/en\/which-animal-are-you-reading\/[0-9a-f]{12}"/);
    expect(counted).not.toMatch(/Example|1992/i);
  });

  it("measures the peak of any sliding second and of calls in flight", async () => {
    await sandbox.latency({ english: { fixedMs: 3_600_000 } });
    const stop = new AbortController();
    const init = { signal: stop.signal };
    const calls = Array.from({ length: 9 }, () =>
      call(sandbox, "daily-tarot", "en", {}, init).catch(() => undefined),
    );
    const stats = async () => (await sandbox.stats()).byEndpoint.english;
    await expect.poll(async () => (await stats()).inFlightPeak).toBe(9);
    stop.abort();
    await Promise.all(calls);
    await sandbox.latency({ english: { fixedMs: 0 } });
    await answerOf(sandbox, "daily-tarot");
    const english = await stats();
    expect(english).toMatchObject({ calls: 10, inFlightPeak: 9 });
    const tookMs = (english.lastMs ?? 0) - (english.firstMs ?? 0);
    expect(english.peakInSlidingSecond).toBeGreaterThan(0);
    if (tookMs < 1_000) expect(english.peakInSlidingSecond).toBe(10);
    else expect(english.peakInSlidingSecond).toBeLessThan(10);
  });

  it("counts a second's end in and its start out", () => {
    const statistics = createStatistics();
    for (const atMs of [0, 500, 999, 1000, 1499, 2000, 2001]) statistics.arrive("english", atMs);
    expect(statistics.snapshot().byEndpoint.english).toMatchObject({
      calls: 7,
      firstMs: 0,
      lastMs: 2001,
      peakInSlidingSecond: 4,
      inFlightPeak: 7,
    });
    const steady = createStatistics();
    for (let count = 0; count < 50_000; count += 1) steady.arrive("legacy", count * 10);
    expect(steady.snapshot().byEndpoint.legacy.peakInSlidingSecond).toBe(100);
  });

  it("accepts new credentials at once and the old ones no more", async () => {
    await sandbox.credentials({ token: "second-token" });
    expect((await call(sandbox, "daily-tarot")).status).toBe(401);
    const headers = { authorization: "Bearer second-token" };
    expect((await call(sandbox, "daily-tarot", "hi", {}, { headers })).status).toBe(200);
    await sandbox.credentials({ token: "sandbox-token", apiKey: "second-key" });
    expect(await answerOf(sandbox, "daily-tarot")).toMatchObject({ success: 3 });
    expect(await answerOf(sandbox, "daily-tarot", "en", { api_key: "second-key" })).toMatchObject({
      success: 1,
    });
  });

  it("takes its time at one endpoint and not at another", async () => {
    await sandbox.latency({ translator: { fixedMs: 250, jitterMs: 50 } });
    const before = performance.now();
    await answerOf(sandbox, "daily-tarot", "hi");
    const slowMs = performance.now() - before;
    const { byEndpoint } = await sandbox.stats();
    expect(slowMs).toBeGreaterThan(245);
    expect(byEndpoint.translator.calls).toBe(1);
    await sandbox.latency({ translator: { fixedMs: 60_000 } });
    const control = new AbortController();
    const waiting = call(sandbox, "daily-tarot", "hi", {}, { signal: control.signal });
    const ended = waiting.then(
      () => "answered",
      () => "given up",
    );
    await answerOf(sandbox, "daily-tarot", "en");
    control.abort();
    expect(await ended).toBe("given up");
  });

  it("keeps its clock fixed, offset or real", async () => {
    const today = async () => (await dailyOf(sandbox, "en", { tzone: "0" })).date;
    await sandbox.clock({ at: "2031-02-28T23:59:00Z" });
    expect(await today()).toBe("2031-02-28");
    await sandbox.clock({ offsetMs: 86_400_000 });
    const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const expected = [tomorrow()];
    const seen = await today();
    expect([...expected, tomorrow()]).toContain(seen);
    await sandbox.clock({ real: true });
    const now = () => new Date().toISOString().slice(0, 10);
    const before = now();
    const real = await today();
    expect([before, now()]).toContain(real);
  });

  it("answers card operations in the one shape it was told", async () => {
    for (const [shape, expected] of [
      ["cards", { cards: [{}] }],
      ["object", { prediction: { image2: expect.any(String) } }],
      ["list", { prediction: [{}] }],
    ] as const) {
      await sandbox.options({ shape });
      for (let draw = 0; draw < 5; draw += 1) {
        expect((await answerOf(sandbox, "ex-flame-reading", "gu")).data).toMatchObject(expected);
      }
    }
  });

  it("is as at its start after a reset", async () => {
    await sandbox.profile("outage");
    await sandbox.credentials({ token: "second-token" });
    await sandbox.latency({ english: { fixedMs: 60_000 } });
    await call(sandbox, "daily-tarot");
    await sandbox.reset();
    expect(await sandbox.stats()).toMatchObject({ calls: 0, byRequest: {}, byStatus: {}, repeats: 0 });
    expect((await call(sandbox, "daily-tarot")).status).toBe(200);
  });

  it("clears the counts and nothing else when asked for that alone", async () => {
    await sandbox.profile("revoked");
    await call(sandbox, "daily-tarot");
    await sandbox.clearStats();
    expect((await sandbox.stats()).calls).toBe(0);
    expect((await call(sandbox, "daily-tarot")).status).toBe(401);
  });

  it("says what is wrong with a control call and changes nothing", async () => {
    const wrong: [string, string, string][] = [
      ["faults", "{", "not JSON"],
      ["faults", `{"fault":"http500"}`, "expected array"],
      ["faults", `[{"fault":"http418"}]`, "at [0].fault"],
      ["faults", `[{"fault":"slow"}]`, "at [0].delayMs"],
      ["faults", `[{"fault":"http500","delayMs":5}]`, "delayMs"],
      ["faults", `[{"fault":"http500","match":{"operation":"palm-reading"}}]`, "at [0].match.operation"],
      [
        "faults",
        `[{"fault":"luck5","match":{"operation":"daily-tarot"}}]`,
        "does not apply to this operation",
      ],
      ["profile", `{"profile":"sunny"}`, "flaky"],
      ["clock", `{"at":"tomorrow"}`, "expected an ISO instant"],
      ["clock", `{"at":"2026-11-21","offsetMs":1}`, "expected {"],
      ["latency", `{"greek":{"fixedMs":1}}`, "greek"],
      ["latency", `{"english":{"fixedMs":-1}}`, "english.fixedMs"],
      ["credentials", `{"token":"with blank"}`, "without blanks"],
      ["options", `{"shape":"circle"}`, "shape"],
    ];
    for (const [path, body, expected] of wrong) {
      const answer = await post(path, body);
      expect({ body, status: answer.status }).toEqual({ body, status: 400 });
      expect(answer.text).toContain(`/control/${path}: `);
      expect(answer.text).toContain(expected);
    }
    expect((await call(sandbox, "daily-tarot")).status).toBe(200);
  });
});

describe("the sandbox's process", () => {
  const main = fileURLToPath(new URL("../../packages/sandbox/main.ts", import.meta.url));

  function start(...flags: string[]) {
    const child = spawn(process.execPath, [main, ...flags], { stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (part) => (stdout += String(part)));
    child.stderr.on("data", (part) => (stderr += String(part)));
    const ended = once(child, "close").then(() => ({ code: child.exitCode, stdout, stderr }));
    return { child, ended, listening: once(child.stdout, "data") };
  }

  function placeIn([output]: unknown[]) {
    const address = z.string();
    const endpoints = z.object({ english: address, translator: address, legacy: address });
    return z.object({ origin: address, endpoints }).parse(JSON.parse(String(output)));
  }
  async function callsAt(origin: string) {
    const response = await fetch(`${origin}/control/stats`);
    return z.object({ calls: z.number() }).parse(await response.json()).calls;
  }

  it("ends cleanly on SIGTERM and SIGINT, though a call is waiting", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const { child, ended, listening } = start("--faults", "slow");
      const place = placeIn(await listening);
      const waiting = call(place, "daily-tarot", "hi").catch(() => "broken off");
      await expect.poll(() => callsAt(place.origin)).toBe(1);
      child.kill(signal);
      expect(await waiting).toBe("broken off");
      const { code, stdout, stderr } = await ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout.trim().split("\n")).toHaveLength(1);
    }
  });

  it("ends with its parent's stdin when told to", async () => {
    const { child, ended, listening } = start("--with-parent");
    await listening;
    child.stdin.end();
    expect((await ended).code).toBe(0);
  });

  it("refuses a wrong command line with exit code 2, saying what was expected", async () => {
    for (const [flags, expected] of [
      [["--faults", "sunny"], "faults"],
      [["--latency", "english=soon"], "latency.english.fixedMs"],
      [["--port", "99999"], "port"],
      [["--colour"], "--colour"],
    ] as const) {
      const { code, stdout, stderr } = await start(...flags).ended;
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toContain(expected);
      expect(stderr).toContain("usage:");
    }
  });

  it("says so when its port is taken", async () => {
    const sandbox = await spawnSandbox();
    const { code, stderr } = await start("--port", new URL(sandbox.origin).port).ended;
    await sandbox.close();
    expect(code).toBe(1);
    expect(stderr).toContain("cannot listen on 127.0.0.1");
  });
});
