// Faults that spoil a good response: another sign's text, no text, markup, invalid UTF-8.
import { type Language, operations, signs } from "../../readings/tables.ts";
import { shiftPeriod } from "../../readings/calendar.ts";
import type { HoroscopeRequest } from "../../readings/request.ts";
import { envelope } from "./answers.ts";
import type { ReceivedRequest, Data, JsonValue } from "./received-request.ts";
import type { FaultRule } from "./faults.ts";
import { withForeignPictures } from "./foreign-pictures.ts";
import { proseOf } from "./prose.ts";
import { itemAt } from "./random.ts";
import { textChanges, withTexts } from "./spoilt-texts.ts";

/** The good data for a request, in this or another language, sign or period. */
export type Writer = (call: ReceivedRequest) => Data;

/** The body that a fault makes of the response; other faults leave it unchanged. */
export function bodyWith(rule: FaultRule | undefined, call: ReceivedRequest, write: Writer): string | Buffer {
  switch (rule?.fault) {
    case "wrongSign":
      return textOf(call, write(withNextSign(call)));
    case "duplicate":
      return textOf(call, withEcho(call, write, withNextSign(call)));
    case "wrongPeriod":
      return textOf(call, write(withPreviousPeriod(call)));
    case "stale":
      return textOf(call, withEcho(call, write, withPreviousPeriod(call)));
    case "wrongLanguage":
      return textOf(call, write({ ...call, language: rule.language ?? otherLanguage(call.language) }));
    case "empty":
    case "short":
    case "markup":
    case "advert":
    case "template":
    case "errorText":
    case "loneSurrogate":
    case "nullFields":
      return textOf(call, withTexts(write(call), rule.field, textChanges[rule.fault]));
    case "luck5":
      return textOf(
        call,
        withLuck(call, write, (lines) => lines.slice(0, 5)),
      );
    case "luck7":
      return textOf(
        call,
        withLuck(call, write, (lines) => [...lines, seventhLine(call.language)]),
      );
    case "extraFields":
      return textOf(call, {
        ...write(call),
        generated_by: "engine-7",
        debug: { cached: false, tries: [1, 2] },
      });
    case "foreignPictures":
      return textOf(call, withForeignPictures(write(call)));
    case "protoKeys":
      return withPrototypeKeys(textOf(call, write(call)));
    case "badJson":
      return cutOff(textOf(call, write(call)));
    case "badUtf8":
      return withBadBytes(
        textOf(
          call,
          withTexts(write(call), undefined, (text) => `${text}\uE000`),
        ),
      );
    default:
      return textOf(call, write(call));
  }
}

function textOf(call: ReceivedRequest, data: Data): string {
  return JSON.stringify(envelope(call, data));
}

function withNextSign(call: ReceivedRequest): ReceivedRequest {
  if ("sign" in call) return { ...call, sign: itemAt(signs, signs.indexOf(call.sign) + 1) };
  if ("sign1" in call) return { ...call, sign1: itemAt(signs, signs.indexOf(call.sign1) + 1) };
  return call;
}

function withPreviousPeriod(call: ReceivedRequest): ReceivedRequest {
  if (!("sign" in call)) return call;
  return { ...call, period: shiftPeriod(operations[call.operation].due, call.period, -1) };
}

/** The texts of one request under another's sign and period. */
function withEcho(call: ReceivedRequest, write: Writer, other: ReceivedRequest): Data {
  const right = write(call);
  const wrong = write(other);
  if ("sign" in call) {
    const { texts } = operations[call.operation].answer;
    return { ...right, [texts]: wrong[texts] ?? null };
  }
  const { prediction } = wrong;
  const { sign_1 = null, sign_2 = null } = objectOr(right.prediction);
  return { prediction: { ...objectOr(prediction), sign_1, sign_2 } };
}

/** The language of an untranslated response, usually English; English gets German. */
function otherLanguage(language: Language): Language {
  return language === "en" ? "de" : "en";
}

function withLuck(call: ReceivedRequest, write: Writer, change: (lines: JsonValue[]) => JsonValue[]): Data {
  const data = write(call);
  if (!("sign" in call)) return data;
  const { texts } = operations[call.operation].answer;
  const block = objectOr(data[texts]);
  return { ...data, [texts]: { ...block, luck: change(Array.isArray(block.luck) ? block.luck : []) } };
}

function seventhLine(language: HoroscopeRequest["language"]): string {
  const prose = proseOf(language);
  return `${prose.luckLabels.cosmicTip} : ${itemAt(prose.cosmicTips, 2)}`;
}

function objectOr(value: JsonValue | undefined): Data {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** Adds the key to the text, because an object literal with this key would set the prototype instead. */
function withPrototypeKeys(body: string): string {
  const keys = `"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},`;
  return body.replace("{", `{${keys}`).replace(`"data":{`, `"data":{${keys}`);
}

function cutOff(body: string): string {
  return body.slice(0, Math.floor((body.length * 2) / 3));
}

/** Replaces a private-use character with bytes that are never valid UTF-8. */
function withBadBytes(body: string): Buffer {
  const bytes = Buffer.from(body);
  const mark = Buffer.from("\uE000");
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at))
    bytes.fill(0xff, at, at + mark.length);
  return bytes;
}
