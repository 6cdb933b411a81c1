// Every fault that the sandbox knows, over real HTTP through the client and the rules: the failure that it is named.
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceSettings } from "../../service/service.ts";
import { type Failure, isFailure } from "../../readings/answer.ts";
import {
  languageSets,
  familyOf,
  languagesOf,
  type Operation,
  operationNames,
} from "../../readings/tables.ts";
import { judgeAnswer } from "../../readings/quality.ts";
import { findingsInSet } from "../../readings/rules/rule.ts";
import type { Reading } from "../../readings/reading.schema.ts";
import type { HoroscopeRequest, ReadingRequest } from "../../readings/request.ts";
import { type Fault, faults } from "../../packages/sandbox/faults.ts";
import { type FaultsSetting, faultsSetting } from "../../packages/sandbox/settings.ts";
import { clientFor, person } from "../support/client.ts";
import { deep } from "../support/deep.ts";
import { requestFor, testInstant } from "../support/requests.ts";
import { spawnSandbox, type SpawnedSandbox } from "../support/sandbox.ts";

interface Outcome {
  readonly type: Failure["type"] | "reading";
  readonly rule?: string | undefined;
  readonly status?: number | undefined;
  /** Observation that the failure reports. */
  readonly seen?: string;
}

const reading: Outcome = { type: "reading" };
const failure = (
  type: Failure["type"],
  status: number | undefined,
  seen: RegExp,
  rule?: string,
): Outcome => ({
  type,
  rule,
  status,
  seen: expect.stringMatching(seen),
});
const unavailable = (seen: RegExp, status?: number) => failure("Unavailable", status, seen);
const rejected = (status: number, seen: RegExp) => failure("Rejected", status, seen);
const refused = (status: number, seen: RegExp) => failure("CredentialsRefused", status, seen);
const unfit = (rule: string, seen: RegExp) => failure("Unfit", 200, seen, rule);

/** A fault that is not here does not compile. */
const outcomes: Record<Fault, Outcome> = {
  timeout: unavailable(/^no complete response within 0.5 s$/),
  reset: unavailable(/^the connection was closed before the response was complete/),
  http400: rejected(400, /^a message: “Bad request”$/),
  http401: refused(401, /^a message: “Invalid authorization token or api key”$/),
  http408: unavailable(/^a message: “Request time-out”$/, 408),
  http429: unavailable(/^a message: “Too many requests”$/, 429),
  http500: unavailable(/^a message: “Internal server error”$/, 500),
  http503: unavailable(/^a message: “Service unavailable”$/, 503),
  redirect: rejected(307, /^a redirect, which is never followed/),
  success0: rejected(200, /^"success" is 0, a message: “Something went wrong”$/),
  success2: rejected(200, /^"success" is 2, a message: “You are not subscribed to this service”$/),
  success3: refused(200, /^"success" is 3, a message: “Invalid authorization token/),
  html200: unfit("json", /^an HTML page instead of JSON$/),
  wrongType: unfit("shape", /"data" is a string/),
  huge: unfit("size", /the limit is 4194304$/),
  deep: unfit("shape", /"data" is a list/),
  slow: reading,
  drip: reading,
  truncated: unavailable(/^the connection was closed before the response was complete/, 200),
  badJson: unavailable(/^a body cut off after \d+ bytes$/, 200),
  badUtf8: unfit("encoding", /^the body is not valid UTF-8$/),
  wrongSign: unfit("sign", /^requested leo, but sign is virgo$/),
  wrongPeriod: unfit("period", /^requested 2026-11-21, but date is “2026-11-20”$/),
  wrongLanguage: unfit("language", /./),
  empty: unfit("empty", /^\S+ is empty$/),
  short: unfit("short", /letters, fewer than/),
  markup: unfit("markup", /contains markup: “<script>”$/),
  advert: unfit("address", /contains a URL: “lucky-stars.com”$/),
  template: unfit("template", /contains a placeholder: “\{\{”$/),
  errorText: unfit("error-text", /contains an error message or filler text/),
  loneSurrogate: unfit("characters", /contains broken characters/),
  nullFields: unfit("shape", /^data\.\S+: /),
  // A single response looks good: the rules of the whole set find these, below.
  duplicate: reading,
  stale: reading,
  luck5: reading,
  luck7: reading,
  protoKeys: reading,
  extraFields: reading,
  foreignPictures: reading,
};

describe("an error of the service over real HTTP", () => {
  let sandbox: SpawnedSandbox;
  let client: ReturnType<typeof clientFor>;
  beforeAll(async () => {
    sandbox = await spawnSandbox({ seed: 8 });
    client = clientFor(sandbox);
  });
  beforeEach(async () => {
    await sandbox.reset();
    await sandbox.clock({ at: testInstant.toISOString() });
  });
  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });

  const read = async (request: ReadingRequest, through = client): Promise<Reading | Failure> => {
    try {
      return judgeAnswer(request, await through.call(request, { instant: testInstant })).reading;
    } catch (error) {
      if (isFailure(error)) return error;
      throw error;
    }
  };
  const daily = requestFor("daily-horoscope", "en");
  const arm = (fault: Fault) => sandbox.faults(onceOf(fault));
  const impatient = (): Pick<ServiceSettings, "timeouts"> => {
    const timeouts = { connectMs: 400, answerMs: 500 };
    return { timeouts: { english: timeouts, translator: timeouts, legacy: timeouts } };
  };

  const names = Object.keys(faults).filter((name): name is Fault => Object.hasOwn(outcomes, name));

  it("is one of those listed here, none left out", () => {
    expect(names).toHaveLength(Object.keys(outcomes).length);
  });

  it.each(names)("%s is what it is called, and the next call is well", async (fault) => {
    await arm(fault);
    const through = fault === "timeout" ? clientFor(sandbox, impatient()) : client;
    const expected = outcomes[fault];
    const request = fault === "drip" ? requestFor("which-animal-are-you-reading", "en") : daily; // a byte a millisecond
    const outcome = await read(request, through);
    if (through !== client) await through.close();
    expect(shown(outcome)).toEqual(expected);
    expect(inspect(outcome, { depth: null })).not.toMatch(/sandbox-token|sandbox-key/);
    expect(typeOf(await read(daily))).toBe("reading");
    expect((await sandbox.stats()).calls).toBe(2);
  });

  it("hits every operation alike where it can happen to it", async () => {
    const spoilt = names.filter((fault) => !["timeout", "slow", "drip", "huge"].includes(fault));
    for (const [turn, operation] of operationNames.entries()) {
      const language = operation === "daily-tarot-legacy" ? "en" : "hi";
      const request = requestFor(operation, language);
      // In npm test, every third fault, shifted with each operation.
      const tried = spoilt.filter((_, index) => deep || index % 3 === turn % 3);
      for (const fault of tried.filter((name) => canHappenTo(name, operation))) {
        await arm(fault);
        const outcome = await read(request);
        expect({ operation, fault, type: typeOf(outcome), rule: ruleOf(outcome) }).toEqual({
          operation,
          fault,
          type: outcomes[fault].type,
          rule: outcomes[fault].rule,
        });
        expect(JSON.stringify(outcome)).not.toContain(person.fullName);
      }
      expect(languagesOf(operation)).toContain(language);
    }
  });

  it("wrongLanguage is found in every language that there is, when nobody translated", async () => {
    for (const language of languageSets["A+gu"].filter((name) => name !== "en")) {
      await sandbox.faults([{ fault: "wrongLanguage", times: 1 }]);
      expect({ language, rule: ruleOf(await read(requestFor("ex-flame-reading", language))) }).toEqual({
        language,
        rule: "language",
      });
    }
  });

  it.each([
    ["7", 7_000],
    ["Sat, 21 Nov 2026 12:00:30 GMT", undefined],
  ])("http429 hands Retry-After %s on", async (retryAfter, retryAfterMs) => {
    await sandbox.faults([{ fault: "http429", retryAfter, times: 1 }]);
    const through = clientFor(sandbox, { now: () => testInstant });
    expect(await read(daily, through)).toMatchObject({ retryAfterMs: retryAfterMs ?? 30_000 });
    await through.close();
  });

  it("another endpoint's credentials are refused as such: a wrong token by status, a wrong key by success 3", async () => {
    await sandbox.credentials({ token: "another-token" });
    expect(await read(daily)).toMatchObject({ type: "CredentialsRefused", facts: { status: 401 } });
    await sandbox.credentials({ token: sandbox.token, apiKey: "another-key" });
    expect(await read(daily)).toMatchObject({ type: "CredentialsRefused", facts: { status: 200 } });
  });

  it("duplicate and stale are found by the rules of the set", async () => {
    const horoscope = (sign: HoroscopeRequest["sign"], period: string): HoroscopeRequest => ({
      operation: "daily-horoscope",
      language: "en",
      period,
      sign,
    });
    const at = async (request: HoroscopeRequest) => {
      const outcome = await read(request);
      if (isFailure(outcome)) throw outcome;
      return outcome;
    };
    const before = await at(horoscope("leo", "2026-11-20"));
    await sandbox.faults([{ fault: "duplicate", times: 1 }]);
    const set = [await at(horoscope("leo", "2026-11-21")), await at(horoscope("virgo", "2026-11-21"))];
    expect(findingsInSet(set, [before])).toMatchObject([
      { rule: "another-sign", reason: "leo and virgo have the same text for 2026-11-21" },
    ]);
    await sandbox.faults([{ fault: "stale", times: 1 }]);
    expect(findingsInSet([await at(horoscope("leo", "2026-11-21"))], [before])).toMatchObject([
      { rule: "previous-period", reason: "leo has the same text for 2026-11-21 as for 2026-11-20" },
    ]);
  });
});

/** The rule as it comes over the control endpoint, so that any fault may be named. */
function onceOf(fault: Fault): FaultsSetting {
  const more = fault === "slow" ? { delayMs: 100 } : fault === "drip" ? { everyMs: 1 } : {};
  const setting = faultsSetting.parse([{ fault, times: 1, ...more }]);
  return Array.isArray(setting) ? setting : [];
}

function canHappenTo(fault: Fault, operation: Operation): boolean {
  const on: string | readonly string[] = faults[fault].on;
  return typeof on === "string" || on.includes(familyOf(operation));
}

function shown(outcome: Reading | Failure): Outcome {
  if (!isFailure(outcome)) return { type: "reading" };
  const { type, facts } = outcome;
  return { type, rule: ruleOf(outcome), status: facts.status, seen: outcome.seenInFull() };
}

function typeOf(outcome: Reading | Failure): Outcome["type"] {
  return isFailure(outcome) ? outcome.type : "reading";
}

function ruleOf(outcome: Reading | Failure): string | undefined {
  return "rule" in outcome && typeof outcome.rule === "string" ? outcome.rule : undefined;
}
