// Requests that the sandbox refuses, each with its reason.
import { request as rawRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Language, languagesOf, type Operation, operationNames, rowOf } from "../../readings/tables.ts";
import { type Sandbox, startSandbox } from "../../packages/sandbox/server.ts";
import { allFields, call, type Fields, formOf, urlOf } from "./calling.ts";

const refusal = z.strictObject({ success: z.number(), msg: z.string() });
const token = { authorization: "Bearer sandbox-token" };

describe("the sandbox's strictness", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  async function send(url: string, init: RequestInit) {
    const response = await fetch(url, init);
    return { status: response.status, ...refusal.parse(await response.json()) };
  }
  const post = (
    operation: Operation,
    language: Language,
    fields: Fields,
    headers: Record<string, string> = token,
  ) => send(urlOf(sandbox, operation, language), { method: "POST", headers, body: formOf(fields) });
  const good = (operation: Operation, language: Language = "en") => allFields(operation, language);

  it("refuses every method but POST", async () => {
    const url = urlOf(sandbox, "daily-tarot", "en");
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect(await send(url, { method, headers: token })).toMatchObject({
        status: 400,
        success: 2,
        msg: `the method is ${method}; use POST`,
      });
    }
  });

  it("takes a multipart form and no other body", async () => {
    const url = urlOf(sandbox, "daily-tarot", "en");
    const body = new URLSearchParams({ api_key: "sandbox-key" });
    const encoded = await send(url, { method: "POST", headers: token, body });
    expect(encoded).toMatchObject({ status: 400, success: 2 });
    expect(encoded.msg).toContain("application/x-www-form-urlencoded");
    const json = { ...token, "content-type": "application/json" };
    expect((await send(url, { method: "POST", headers: json, body: "{}" })).msg).toContain(
      "multipart/form-data",
    );
    const broken = { ...token, "content-type": "multipart/form-data; boundary=x" };
    const torn = await send(url, { method: "POST", headers: broken, body: "--x\r\nnothing of the kind" });
    expect(torn.msg).toContain("not a multipart form");
    expect((await send(url, { method: "POST", headers: token })).msg).toContain("no Content-Type");
  });

  it("refuses URL contains parameters", async () => {
    const url = `${urlOf(sandbox, "daily-tarot", "en")}?lan=en`;
    const body = formOf(good("daily-tarot"));
    expect((await send(url, { method: "POST", headers: token, body })).msg).toContain(
      "URL contains parameters",
    );
  });

  it("refuses a body of more than 64 KiB", async () => {
    const fields = { ...good("daily-tarot"), lan: "x".repeat(70_000) };
    expect((await post("daily-tarot", "en", fields)).msg).toContain("larger than 65536 bytes");
  });

  it("answers 401 without the account's token, on both endpoints, and never repeats what was sent", async () => {
    for (const language of ["en", "hi"] as const) {
      const missing = await post("daily-tarot", language, good("daily-tarot", language), {});
      expect(missing).toMatchObject({ status: 401, success: 3 });
      expect(missing.msg).toContain("is missing");
      for (const authorization of ["Bearer other-token", "sandbox-token", "Basic c2FuZGJveA=="]) {
        const wrong = await post("daily-tarot", language, good("daily-tarot", language), { authorization });
        expect(wrong).toMatchObject({ status: 401, success: 3 });
        expect(wrong.msg).not.toContain(authorization);
      }
    }
  });

  it("answers HTTP 200 with success 3 to a wrong api_key", async () => {
    for (const [operation, headers] of [
      ["daily-tarot", token],
      ["daily-tarot-legacy", {}],
    ] as const) {
      const answer = await post(operation, "en", { api_key: "other-key" }, headers);
      expect(answer).toMatchObject({ status: 200, success: 3 });
      expect(answer.msg).not.toContain("other-key");
    }
  });

  it("refuses an Authorization header at the legacy endpoint", async () => {
    expect(await post("daily-tarot-legacy", "en", good("daily-tarot-legacy"))).toMatchObject({
      status: 400,
      success: 2,
      msg: "the legacy endpoint accepts no Authorization header",
    });
  });

  it("needs every required field of every operation", async () => {
    for (const operation of operationNames) {
      const headers = rowOf(operation).endpoint === "legacy" ? {} : token;
      for (const field of ["api_key", ...rowOf(operation).required]) {
        const { [field]: _left, ...fields } = good(operation);
        const answer = await post(operation, "en", fields, headers);
        expect(answer).toMatchObject({ status: 400, msg: `the required field ${field} is missing` });
      }
    }
  });

  it("refuses a field outside the operation's row, naming the row", async () => {
    const outside: [Operation, string][] = [
      ["daily-tarot", "cards_count"],
      ["wisdom-reading", "cards_count"],
      ["past-present-future-reading", "cards_count"],
      ["dream-come-true-reading", "card_image"],
      ["daily-horoscope", "week"],
      ["weekly-horoscope", "h_day"],
      ["love-compatibility", "tzone"],
      ["love-compatibility", "sign"],
    ];
    for (const [operation, field] of outside) {
      const answer = await post(operation, "en", { ...good(operation), [field]: "1" });
      expect(answer.status).toBe(400);
      expect(answer.msg).toContain(`${operation} has no field "${field}"; its fields are api_key`);
    }
    const legacy = await post("daily-tarot-legacy", "en", { ...good("daily-tarot-legacy"), lan: "en" }, {});
    expect(legacy.msg).toContain(`has no field "lan"`);
  });

  it("refuses a field that comes twice, and one that is a file", async () => {
    const url = urlOf(sandbox, "daily-tarot", "en");
    const twice = formOf(good("daily-tarot"));
    twice.append("api_key", "sandbox-key");
    expect((await send(url, { method: "POST", headers: token, body: twice })).msg).toContain("is repeated");
    const file = formOf(good("daily-tarot"));
    file.append("lan", new File(["en"], "lan.txt"));
    expect((await send(url, { method: "POST", headers: token, body: file })).msg).toContain("lan is a file");
  });

  it("refuses a value outside its set, saying what was expected", async () => {
    const values: [Operation, string, string[], string][] = [
      ["daily-horoscope", "sign", ["ophiuchus", "", "aries "], "zodiac sign"],
      ["daily-horoscope", "h_day", ["Today", "now", "current"], "yesterday, today, tomorrow"],
      ["weekly-horoscope", "week", ["today", "previous"], "prev, current, next"],
      ["monthly-horoscope", "month", ["11"], "prev, current, next"],
      ["yearly-horoscope", "year", ["2026"], "prev, current, next"],
      [
        "daily-horoscope",
        "tzone",
        ["5.3", "15", "-13", "+5", "5,5", "Asia/Kolkata", "NaN", ""],
        "steps of 0.25",
      ],
      ["egyptian-prediction", "cards_count", ["0", "6", "1.5", "two"], "1 to 5"],
      ["egyptian-prediction", "card_image", ["0", "4"], "1 to 3"],
      ["which-animal-are-you-reading", "month", ["0", "13", "current"], "1 to 12"],
      ["which-animal-are-you-reading", "year", ["92", "3000"], "1900 to 2100"],
      ["which-animal-are-you-reading", "day", ["0", "32"], "1 to 31"],
    ];
    for (const [operation, field, wrong, expected] of values) {
      for (const value of wrong) {
        const answer = await post(operation, "en", { ...good(operation), [field]: value });
        expect(answer).toMatchObject({ status: 400, success: 2 });
        expect(answer.msg).toContain(`the field ${field} is ${JSON.stringify(value)}: expected`);
        expect(answer.msg).toContain(expected);
      }
    }
  });

  it("accepts signs in any case and every offset that a zone has", async () => {
    for (const sign of ["aries", "Aries", "ARIES", "aRiEs"]) {
      expect((await call(sandbox, "daily-horoscope", "en", { sign })).status).toBe(200);
    }
    for (const tzone of ["5.5", "5.75", "-3.5", "-12", "14", "12.75", "0", "9.0"]) {
      const { status } = await call(sandbox, "daily-horoscope", "en", { tzone });
      expect({ tzone, status }).toEqual({ tzone, status: 200 });
    }
  });

  it("refuses a birth date that the calendar does not have, without repeating a name", async () => {
    const born = { day: "29", month: "2", year: "1991" };
    const answer = await post("which-animal-are-you-reading", "en", {
      ...good("which-animal-are-you-reading"),
      ...born,
    });
    expect(answer).toMatchObject({
      status: 400,
      msg: "the fields day, month and year are not a valid date",
    });
    const long = { ...good("which-animal-are-you-reading"), full_name: `Example ${"n".repeat(300)}` };
    expect((await post("which-animal-are-you-reading", "en", long)).msg).not.toContain("Example");
  });

  it("sends each language to its own endpoint and refuses those outside the operation's set", async () => {
    const english = (code: string) => post("daily-tarot", "en", { ...good("daily-tarot"), lan: code });
    expect((await english("hi")).msg).toBe("lan is hi at the English endpoint: call the translator endpoint");
    const { lan: _none, ...withoutLan } = good("daily-tarot", "hi");
    expect((await post("daily-tarot", "hi", withoutLan)).msg).toContain("lan is missing");
    expect((await post("daily-tarot", "hi", { ...withoutLan, lan: "en" })).msg).toContain("its own endpoint");
    const outside = await post("love-compatibility", "hi", {
      ...good("love-compatibility", "hi"),
      lan: "gu",
    });
    expect(outside).toMatchObject({ status: 400, success: 2 });
    expect(outside.msg).toContain("love-compatibility has en, hi");
    // Our own codes are no codes of the service: `el` is `gr` there.
    expect(
      (await post("daily-horoscope", "el", { ...good("daily-horoscope", "el"), lan: "el" })).status,
    ).toBe(400);
  });

  it("understands the service's codes as its own languages", async () => {
    const text = async (language: Language) =>
      JSON.stringify(await (await call(sandbox, "daily-tarot", language)).json());
    expect(await text("ta")).toMatch(/\p{Script=Tamil}/u);
    expect(await text("te")).toMatch(/\p{Script=Telugu}/u);
    expect(await text("fil")).toMatch(/\b(ang|mga|ng)\b/);
    expect(languagesOf("daily-tarot")).not.toContain("el");
  });

  it("answers 404 elsewhere and stays up after a client that breaks off in mid-request", async () => {
    expect((await fetch(`${sandbox.origin}/english/api/v9/daily-tarot`, { method: "POST" })).status).toBe(
      404,
    );
    await new Promise<void>((resolve) => {
      const half = rawRequest(urlOf(sandbox, "daily-tarot", "en"), {
        method: "POST",
        headers: { ...token, "content-type": "multipart/form-data; boundary=x", "content-length": "500" },
      });
      half.on("error", () => undefined);
      half.on("close", () => resolve());
      half.write("--x\r\n", () => half.destroy());
    });
    expect((await call(sandbox, "daily-tarot")).status).toBe(200);
  });
});
