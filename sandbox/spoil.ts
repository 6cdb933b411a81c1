// Faults that spoil a good answer: another sign's text, no text, markup, bytes that are no UTF-8.
import type { Language } from "../readings/languages.ts";
import { operations } from "../readings/operations.ts";
import { shiftPeriod } from "../readings/periods.ts";
import type { HoroscopeRequest } from "../readings/request.ts";
import { signs } from "../readings/signs.ts";
import { envelope } from "./answers.ts";
import type { Ask, Data, JsonValue } from "./ask.ts";
import type { FaultRule } from "./faults.ts";
import { withForeignPictures } from "./foreign-pictures.ts";
import { proseOf } from "./prose.ts";
import { itemAt } from "./random.ts";
import { textChanges, withTexts } from "./spoilt-texts.ts";

/** The good data for a request, in this or another language, sign or period. */
export type Writer = (ask: Ask) => Data;

/** The body that a fault makes of the answer; faults that are not about the body leave it good. */
export function bodyWith(rule: FaultRule | undefined, ask: Ask, write: Writer): string | Buffer {
  switch (rule?.fault) {
    case "wrongSign":
      return textOf(ask, write(withNextSign(ask)));
    case "duplicate":
      return textOf(ask, withEcho(ask, write, withNextSign(ask)));
    case "wrongPeriod":
      return textOf(ask, write(withPreviousPeriod(ask)));
    case "stale":
      return textOf(ask, withEcho(ask, write, withPreviousPeriod(ask)));
    case "wrongLanguage":
      return textOf(ask, write({ ...ask, language: rule.language ?? otherLanguage(ask.language) }));
    case "empty":
    case "short":
    case "markup":
    case "advert":
    case "template":
    case "errorText":
    case "loneSurrogate":
    case "nullFields":
      return textOf(ask, withTexts(write(ask), rule.field, textChanges[rule.fault]));
    case "luck5":
      return textOf(
        ask,
        withLuck(ask, write, (lines) => lines.slice(0, 5)),
      );
    case "luck7":
      return textOf(
        ask,
        withLuck(ask, write, (lines) => [...lines, seventhLine(ask.language)]),
      );
    case "extraFields":
      return textOf(ask, {
        ...write(ask),
        generated_by: "engine-7",
        debug: { cached: false, tries: [1, 2] },
      });
    case "foreignPictures":
      return textOf(ask, withForeignPictures(write(ask)));
    case "protoKeys":
      return withPrototypeKeys(textOf(ask, write(ask)));
    case "badJson":
      return cutOff(textOf(ask, write(ask)));
    case "badUtf8":
      return withBadBytes(
        textOf(
          ask,
          withTexts(write(ask), undefined, (text) => `${text}\uE000`),
        ),
      );
    default:
      return textOf(ask, write(ask));
  }
}

function textOf(ask: Ask, data: Data): string {
  return JSON.stringify(envelope(ask, data));
}

function withNextSign(ask: Ask): Ask {
  if ("sign" in ask) return { ...ask, sign: itemAt(signs, signs.indexOf(ask.sign) + 1) };
  if ("sign1" in ask) return { ...ask, sign1: itemAt(signs, signs.indexOf(ask.sign1) + 1) };
  return ask;
}

function withPreviousPeriod(ask: Ask): Ask {
  if (!("sign" in ask)) return ask;
  return { ...ask, period: shiftPeriod(operations[ask.operation].due, ask.period, -1) };
}

/** The texts of one request under the sign and period of another. */
function withEcho(ask: Ask, write: Writer, other: Ask): Data {
  const right = write(ask);
  const wrong = write(other);
  if ("sign" in ask) {
    const { texts } = operations[ask.operation].answer;
    return { ...right, [texts]: wrong[texts] ?? null };
  }
  const { prediction } = wrong;
  const { sign_1 = null, sign_2 = null } = objectOr(right.prediction);
  return { prediction: { ...objectOr(prediction), sign_1, sign_2 } };
}

/** An answer that nobody translated is the likeliest; English gets German. */
function otherLanguage(language: Language): Language {
  return language === "en" ? "de" : "en";
}

function withLuck(ask: Ask, write: Writer, change: (lines: JsonValue[]) => JsonValue[]): Data {
  const data = write(ask);
  if (!("sign" in ask)) return data;
  const { texts } = operations[ask.operation].answer;
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

/** Puts bytes that UTF-8 never has where a private-use character marks the place. */
function withBadBytes(body: string): Buffer {
  const bytes = Buffer.from(body);
  const mark = Buffer.from("\uE000");
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at))
    bytes.fill(0xff, at, at + mark.length);
  return bytes;
}
