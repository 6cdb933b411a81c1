// All failures that the sandbox can simulate, by name, and the rules that trigger them.
import { z } from "zod";
import {
  type EndpointName,
  endpointNames,
  type Family,
  familyOf,
  type Operation,
  operationNames,
  type Language,
  languageNames,
  type Sign,
  signs,
} from "../../readings/tables.ts";
import type { Random } from "./random.ts";

/** `call`: the fault comes in place of any answer. `reading`: it spoils a good answer of any operation; else of these
 * families only. A `harmless` fault still gives a good reading. */
interface Trait {
  readonly on: "call" | "reading" | readonly Family[];
  readonly harmless?: true;
}

const horoscopes = ["horoscope"] as const;
const signed = ["horoscope", "pair"] as const;

// oxfmt-ignore
export const faults = {
  timeout: { on: "call" }, reset: { on: "call" },
  http400: { on: "call" }, http401: { on: "call" }, http408: { on: "call" }, http429: { on: "call" },
  http500: { on: "call" }, http503: { on: "call" }, redirect: { on: "call" },
  success0: { on: "call" }, success2: { on: "call" }, success3: { on: "call" },
  html200: { on: "call" }, wrongType: { on: "call" }, huge: { on: "call" }, deep: { on: "call" },
  slow: { on: "reading", harmless: true }, drip: { on: "reading", harmless: true },
  truncated: { on: "reading" }, badJson: { on: "reading" }, badUtf8: { on: "reading" },
  wrongSign: { on: signed }, duplicate: { on: signed },
  wrongPeriod: { on: horoscopes }, stale: { on: horoscopes },
  wrongLanguage: { on: "reading" },
  empty: { on: "reading" }, short: { on: "reading" }, markup: { on: "reading" }, advert: { on: "reading" }, template: { on: "reading" },
  errorText: { on: "reading" }, loneSurrogate: { on: "reading" }, nullFields: { on: "reading" },
  luck5: { on: horoscopes, harmless: true }, luck7: { on: horoscopes, harmless: true },
  protoKeys: { on: "reading", harmless: true }, extraFields: { on: "reading", harmless: true },
  foreignPictures: { on: "reading", harmless: true },
} as const satisfies Record<string, Trait>;

export type Fault = keyof typeof faults;

const milliseconds = z.number().min(0).max(3_600_000);

const common = {
  match: z
    .strictObject({
      operation: z.enum(operationNames).optional(),
      language: z.enum(languageNames).optional(),
      sign: z.enum(signs).optional(),
      endpoint: z.enum(endpointNames).optional(),
    })
    .default({}),
  /** Number of times before the rule is used up. Default: unlimited. */
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).default(1),
};

/** The spoilt field of the response. Default: every text. */
const field = z.string().min(1).optional();
/** Seconds or an HTTP date, sent as it is. */
const retryAfter = z.union([z.int().min(0), z.string().regex(/^[\x20-\x7e]+$/)]).optional();

export const faultRule = z
  .discriminatedUnion("fault", [
    z.strictObject({
      ...common,
      fault: z.enum([
        ...([
          "timeout",
          "reset",
          "http400",
          "http401",
          "http408",
          "http500",
          "redirect",
          "success0",
        ] as const),
        ...(["success2", "success3", "html200", "wrongType", "huge", "deep", "badJson", "badUtf8"] as const),
        ...(["wrongSign", "duplicate", "wrongPeriod", "stale", "luck5", "luck7"] as const),
        ...(["protoKeys", "extraFields", "foreignPictures"] as const),
      ]),
    }),
    z.strictObject({
      ...common,
      fault: z.enum([
        "empty",
        "short",
        "markup",
        "advert",
        "template",
        "errorText",
        "loneSurrogate",
        "nullFields",
      ]),
      field,
    }),
    z.strictObject({ ...common, fault: z.enum(["http429", "http503"]), retryAfter }),
    z.strictObject({
      ...common,
      fault: z.literal("slow"),
      delayMs: milliseconds,
      jitterMs: milliseconds.default(0),
    }),
    z.strictObject({ ...common, fault: z.literal("drip"), everyMs: milliseconds.min(1).default(10) }),
    /** Sent with a length that promises more than follows, or `chunked` and interrupted. */
    z.strictObject({ ...common, fault: z.literal("truncated"), chunked: z.boolean().default(false) }),
    z.strictObject({
      ...common,
      fault: z.literal("wrongLanguage"),
      language: z.enum(languageNames).optional(),
    }),
  ])
  .refine((rule) => rule.match.operation === undefined || canHappenTo(rule.fault, rule.match.operation), {
    error: "this fault does not apply to this operation: its response has no such field",
  });

export type FaultRule = z.infer<typeof faultRule>;

/** A rule with its remaining number of times. */
export interface ArmedFault {
  readonly rule: FaultRule;
  left: number;
}

export function arm(rules: readonly FaultRule[]): ArmedFault[] {
  return rules.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
}

function canHappenTo(fault: Fault, operation: Operation): boolean {
  const { on }: Trait = faults[fault];
  return typeof on === "string" || on.includes(familyOf(operation));
}

export function isHarmless(fault: Fault): boolean {
  const trait: Trait = faults[fault];
  return trait.harmless === true;
}

/** The facts of a call that are known even if it is refused. */
export interface Circumstances {
  readonly endpoint: EndpointName;
  readonly operation: Operation;
  readonly language: Language | undefined;
  readonly signs: readonly Sign[];
  readonly refused: boolean;
}

/** The first rule that fits these circumstances and whose chance comes up; one of its times is used. */
export function takeFault(armed: ArmedFault[], seen: Circumstances, chance: Random): FaultRule | undefined {
  for (const [index, candidate] of armed.entries()) {
    const { rule } = candidate;
    if (!fits(rule, seen)) continue;
    if (rule.probability < 1 && chance() >= rule.probability) continue;
    candidate.left -= 1;
    if (candidate.left <= 0) armed.splice(index, 1);
    return rule;
  }
  return undefined;
}

function fits({ fault, match }: FaultRule, seen: Circumstances): boolean {
  if (seen.refused && faults[fault].on !== "call") return false;
  if (!canHappenTo(fault, seen.operation)) return false;
  if (match.endpoint !== undefined && match.endpoint !== seen.endpoint) return false;
  if (match.operation !== undefined && match.operation !== seen.operation) return false;
  if (match.language !== undefined && match.language !== seen.language) return false;
  return match.sign === undefined || seen.signs.includes(match.sign);
}
