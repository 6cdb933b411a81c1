// Every fault behaves over real HTTP as its name says, for its calls and no others.
import { createHash } from "node:crypto";
import { request as rawRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Language, type Operation, operationNames, rowOf } from "../../readings/tables.ts";
import { type Fault, faults } from "../../packages/sandbox/faults.ts";
import { type ProfileName, profileNames } from "../../packages/sandbox/profiles.ts";
import type { FaultsSetting } from "../../packages/sandbox/settings.ts";
import { spawnSandbox, type SpawnedSandbox } from "../support/sandbox.ts";
import { allFields, answerOf, call, dailyOf, formOf, sections, urlOf } from "./calling.ts";

describe("the sandbox's faults", () => {
  let sandbox: SpawnedSandbox;
  beforeAll(async () => {
    sandbox = await spawnSandbox({ seed: 3 });
  });
  beforeEach(async () => {
    await sandbox.reset();
    await sandbox.clock({ at: "2026-11-21T12:00:00Z" });
  });
  afterAll(() => sandbox.close());

  const once = async (...rules: FaultsSetting) => {
    for (const rule of rules) await sandbox.faults([{ ...rule, times: 1 }]);
  };
  const daily = (fields = {}, language: Language = "en") => dailyOf(sandbox, language, fields);
  const bodyOf = async (operation: Operation = "daily-horoscope", language: Language = "en") => {
    const response = await call(sandbox, operation, language);
    return Buffer.from(await response.arrayBuffer());
  };
  const afterwardsAllIsWell = async () =>
    expect((await answerOf(sandbox, "daily-horoscope")).success).toBe(1);

  describe("in place of an answer", () => {
    it.each([
      ["http400", 400, 2],
      ["http401", 401, 3],
      ["http408", 408, 0],
      ["http500", 500, 0],
      ["http503", 503, 0],
      ["success0", 200, 0],
      ["success2", 200, 2],
      ["success3", 200, 3],
    ] as const)("%s answers HTTP %i with success %i and a msg", async (fault, status, success) => {
      await once({ fault });
      const response = await call(sandbox, "daily-tarot");
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ success, msg: expect.stringMatching(/\S/) });
      expect((await sandbox.stats()).byStatus).toEqual({ [status]: 1 });
      await afterwardsAllIsWell();
    });

    it("http429 and http503 carry a Retry-After in seconds, as a date, or none", async () => {
      const date = "Sat, 21 Nov 2026 12:00:30 GMT";
      await once(
        { fault: "http429", retryAfter: 7 },
        { fault: "http429", retryAfter: date },
        { fault: "http429" },
        { fault: "http503", retryAfter: 0 },
      );
      for (const [status, header] of [
        [429, "7"],
        [429, date],
        [429, null],
        [503, "0"],
      ] as const) {
        const response = await call(sandbox, "daily-tarot");
        expect([response.status, response.headers.get("retry-after")]).toEqual([status, header]);
        await response.arrayBuffer();
      }
    });

    it("timeout never answers", async () => {
      await once({ fault: "timeout" });
      const leave = new AbortController();
      const asked = call(sandbox, "daily-tarot", "en", {}, { signal: leave.signal });
      await expect.poll(async () => (await sandbox.stats()).calls).toBe(1);
      leave.abort();
      await expect(asked).rejects.toThrow(/abort/);
      await expect.poll(async () => (await sandbox.stats()).byStatus).toEqual({ none: 1 });
      await afterwardsAllIsWell();
    });

    it("reset breaks the connection before any answer", async () => {
      await once({ fault: "reset" });
      const code = await new Promise<unknown>((resolve, reject) => {
        const request = rawRequest(urlOf(sandbox, "daily-tarot", "en"), { method: "POST" });
        request.on("error", (error) => resolve("code" in error ? error.code : error));
        request.on("response", () => reject(new Error("there was an answer")));
        request.end();
      });
      expect(code).toBe("ECONNRESET");
      await afterwardsAllIsWell();
    });

    it("redirect points elsewhere", async () => {
      await once({ fault: "redirect" });
      const response = await call(sandbox, "daily-tarot");
      expect([response.status, response.headers.get("location")]).toEqual([307, `${sandbox.origin}/moved`]);
      expect((await fetch(`${sandbox.origin}/moved`)).status).toBe(404);
      expect((await sandbox.stats()).calls).toBe(1);
    });

    it("html200 sends a page", async () => {
      await once({ fault: "html200" });
      const response = await call(sandbox, "daily-tarot");
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(await response.text()).toContain("<h1>");
    });

    it("wrongType sends a sentence where the data should be", async () => {
      await once({ fault: "wrongType" });
      expect(await answerOf(sandbox, "daily-horoscope")).toEqual({ success: 1, data: expect.any(String) });
    });

    it("huge sends 30 MiB of well-formed JSON, and leaves a client alone that leaves", async () => {
      await once({ fault: "huge" }, { fault: "huge" });
      const body = await bodyOf();
      expect(body.length).toBeGreaterThan(30 * 1024 * 1024);
      expect(body.subarray(0, 14).toString()).toBe('{"success":1,"');
      expect(body.at(-1)).toBe("}".charCodeAt(0));
      const leaving = new AbortController();
      const response = await call(sandbox, "daily-tarot", "en", {}, { signal: leaving.signal });
      leaving.abort();
      await expect(response.arrayBuffer()).rejects.toThrow(/abort/);
      await afterwardsAllIsWell();
    });

    it("deep nests 100,000 arrays", async () => {
      await once({ fault: "deep" });
      expect((await bodyOf()).toString().match(/\[/g)).toHaveLength(100_000);
    });
  });

  describe("on the way", () => {
    it("slow keeps a good answer back", async () => {
      await once({ fault: "slow", delayMs: 300 });
      const before = performance.now();
      await daily();
      expect(performance.now() - before).toBeGreaterThan(290);
      expect((await sandbox.stats()).byEndpoint.english.inFlightPeak).toBe(1);
    });

    it("drip sends a good answer a byte at a time", async () => {
      await once({ fault: "drip", everyMs: 4 });
      const form = new Response(formOf(allFields("which-animal-are-you-reading", "en")));
      const body = Buffer.from(await form.arrayBuffer());
      const headers = {
        authorization: "Bearer sandbox-token",
        "content-type": form.headers.get("content-type") ?? "",
      };
      const sizes = await new Promise<number[]>((resolve, reject) => {
        const url = urlOf(sandbox, "which-animal-are-you-reading", "en");
        const request = rawRequest(url, { method: "POST", headers }, (response) => {
          const seen: number[] = [];
          response.on("data", (part) => seen.push(Buffer.byteLength(part)));
          response.on("end", () => resolve(seen));
        });
        request.on("error", reject);
        request.end(body);
      });
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect(total).toBe((await bodyOf("which-animal-are-you-reading")).length);
      expect(sizes.length).toBeGreaterThan(total / 20); // the system may join a few bytes on the way
    });

    it("drip waits between bytes and stops for a client that leaves", async () => {
      await once({ fault: "drip", everyMs: 50 });
      const leave = new AbortController();
      const response = await call(sandbox, "daily-horoscope", "en", {}, { signal: leave.signal });
      const whole = response.text();
      leave.abort();
      await expect(whole).rejects.toThrow(/abort/);
      await expect.poll(async () => (await sandbox.stats()).byStatus).toEqual({ "200": 1 });
      await daily();
      expect((await sandbox.stats()).repeats).toBe(0);
    });

    it("truncated ends before the promised length, or in the middle of the chunks", async () => {
      await once({ fault: "truncated" }, { fault: "truncated", chunked: true });
      const whole = await call(sandbox, "daily-horoscope");
      expect(Number(whole.headers.get("content-length"))).toBeGreaterThan(1000);
      await expect(whole.text()).rejects.toThrow(/terminated/);
      const chunked = await call(sandbox, "daily-horoscope");
      expect(chunked.headers.get("content-length")).toBeNull();
      await expect(chunked.text()).rejects.toThrow(/terminated/);
      await afterwardsAllIsWell();
    });

    it("badJson is cut off and of the promised length; badUtf8 holds bytes that UTF-8 has not", async () => {
      await once({ fault: "badJson" }, { fault: "badUtf8" });
      const cut = (await bodyOf()).toString();
      expect(cut.startsWith('{"success":1')).toBe(true);
      expect(() => JSON.parse(cut)).toThrow(/JSON/);
      const bytes = await bodyOf();
      expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow(/not valid/);
      expect(bytes.includes(0xff)).toBe(true);
    });
  });

  describe("in what the answer says", () => {
    it("wrongSign is another sign's answer, duplicate another sign's texts under the right name", async () => {
      const [aries, taurus] = [await daily({ sign: "aries" }), await daily({ sign: "taurus" })];
      await once({ fault: "wrongSign" }, { fault: "duplicate" });
      expect(await daily({ sign: "aries" })).toEqual(taurus);
      const duplicate = await daily({ sign: "aries" });
      expect(duplicate).toEqual({ ...aries, prediction: taurus.prediction });
    });

    it("wrongSign and duplicate do the same to a pair", async () => {
      const pair = z.object({ prediction: z.record(z.string(), z.unknown()) });
      const ask = async (sign_1: string) =>
        pair.parse((await answerOf(sandbox, "love-compatibility", "es", { sign_1, sign_2: "leo" })).data)
          .prediction;
      const [aries, taurus] = [await ask("aries"), await ask("taurus")];
      await once({ fault: "wrongSign" }, { fault: "duplicate" });
      expect(await ask("aries")).toEqual(taurus);
      expect(await ask("aries")).toEqual({ ...taurus, sign_1: aries.sign_1 });
    });

    it("wrongPeriod is yesterday's answer, stale yesterday's texts under today's date", async () => {
      const [yesterday, today] = [await daily({ h_day: "yesterday" }), await daily()];
      await once({ fault: "wrongPeriod" }, { fault: "stale" });
      expect(await daily()).toEqual(yesterday);
      expect(await daily()).toEqual({ ...today, prediction: yesterday.prediction });
    });

    it("wrongPeriod goes back a week, a month and a year for the longer ones", async () => {
      for (const [operation, wrong] of [
        ["weekly-horoscope", { week: "08 Nov 2026 to 14 Nov 2026" }],
        ["monthly-horoscope", { month: "October 2026" }],
        ["yearly-horoscope", { year: "2025" }],
      ] as const) {
        await once({ fault: "wrongPeriod" });
        expect((await answerOf(sandbox, operation)).data).toMatchObject(wrong);
      }
    });

    it("wrongLanguage answers in English, or in the language it is told", async () => {
      const [german, dutch, english] = [await daily({}, "de"), await daily({}, "nl"), await daily({}, "en")];
      await once(
        { fault: "wrongLanguage" },
        { fault: "wrongLanguage", language: "nl" },
        { fault: "wrongLanguage" },
      );
      expect(await daily({}, "de")).toEqual(english);
      expect(await daily({}, "de")).toEqual(dutch);
      expect(await daily({}, "en")).toEqual(german);
    });

    it.each([
      ["empty", /^$/],
      ["short", /^.{1,3}$/],
      ["markup", /<script>/],
      ["template", /\{\{name\}\}/],
      ["errorText", /^Error: quota exceeded$/],
      ["loneSurrogate", /\ud83d$/],
    ] as const)("%s spoils every text, or only the one named", async (fault, spoilt) => {
      const good = await daily();
      await once({ fault }, { fault, field: "travel" });
      const all = await daily();
      for (const section of sections) expect(all.prediction[section]).toMatch(spoilt);
      const one = await daily();
      expect(one.prediction.travel).toMatch(spoilt);
      expect(one.prediction).toEqual({ ...good.prediction, travel: one.prediction.travel });
    });

    it("spoils the texts of every other family too", async () => {
      for (const operation of operationNames) {
        await once({ fault: "errorText" });
        const text = JSON.stringify(await answerOf(sandbox, operation));
        expect({ operation, spoilt: text.includes("Error: quota exceeded") }).toEqual({
          operation,
          spoilt: true,
        });
      }
    });

    it("nullFields has null for the texts", async () => {
      await once({ fault: "nullFields" });
      expect((await answerOf(sandbox, "daily-horoscope")).data).toMatchObject({
        prediction: { personal: null, travel: null, luck: expect.any(Array) },
      });
    });

    it("luck5 and luck7 have a line less and a line more", async () => {
      const good = await daily({}, "ml");
      await once({ fault: "luck5" }, { fault: "luck7" });
      expect((await daily({}, "ml")).prediction.luck).toEqual(good.prediction.luck.slice(0, 5));
      const more = (await daily({}, "ml")).prediction.luck;
      expect(more).toHaveLength(7);
      expect(more.slice(0, 6)).toEqual(good.prediction.luck);
    });

    it("extraFields and protoKeys add to a good answer", async () => {
      const good = await daily();
      await once({ fault: "extraFields" }, { fault: "protoKeys" });
      expect((await answerOf(sandbox, "daily-horoscope")).data).toMatchObject({
        ...good,
        generated_by: "engine-7",
      });
      const body = (await bodyOf()).toString();
      expect(body.match(/"__proto__":\{"polluted":true\}/g)).toHaveLength(2);
      expect(z.looseObject({ data: z.unknown() }).parse(JSON.parse(body)).data).toMatchObject(good);
    });

    it("leaves a good answer as it is when nothing is asked of it", async () => {
      const hash = async () =>
        createHash("sha256")
          .update(await bodyOf())
          .digest("hex");
      const before = await hash();
      await once({ fault: "badUtf8" });
      expect(await hash()).not.toBe(before);
      expect(await hash()).toBe(before);
    });
  });

  describe("by rule", () => {
    it("happens as often as it was told, the first rule that fits first", async () => {
      await sandbox.faults([
        { fault: "http500", times: 2 },
        { fault: "http503", times: 1 },
        { fault: "http408", match: { operation: "wisdom-reading" } },
      ]);
      const statuses: number[] = [];
      for (let tries = 0; tries < 5; tries += 1) statuses.push((await call(sandbox, "daily-tarot")).status);
      expect(statuses).toEqual([500, 500, 503, 200, 200]);
      expect((await call(sandbox, "wisdom-reading")).status).toBe(408);
      await sandbox.clearFaults();
      expect((await call(sandbox, "wisdom-reading")).status).toBe(200);
    });

    it("hits only the operation, language, sign and endpoint that it names", async () => {
      const match = {
        operation: "daily-horoscope",
        language: "hi",
        sign: "leo",
        endpoint: "translator",
      } as const;
      await sandbox.faults([{ fault: "http500", match }]);
      const status = async (operation: Operation, language: Language, sign: string) =>
        (await call(sandbox, operation, language, { sign })).status;
      expect(await status("daily-horoscope", "hi", "Leo")).toBe(500);
      expect(await status("daily-horoscope", "hi", "virgo")).toBe(200);
      expect(await status("daily-horoscope", "mr", "leo")).toBe(200);
      expect(await status("weekly-horoscope", "hi", "leo")).toBe(200);
      expect(await status("daily-horoscope", "en", "leo")).toBe(200);
      await sandbox.clearFaults();
      await sandbox.faults([{ fault: "http500", match: { endpoint: "legacy" } }]);
      expect((await call(sandbox, "daily-tarot-legacy")).status).toBe(500);
      expect((await call(sandbox, "daily-tarot")).status).toBe(200);
    });

    it("is not used up by a call that it cannot happen to, nor by one that is refused", async () => {
      await once({ fault: "wrongSign" }, { fault: "empty" });
      expect(await answerOf(sandbox, "daily-tarot")).toMatchObject({ data: { love: "" } });
      await once({ fault: "markup" });
      expect((await call(sandbox, "daily-horoscope", "en", { sign: "nobody" })).status).toBe(400);
      expect((await daily({ sign: "aries" })).sign).toBe("Taurus");
      expect((await daily()).prediction.personal).toContain("<script>");
      expect((await daily()).prediction.personal).not.toContain("<script>");
    });

    it("comes with its probability, and alike from the same seed", async () => {
      const run = async () => {
        await sandbox.clearFaults();
        await sandbox.options({ seed: 21 });
        await sandbox.faults([{ fault: "http500", probability: 0.3 }]);
        const statuses: number[] = [];
        for (let tries = 0; tries < 200; tries += 1)
          statuses.push((await call(sandbox, "daily-tarot")).status);
        return statuses;
      };
      const first = await run();
      const failed = first.filter((status) => status === 500).length;
      expect(failed).toBeGreaterThan(35);
      expect(failed).toBeLessThan(85);
      expect(await run()).toEqual(first);
    });

    it("knows no fault that no rule can ask for", async () => {
      const needs: Partial<Record<Fault, object>> = { slow: { delayMs: 1 } };
      const url = `${sandbox.origin}/control/faults`;
      for (const fault of Object.keys(faults)) {
        const rule = { fault, ...Object.entries(needs).find(([name]) => name === fault)?.[1] };
        const headers = { "content-type": "application/json" };
        const response = await fetch(url, { method: "POST", headers, body: JSON.stringify([rule]) });
        expect({ fault, status: response.status }).toEqual({ fault, status: 200 });
      }
    });
  });

  describe("by profile", () => {
    it("outage is 503 and revoked 401 for every operation", async () => {
      for (const [profile, status] of [
        ["outage", 503],
        ["revoked", 401],
      ] as const) {
        await sandbox.clearFaults();
        await sandbox.profile(profile);
        const answers = operationNames.flatMap((operation) => {
          const english = call(sandbox, operation);
          return rowOf(operation).endpoint === "legacy"
            ? [english]
            : [english, call(sandbox, operation, "hi")];
        });
        const statuses = (await Promise.all(answers)).map((response) => response.status);
        expect(statuses.length).toBeGreaterThan(operationNames.length);
        expect(new Set(statuses)).toEqual(new Set([status]));
      }
    });

    it("slow lets the translator take its half minute and English a second", async () => {
      await sandbox.profile("slow");
      const before = performance.now();
      const leave = new AbortController();
      const translator = call(sandbox, "daily-tarot", "hi", {}, { signal: leave.signal });
      const waiting = translator.then(
        () => "answered",
        () => "still waiting",
      );
      await call(sandbox, "daily-tarot");
      expect(performance.now() - before).toBeGreaterThan(990);
      leave.abort();
      expect(await waiting).toBe("still waiting");
    });

    /** Counts among 300 calls: responses that look like a success, and real ones. */
    async function tally(profile: ProfileName) {
      await sandbox.options({ seed: 8 });
      await sandbox.profile(profile);
      let successes = 0;
      for (let tries = 0; tries < 300; tries += 1) {
        const signal = AbortSignal.timeout(5_000);
        const text = await call(sandbox, "daily-horoscope", "en", {}, { signal })
          .then((response) => response.text())
          .catch(() => "");
        if (text.startsWith('{"success":1') && text.endsWith("}")) successes += 1;
      }
      const counts = Object.values((await sandbox.stats()).byRequest);
      return { successes, good: counts.reduce((sum, { answered }) => sum + answered, 0) };
    }

    it("flaky gives no answer now and then", async () => {
      const { successes, good } = await tally("flaky");
      expect(good).toBe(successes);
      expect(good).toBeGreaterThan(260);
      expect(good).toBeLessThan(297);
    });

    it("rude now and then gives an answer that looks like a success and is none", async () => {
      const { successes, good } = await tally("rude");
      expect(good).toBeGreaterThan(200);
      expect(successes).toBeGreaterThan(good + 15);
    });

    it("can be chosen by name when it starts", async () => {
      expect([...profileNames].sort()).toEqual(["flaky", "outage", "revoked", "rude", "slow"]);
      const other = await spawnSandbox({ faults: "outage" });
      expect((await call(other, "daily-tarot")).status).toBe(503);
      await other.close();
    });
  });
});
