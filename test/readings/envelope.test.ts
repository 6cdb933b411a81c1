import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ServiceAnswer, openEnvelope, isFailure, Unavailable } from "../../readings/answer.ts";
import { judgeAnswer } from "../../readings/quality.ts";
import { horoscopeData, horoscopeRequest } from "../support/answers.ts";
import { answerOf } from "../support/fuzz.ts";
import { hostileTexts, within } from "../support/hostile.ts";
import { sandboxProse } from "../support/prose.ts";
import { deep } from "../support/deep.ts";

const key = "daily/2026-11-21/en/daily-horoscope/leo";

function failureOf(answer: ServiceAnswer): Error & { type: string } {
  try {
    openEnvelope(key, answer);
  } catch (error) {
    if (isFailure(error)) return error;
    throw error;
  }
  throw new Error("opened, although it should have failed");
}

/** Type, rule and observation, such as `Unfit json: the body is not JSON`. */
function seen(body: Uint8Array | string | object, status = 200): string {
  const plain = typeof body === "string" || body instanceof Uint8Array;
  const error = failureOf(answerOf(plain ? body : JSON.stringify(body), status));
  const rule = "rule" in error ? ` ${String(error.rule)}` : "";
  return isFailure(error) ? `${error.type}${rule}: ${error.seenInFull()}` : "";
}

describe("a success", () => {
  it("returns its data", () => {
    const data = { prediction: { card: "THE SUN" } };
    expect(openEnvelope(key, answerOf(JSON.stringify({ success: 1, data })))).toEqual(data);
    expect(openEnvelope(key, answerOf(`\uFEFF \r\n{"data":{},"success":1.0} \n`))).toEqual({});
  });

  it("without an object for its data is Unfit", () => {
    for (const [data, kind] of [
      [undefined, "missing"],
      [null, "null"],
      [[], "a list"],
      ["text", "a string"],
      [0, "a number"],
      [false, "a boolean"],
    ]) {
      expect(seen({ success: 1, data })).toBe(`Unfit shape: "success" is 1, but "data" is ${String(kind)}`);
    }
  });

  it("requires the number 1", () => {
    for (const success of ["1", true, null, [1], { value: 1 }]) {
      expect(seen({ success, data: {} })).toMatch(/^Unfit shape: "success" is .*, expected the number 1$/);
    }
    expect(seen({ data: {} })).toBe('Unfit shape: "success" is missing, expected the number 1');
    expect(seen('{"__proto__": {"success": 1, "data": {}}}')).toMatch(/^Unfit shape: "success" is missing/);
  });
});

describe("a refusal", () => {
  it("of the credentials has success 3 or status 401, with the service's message", () => {
    const body = { success: 3, msg: "Invalid authorization token\r\nor api key" };
    expect(seen(body)).toBe('CredentialsRefused: "success" is 3, a message: “Invalid authorization token”');
    expect(seen(body, 401)).toBe("CredentialsRefused: a message: “Invalid authorization token”");
    expect(seen("", 401)).toBe("CredentialsRefused: an empty body");
    expect(seen("<html>no</html>", 401)).toBe("CredentialsRefused: HTML: “<html>no</html>”");
  });

  it("of the credentials is one under status 400 and 403, too", () => {
    expect(seen({ success: 3, msg: "Invalid api key" }, 400)).toBe(
      "CredentialsRefused: a message: “Invalid api key”",
    );
    expect(seen({ success: 3, msg: "Invalid api key" }, 403)).toBe(
      "CredentialsRefused: a message: “Invalid api key”",
    );
    expect(seen({ success: 2, msg: "Not subscribed" }, 403)).toBe("Rejected: a message: “Not subscribed”");
  });

  it("of the request has any other number, or any other status below 500", () => {
    expect(seen({ success: 2, msg: "Not subscribed" })).toBe(
      'Rejected: "success" is 2, a message: “Not subscribed”',
    );
    expect(seen({ success: 0, message: "No" })).toBe('Rejected: "success" is 0, a message: “No”');
    expect(seen({ success: 1.5, error: "No" })).toBe('Rejected: "success" is 1, a message: “No”');
    expect(seen({ success: -1 })).toBe('Rejected: "success" is -1, JSON: “{"success":-1}”');
    for (const status of [201, 204, 400, 403, 404, 410, 422]) {
      expect(seen("nope", status)).toBe("Rejected: not JSON: “nope”");
    }
    expect(seen({ success: 1, data: {} }, 201)).toMatch(/^Rejected: /);
  });

  it("of a redirect names the setting to check, not the target", () => {
    expect(seen("<a href='https://elsewhere.example/?key=1'>", 302)).toBe(
      "Rejected: a redirect, which is never followed: check the endpoint's URL",
    );
  });
});

describe("an unavailable service", () => {
  it("is Unavailable by its status, with the time to wait where one is given", () => {
    for (const status of [500, 502, 503, 504, 599, 408, 429]) {
      expect(seen("busy", status)).toBe("Unavailable: not JSON: “busy”");
    }
    const waiting = failureOf({ ...answerOf("", 429), retryAfter: "7" });
    expect(waiting instanceof Unavailable && waiting.retryAfterMs).toBe(7000);
    const silent = failureOf({ ...answerOf("", 503), retryAfter: "later" });
    expect(silent instanceof Unavailable && silent.retryAfterMs).toBeUndefined();
    expect(seen({ success: 3, msg: "wait" }, 503)).toBe("Unavailable: a message: “wait”");
  });

  it("is Unavailable when it is empty", () => {
    for (const body of ["", " \r\n\t", "\uFEFF"]) expect(seen(body)).toBe("Unavailable: an empty body");
  });

  it("is Unavailable when it was cut off anywhere, even within a character or a nested object", () => {
    for (const language of ["en", "hi", "zh"] as const) {
      const texts = sandboxProse(language).map((text) => `${text} "}" \\ {`);
      const whole = new TextEncoder().encode(
        JSON.stringify({ success: 1, data: horoscopeData(texts, { special: { horoscope_percentage: {} } }) }),
      );
      for (let bytes = 1; bytes < whole.length; bytes += 1) {
        expect(seen(whole.subarray(0, bytes))).toBe(`Unavailable: a body cut off after ${bytes} bytes`);
      }
    }
  });
});

describe("an unreadable response", () => {
  it("is Unfit: a page, text, broken JSON, another value, another encoding", () => {
    expect(seen("<!DOCTYPE html><html></html>")).toBe("Unfit json: an HTML page instead of JSON");
    expect(seen(" \n<html>")).toBe("Unfit json: an HTML page instead of JSON");
    expect(seen("Hello")).toBe("Unfit json: the body is not JSON");
    expect(seen('{"success":1,}')).toBe("Unfit json: the body is not JSON");
    expect(seen('{"success":1}{"success":1}')).toBe("Unfit json: the body is not JSON");
    for (const body of ["[]", "1", "null", '"text"', "true"]) {
      expect(seen(body)).toMatch(/^Unfit shape: expected a JSON object, got /);
    }
    expect(seen(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe("Unfit encoding: the body is not valid UTF-8");
    expect(seen(new Uint8Array(Buffer.from('{"success":1,"data":{}}', "utf16le")))).toMatch(/^Unfit /);
  });

  it("does not affect the parser's next response", () => {
    expect(seen(Uint8Array.of(0x7b, 0xe0, 0xa4))).toMatch(/^Unavailable/);
    expect(openEnvelope(key, answerOf('{"success":1,"data":{"a":"é"}}'))).toEqual({ a: "é" });
  });
});

describe("a failure", () => {
  it("reports key, address, status, and only kind and length of the service's message", () => {
    const body = `first line\n${"secret ".repeat(100_000)}`;
    const error = failureOf(answerOf(body, 400));
    expect(error.message).toBe(
      "the service rejected the request: requested daily/2026-11-21/en/daily-horoscope/leo " +
        "from http://127.0.0.1/english (HTTP 400): not JSON: 10 characters",
    );
    for (const shown of [JSON.stringify(error), inspect(error, { depth: 20, showHidden: true }), error.stack])
      expect(shown).not.toMatch(/secret|first line/);
    expect(error.cause).toBeUndefined();
  });

  it("reports no number that could be a message", () => {
    expect(seen({ success: 18_211_505_021 })).toMatch(/^Rejected: "success" is a large number, JSON: /);
  });

  it("is short whatever the service says, without control characters", () => {
    const error = failureOf(
      answerOf(JSON.stringify({ success: 2, msg: `\u001B[31m\u0000${"x".repeat(5000)}` })),
    );
    expect(error.message.length).toBeLessThan(400);
    expect(error.message).not.toMatch(/\p{Cc}/u);
  });
});

describe("no response body", () => {
  const depth = 1_000_000;
  const bodies: [string, string][] = [
    ["a million lists in each other", "[".repeat(depth) + "]".repeat(depth)],
    ["half a million objects in each other", '{"a":'.repeat(depth / 2) + "1" + "}".repeat(depth / 2)],
    ["deep data", `{"success":1,"data":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`],
    ["a deep reading", `{"success":1,"data":{"prediction":${"[".repeat(depth)}${"]".repeat(depth)}}}`],
    ["a deep refusal", `{"success":2,"msg":${"[".repeat(depth)}${"]".repeat(depth)}}`],
    ["half of a million lists", "[".repeat(depth)],
    [
      "a name no object should have",
      '{"success":1,"data":{"__proto__":{"a":1},"constructor":{"prototype":1}}}',
    ],
    [
      "a hundred thousand fields",
      `{"success":1,"data":{${Array.from({ length: 1e5 }, (_, n) => `"${n}":0`).join()}}}`,
    ],
    ["lone surrogates", '{"success":1,"data":{"sign":"\\ud800","prediction":{"personal":"\\udfff"}}}'],
    ["numbers beyond all bounds", '{"success":1e999,"data":{"a":-1e999}}'],
    ...hostileTexts().map(([name, text]): [string, string] => [name, text]),
    ...hostileTexts().map(([name, text]): [string, string] => [`an object of ${name}`, `{${text}`]),
  ];
  it.each(bodies)("crashes or holds up the process: %s", (_name, body) => {
    const answer = answerOf(body);
    const failure = within(1000, () => {
      try {
        return judgeAnswer(horoscopeRequest("en"), answer);
      } catch (error) {
        return error;
      }
    });
    expect(isFailure(failure)).toBe(true);
  });

  it("changes JavaScript's built-in objects", () => {
    const body = '{"success":1,"__proto__":{"polluted":1},"data":{"__proto__":{"polluted":1}}}';
    openEnvelope(key, answerOf(body));
    expect("polluted" in {}).toBe(false);
  });

  it("of random bytes causes an unnamed error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 100, max: 599 }), (bytes, status) => {
        expect(seen(bytes, status)).toMatch(/^(CredentialsRefused|Rejected|Unavailable|Unfit)/);
      }),
      { numRuns: deep ? 2_000 : 500 },
    );
  });
});
