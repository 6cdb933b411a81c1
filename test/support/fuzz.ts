// Judges mutated answers and counts the verdicts; shared by `npm test` (2,000, with test:deep 10,000) and `npm run fuzz` (a million).
import fc from "fast-check";
import { type ServiceAnswer, isFailure } from "../../readings/answer.ts";
import { languageNames, operations, rowOf, signs } from "../../readings/tables.ts";
import { shiftPeriod } from "../../readings/calendar.ts";
import { judgeAnswer } from "../../readings/quality.ts";
import { type Reading, readingSchema } from "../../readings/reading.schema.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { signNames } from "../../readings/sign-names.ts";
import { type Body, goodBody, periodEchoes } from "./grammar.ts";
import { sandboxProse } from "./prose.ts";
import { allRequests } from "./requests.ts";

export interface FuzzCounts {
  runs: number;
  readings: number;
  failures: Record<string, number>;
}

interface Mutant {
  readonly request: ReadingRequest;
  readonly bytes: Uint8Array;
  readonly what: string;
  /** The mutation planted something that must be refused. */
  readonly mustFail: boolean;
}

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  " ",
  "x",
  "\u0000",
  "\uD800",
  "\uFFFD",
  [],
  {},
  [[]],
  "<script>alert(1)</script>",
  "{{name}}",
  "javascript:alert(1)",
  "𒀀".repeat(50),
  "a".repeat(50_000),
  { length: 1 },
  "__proto__",
  "‮abc",
];
const oddKeys = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "data", "0", "length"];

/** Runs `count` mutations from a seed and returns their results; throws on the first violation, with the seed to repeat it. */
export function fuzz(count: number, seed: number): FuzzCounts {
  const counts: FuzzCounts = { runs: 0, readings: 0, failures: {} };
  const property = fc.property(mutants, (mutant) => {
    counts.runs += 1;
    const verdict = verdictOn(mutant);
    if (verdict === "reading") counts.readings += 1;
    else counts.failures[verdict] = (counts.failures[verdict] ?? 0) + 1;
  });
  fc.assert(property, { numRuns: count, seed, endOnFailure: false, interruptAfterTimeLimit: undefined });
  return counts;
}

function verdictOn({ request, bytes, what, mustFail }: Mutant): string {
  try {
    const { reading } = judgeAnswer(request, answerOf(bytes));
    readingSchema.parse(reading);
    if (mustFail) throw new Error(`${what}: became a reading`);
    if (askedBy(reading) !== askedBy(request)) throw new Error("a reading for something else than asked");
    return "reading";
  } catch (error) {
    if (isFailure(error)) return error.type;
    throw new Error(`${what}: ${String(error)}`, { cause: error });
  }
}

/** Fields that request and reading have in common. */
function askedBy(one: ReadingRequest | Reading): string {
  return [one.operation, one.language, one.period, "sign" in one ? one.sign : ""].join(" ");
}

export function answerOf(body: Uint8Array | string, status = 200): ServiceAnswer {
  return {
    address: "http://127.0.0.1/english",
    status,
    retryAfter: undefined,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    receivedAt: new Date("2026-11-21T12:00:00Z"),
    elapsedMs: 1,
  };
}

type Next = (below: number) => number;

const mutants: fc.Arbitrary<Mutant> = fc.constantFrom(...allRequests).chain((request) =>
  fc
    .tuple(
      goodBody(request),
      fc.integer({ min: 0, max: 9 }),
      fc.array(fc.nat(1_000_000), { minLength: 24, maxLength: 24 }),
    )
    .map(([body, kind, numbers]) => {
      let place = 0;
      const next: Next = (below) => (numbers[place++ % numbers.length] ?? 0) % Math.max(below, 1);
      return mutate(request, body, kind, next);
    }),
);

function mutate(request: ReadingRequest, body: Body, kind: number, next: Next): Mutant {
  switch (kind) {
    case 0:
      return { request, bytes: mangled(JSON.stringify(body), next), what: "bytes mangled", mustFail: false };
    case 1:
      return plantSign(request, body, next);
    case 2:
      return plantPeriod(request, body, next);
    case 3:
      return plantLanguage(request, body, next);
    case 4: {
      // 3, the only code for refused credentials, twice: of 2,000 mutants about 27 have it, so nearly every run has some.
      const success = [0, 2, 3, 3, 4, -1, "1", true, null, [1], 1.5][next(11)];
      return encoded(request, { ...body, success }, `success ${JSON.stringify(success)}`, true);
    }
    default: {
      const mutated: unknown = structuredClone(body);
      for (let time = 0; time <= next(3); time += 1) mutateNode(mutated, next);
      return encoded(request, mutated, "structure changed", false);
    }
  }
}

function encoded(request: ReadingRequest, body: unknown, what: string, mustFail: boolean): Mutant {
  return { request, bytes: new TextEncoder().encode(JSON.stringify(body)), what, mustFail };
}

function mangled(text: string, next: Next): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  switch (next(4)) {
    case 0:
      return bytes.subarray(0, next(bytes.length));
    case 1:
      for (let time = 0; time <= next(5); time += 1) bytes[next(bytes.length)] = next(256);
      return bytes;
    case 2: {
      const from = next(bytes.length);
      return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + next(200))]);
    }
    default:
      return new TextEncoder().encode(
        text.replace(/"/, ["[[[[", "\u0000", "<html>", "}{", "\uFEFF"][next(5)] ?? ""),
      );
  }
}

function plantSign(request: ReadingRequest, body: Body, next: Next): Mutant {
  const requested = "sign" in request ? request.sign : "sign1" in request ? request.sign1 : undefined;
  if (requested === undefined) return encoded(request, body, "nothing planted", false);
  const others = signs.filter((sign) => sign !== requested);
  const other = others[next(others.length)] ?? "aries";
  const language = languageNames[next(languageNames.length)] ?? "en";
  const said = signNames[language][other];
  const data = structuredClone(body.data);
  if ("sign" in request) data["sign"] = said;
  else data["prediction"] = { ...Object(data["prediction"]), sign_1: said };
  return encoded(request, { ...body, data }, `sign ${said} in place of ${requested}`, true);
}

function plantPeriod(request: ReadingRequest, body: Body, next: Next): Mutant {
  const { answer } = rowOf(request.operation);
  const { due } = operations[request.operation];
  if (answer === undefined || due === "seasonal" || due === "once")
    return encoded(request, body, "nothing planted", false);
  const by = [-3, -2, -1, 1, 2, 3][next(6)] ?? 1;
  const [said] = periodEchoes(request.operation, shiftPeriod(due, request.period, by));
  const data = { ...body.data, [answer.period]: said };
  return encoded(request, { ...body, data }, `period ${said} in place of ${request.period}`, true);
}

function plantLanguage(request: ReadingRequest, body: Body, next: Next): Mutant {
  const others = languageNames.filter((language) => language !== request.language);
  const other = others[next(others.length)] ?? "en";
  const prose = sandboxProse(other);
  const data = JSON.parse(JSON.stringify(body.data), (_key, value: unknown) =>
    typeof value === "string" && value.length > 60 && !value.startsWith("http")
      ? prose[next(prose.length)]
      : value,
  );
  return encoded(request, { ...body, data }, `prose in ${other} in place of ${request.language}`, true);
}

/** Walks to a random place and deletes, replaces, wraps or adds there. */
function mutateNode(node: unknown, next: Next): void {
  if (typeof node !== "object" || node === null) return;
  const keys = Object.keys(node);
  const key = keys[next(keys.length)];
  if (key === undefined) return;
  const child: unknown = Reflect.get(node, key);
  if (typeof child === "object" && child !== null && next(3) > 0) mutateNode(child, next);
  else changeAt(node, key, child, next);
}

function changeAt(node: object, key: string, child: unknown, next: Next): void {
  const odd: unknown = structuredClone(oddValues[next(oddValues.length)]); // a copy: later mutations may change it
  switch (next(5)) {
    case 0:
      Reflect.deleteProperty(node, key);
      return;
    case 1:
      Reflect.set(node, key, [child]);
      return;
    case 2: {
      if (Array.isArray(node)) return;
      const own = { value: odd, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(node, oddKeys[next(oddKeys.length)] ?? "", own);
      return;
    }
    case 3:
      Reflect.set(node, key, typeof child === "string" ? child + String(odd) : odd);
      return;
    default:
      Reflect.set(node, key, odd);
  }
}
