// Numbers by which a reader is led elsewhere, for the rule "address": of telephones, bank accounts, cards and wallets. Dates,
// years, amounts, decimals and lists of lucky numbers are none of them.
import { asciiDigits } from "../clean-text.ts";

/** The digits of every script that a language of ours is written in; a class without a property of Unicode is searched faster. */
const digit = "[\\d٠-٩۰-۹०-९০-৯૦-૯௦-௯౦-౯೦-೯൦-൯０-９]";
/** A paragraph without any of these has no such number. */
export const numberHints = [
  "+",
  /\d[A-Za-z]/,
  new RegExp(String.raw`${digit}(?:[\uFE0F\u20E3]{0,2}[-–./() \u00A0\u202F]{0,3}${digit}){5}`),
];

const call = /(?:(?<!\p{L})(?:call|phone|tel|dial|sms)|[☎📞📱])\P{L}{0,5}\p{Nd}(?:[-–. ]{0,2}\p{Nd}){5}/iu;
const abroad = /\+\s?\p{Nd}(?:[\s().-]{0,2}\p{Nd}){8,14}/u;
const account =
  /(?<![a-z\d])[a-z]{2}\d{2}(?=(?:[-. ]?[a-z]){0,6}(?:[-. ]?\d){8})(?:[-. ]?[a-z\d]{4}){2,7}(?:[-. ]?[a-z\d]{1,3})?(?![a-z\d])/iu;
/** Wallets of Bitcoin, Ethereum and the like: no word of a language mixes letters and digits for so long. */
const wallet =
  /(?<![a-z\d])(?:0x[\da-f]{16,64}|(?=[a-z\d]{0,30}\d)(?=\d{0,30}[a-z])[a-z\d]{24,110})(?![a-z\d])/iu;

const date =
  /(?<!\p{Nd})(?:\p{Nd}{1,2}[./-]\s?\p{Nd}{1,2}[./-]\s?[12]\p{Nd}{3}|[12]\p{Nd}{3}[./-]\p{Nd}{1,2}[./-]\p{Nd}{1,2})(?!\p{Nd})/gu;
/** Digits with what people put between those of a telephone number; a full stop with a blank ends a sentence. */
const run =
  /(?<!\p{Nd}|\p{Nd},)\p{Nd}(?:[\uFE0F\u20E3]{0,2}(?:\s?[-–/]\s?|[ .]|\)[ -]?|\s?\()?\p{Nd}){6,22}(?!\p{Nd}|,\p{Nd})/gu;

const fourNumbers = /(?<![\d.,])(?:\d{1,3}\.){3}\d{1,3}(?!\d|[.,]\d)/g;

export function contactNumberIn(paragraph: string): string | undefined {
  for (const pattern of [abroad, call, account, wallet]) {
    const found = pattern.exec(paragraph);
    if (found !== null) return found[0];
  }
  for (const [found] of paragraph.matchAll(fourNumbers)) if (isMachine(found)) return found;
  for (const [found] of paragraph.replaceAll(date, "·").matchAll(run)) if (isContact(found)) return found;
  return undefined;
}

function isContact(text: string): boolean {
  const groups =
    asciiDigits(text)
      .replaceAll(/[\uFE0F\u20E3]/g, "")
      .match(/\d+/g) ?? [];
  const digits = groups.join("");
  const [first = ""] = groups;
  if (groups.length === 2 && first.length < 3 && /\p{Nd}\.\p{Nd}/u.test(text)) return false; // a decimal
  if (groups.every((group) => group.length === 1)) return isSpelledOut(groups);
  if (groups.every((group) => group.length <= 2)) return isInPairs(groups);
  if (groups.every(isOddlyRegular)) return false;
  const hasTrunk = digits.startsWith("0") && (first.length > 1 || groups.length > 2);
  if (hasTrunk) return digits.length >= 8;
  if (digits.length < 9 || /^[1-9]\d{0,3}0{3,}$/.test(digits)) return false;
  if (groups.length === 1) return digits.length <= 20;
  return (
    groups.some((group) => group.length >= 3) && !isAmount(groups) && !(groups.length > 3 && isRising(groups))
  );
}

/** `06 12 34 56 78`. All other lists of small numbers may be somebody's lucky ones. */
function isInPairs(groups: readonly string[]): boolean {
  return (
    groups.length === 5 &&
    groups.every((group) => group.length === 2) &&
    /^0[1-9]/.test(groups[0] ?? "") &&
    !isRising(groups)
  );
}

/** `0 1 7 1 2 3 4 5 6 7`. Counting up or down is none, nor is one digit again and again. */
function isSpelledOut(digits: readonly string[]): boolean {
  const isCount = isRising(digits) || isRising(digits.toReversed());
  return digits.length >= 9 && new Set(digits).size > 1 && !isCount;
}

/** `8.8.8.8`. Numbers that differ and have two digits at most may be somebody's lucky ones. */
function isMachine(address: string): boolean {
  const numbers = address.split(".").map(Number);
  return (
    numbers.every((number) => number < 256) &&
    (new Set(numbers).size < numbers.length || numbers.some((number) => number > 99))
  );
}

/** A year, a round number, or one digit again and again, as in the numbers of angels. */
function isOddlyRegular(group: string): boolean {
  return /^(?:[12]\d{3}|[1-9]\d{0,3}0{2,}|(\d)\1*)$/.test(group);
}

/** `1 234 567 890`. */
function isAmount([first = "", ...others]: readonly string[]): boolean {
  return first.length === 1 && others.every((group) => group.length === 3);
}

function isRising(groups: readonly string[]): boolean {
  return groups.every((group, at) => at === 0 || Number(group) > Number(groups[at - 1]));
}
