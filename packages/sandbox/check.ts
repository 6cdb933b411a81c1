// Checks whether the interface allows a call. It is strict on purpose: a client that passes sends just the fields of the table.
import { createHash } from "node:crypto";
import {
  type EndpointName,
  type Field,
  languagesOf,
  type Operation,
  operations,
  rowOf,
  type Language,
  languageNames,
  wireOf,
  type Sign,
  signs,
} from "../../readings/tables.ts";
import { type PeriodKind, periodOf, shiftPeriod, dateAt } from "../../readings/calendar.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { expectedIn, stepOf } from "./fields.ts";
import { type Form, quote } from "./form.ts";

export interface ReceivedCall {
  readonly endpoint: EndpointName;
  readonly operation: Operation;
  readonly method: string;
  /** The query of the URL. */
  readonly query: string;
  readonly authorization: string | undefined;
  readonly form: Form | string;
}

export interface ExpectedCredentials {
  readonly token: string;
  readonly apiKey: string;
}

export interface CallRefusal {
  readonly status: 200 | 400 | 401;
  readonly success: 2 | 3;
  readonly msg: string;
}

/** The parsed request, or what is wrong with it. */
export function checkCall(
  call: ReceivedCall,
  credentials: ExpectedCredentials,
  nowMs: number,
): ReceivedRequest | CallRefusal {
  if (call.method !== "POST") return refused(`the method is ${call.method}; use POST`);
  if (call.query !== "") return refused("the URL contains parameters; send them as form fields");
  const { form } = call;
  const header = headerProblem(call, credentials);
  if (header !== undefined) return header;
  if (typeof form === "string") return refused(form);
  const problem = fieldsProblem(call.operation, form) ?? languageProblem(call, form.fields.get("lan"));
  if (problem !== undefined) return refused(problem);
  if (form.fields.get("api_key") !== credentials.apiKey) {
    return {
      status: 200,
      success: 3,
      msg: "Invalid authorization token or api key: the api_key is not this account's",
    };
  }
  const born = birthProblem(call.operation, form.fields);
  return born === undefined ? readRequest(call.operation, form.fields, nowMs) : refused(born);
}

export function isRefusal(verdict: ReceivedRequest | CallRefusal): verdict is CallRefusal {
  return "msg" in verdict;
}

/** The language that a form requests, however wrong the rest of it may be. */
export function languageOfCall(form: Form | string): Language | undefined {
  if (typeof form === "string") return undefined;
  const code = form.fields.get("lan") ?? "en";
  return languageNames.find((language) => wireOf(language) === code);
}

/** The signs a form names, however wrong the rest of it may be. */
export function signsIn(form: Form | string): Sign[] {
  if (typeof form === "string") return [];
  const named = new Set(["sign", "sign_1", "sign_2"].map((field) => form.fields.get(field)?.toLowerCase()));
  return signs.filter((sign) => named.has(sign));
}

function refused(msg: string): CallRefusal {
  return { status: 400, success: 2, msg };
}

function headerProblem(call: ReceivedCall, credentials: ExpectedCredentials): CallRefusal | undefined {
  if (call.endpoint === "legacy") {
    if (call.authorization === undefined) return undefined;
    return refused("the legacy endpoint accepts no Authorization header");
  }
  if (call.authorization === `Bearer ${credentials.token}`) return undefined;
  const what = call.authorization === undefined ? "is missing" : "does not contain this account's token";
  return {
    status: 401,
    success: 3,
    msg: `Invalid authorization token or api key: the Authorization header ${what}`,
  };
}

function fieldsProblem(operation: Operation, form: Form): string | undefined {
  const { required, optional } = rowOf(operation);
  const known: readonly string[] = ["api_key", ...required, ...optional];
  const { fields, files, repeated } = form;
  const unknown = [...fields.keys(), ...files].find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `${operation} has no field ${quote(unknown)}; its fields are ${known.join(", ")}`;
  if (files[0] !== undefined) return `the field ${files[0]} is a file; send it as text`;
  if (repeated[0] !== undefined) return `the field ${repeated[0]} is repeated`;
  const missing = ["api_key", ...required].find((name) => !fields.has(name));
  if (missing !== undefined) return `the required field ${missing} is missing`;
  for (const field of [...required, ...optional]) {
    const problem = valueProblem(field, fields.get(field), operation);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(field: Field, value: string | undefined, operation: Operation): string | undefined {
  if (field === "lan" || value === undefined) return undefined;
  const expected = expectedIn(field, value, operation);
  if (expected === undefined) return undefined;
  const seen = field === "full_name" ? "not a name" : quote(value); // a person's name stands in no message
  return `the field ${field} is ${seen}: expected ${expected}`;
}

function languageProblem(call: ReceivedCall, code: string | undefined): string | undefined {
  if (call.endpoint === "legacy") return undefined;
  const translator = call.endpoint === "translator";
  if (code === undefined)
    return translator ? "lan is missing; the translator endpoint requires it" : undefined;
  const codes = languagesOf(call.operation).map(wireOf);
  if (!codes.some((known) => known === code)) {
    return `the field lan is ${quote(code)}: ${call.operation} has ${codes.join(", ")}`;
  }
  if (translator && code === "en")
    return "lan is en at the translator endpoint: English has its own endpoint";
  if (!translator && code !== "en")
    return `lan is ${code} at the English endpoint: call the translator endpoint`;
  return undefined;
}

/** Only a date of the calendar can be a birthday. */
function birthProblem(operation: Operation, fields: Form["fields"]): string | undefined {
  if (operations[operation].family !== "animal") return undefined;
  const [year, month, day] = ["year", "month", "day"].map((name) => Number(fields.get(name)));
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  return date.getUTCDate() === day ? undefined : "the fields day, month and year are not a valid date";
}

function readRequest(operation: Operation, fields: Form["fields"], nowMs: number): ReceivedRequest {
  const language = languageNames.find((name) => wireOf(name) === fields.get("lan")) ?? "en";
  switch (operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope": {
      const kind = operations[operation].due;
      return { operation, language, sign: signIn(fields, "sign"), period: periodIn(kind, fields, nowMs) };
    }
    case "love-compatibility": {
      const pair = { sign1: signIn(fields, "sign_1"), sign2: signIn(fields, "sign_2") };
      return { operation, language, period: "always", ...pair };
    }
    case "which-animal-are-you-reading":
      return { operation, language, period: "always", ...personIn(fields) };
    default: {
      const cardsCount = Number(fields.get("cards_count") ?? 1);
      return {
        operation,
        language,
        period: "always",
        cardsCount,
        cardImage: Number(fields.get("card_image") ?? 1),
      };
    }
  }
}

function signIn(fields: Form["fields"], field: Field): Sign {
  const name = fields.get(field)?.toLowerCase();
  return signs.find((sign) => sign === name) ?? "aries";
}

/** The service knows no zones: its local date is the date of now + tzone. */
function periodIn(kind: PeriodKind, fields: Form["fields"], nowMs: number): string {
  const date = dateAt(nowMs + Number(fields.get("tzone")) * 3_600_000);
  const word = fields.get("h_day") ?? fields.get("week") ?? fields.get("month") ?? fields.get("year") ?? "";
  return shiftPeriod(kind, periodOf(kind, date), stepOf(word));
}

function personIn(fields: Form["fields"]): { person: string; birthNumber: number } {
  const born = ["year", "month", "day"].map((name) => Number(fields.get(name))).join("-");
  const name = fields.get("full_name")?.trim().toLowerCase();
  let birthNumber = Number(born.replaceAll("-", ""));
  while (birthNumber > 9)
    birthNumber = String(birthNumber)
      .split("")
      .reduce((sum, digit) => sum + Number(digit), 0);
  return { person: createHash("sha256").update(`${name} ${born}`).digest("hex").slice(0, 12), birthNumber };
}
