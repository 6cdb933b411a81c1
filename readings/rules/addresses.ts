// Patterns of the rule "address" for hosts, domains and mail, and how people write them so that a filter misses them. Every
// pattern is bounded. Telephone numbers, accounts and wallets follow.
import { asciiDigits } from "../clean-text.ts";

const character = String.raw`[\p{L}\p{M}\d]`;
/** A name that an ending makes an address. */
const name = String.raw`(?<!${character})(?=[\p{M}\d-]{0,40}\p{L})[\p{L}\p{M}\d-]{2,63}`;

/** Endings that begin no sentence, not even where the blank after a full stop and the capital are missing. */
const plain =
  "com|net|org|info|biz|xyz|app|dev|icu|ru|uk|cn|tk|tv|cc|ws|gg|ly|shop|io|eu|vip|casino|website|porn|xxx|" +
  "fr|nl|pl|br|jp|kr|kz|cz|sk|dk|mx|hk|tw|nz|lol|pw|cloud|" +
  "рф|рус|укр|онлайн|сайт|орг|москва|дети|бг|бел|срб|мкд|қаз|ευ|ελ|भारत|中国|中國|网址|公司|网店|香港|台湾|台灣|新加坡|澳門|" +
  "みんな|한국|닷컴|ไทย|السعودية|مصر|امارات|شبكة|موقع|ایران|المغرب|قطر|پاکستان";
/** The same in a text that is all capitals. */
const capitals = "COM|NET|ORG|INFO|RU|SHOP|IO|XYZ|VIP|CASINO|ONLINE|STORE|SITE";
/** Endings that are words too: only where the text has capitals, which a sentence would begin with. */
const words =
  "ai|co|store|online|site|club|click|link|blog|bet|pro|tech|bank|cash|loan|loans|finance|market|page|email|bio";
/** Endings that begin sentences: only after a name that no word has. */
const nouns = "me|live|life|love|today|news|world|space|fun|top|win";
const common = `${words}|${nouns}|de|it|es|pt|in|is|to|so|la|at|be|ch|se|no|fi|us|ca|my|id|ph|am|fm`;

/** How "dot" is spelled out, and the endings that follow it. */
const dot =
  "dot|punkt|punto|ponto|point|punt|kropka|nokta|pont|titik|точка|крапка|τελεία|डॉट|ডট|டாட்|డాట్|ಡಾಟ್|ഡോട്ട്|ડોટ";
const spelledEnding = `${plain}|${words}|de|it|es|pt|me|ру|ком|нет|орг|कॉम`;
/** Words before the "dot com" of a boom, a dream or a company. */
const noName =
  "a|an|the|this|that|these|those|your|my|our|his|her|its|their|any|every|each|no|of|in|on|and|or|first|early|old|new|" +
  "la|el|los|las|un|una|de|del|da|do|das|dos|le|les|des|burbuja|empresa|empresas|bolha|bulle|boom|era|der|die|das|ein|eine|" +
  "former|big|late|young|and";
const boom =
  "bubble|boom|bust|crash|era|days|dreams|company|companies|business|millionaires?|years|boss|founders?|stocks?|sector|industry|startups?|world";
const afterName = String.raw`(?<![\p{L}\d])(?!(?:${noName})[\s_-])[\p{L}\d][\p{L}\p{M}\d-]{0,62}`;

/** A paragraph in which a pattern finds something has one of these. */
export const addressHints = [
  "@",
  "[.",
  "(.",
  "{.",
  "//",
  "\\\\",
  "xn--",
  "localhost",
  /dot-?com|p[ou]nto-?com|точка-?ком/iu,
  new RegExp(String.raw`[[({](?:dot|at)|[\s_-](?:${dot})[\s_-]`, "iu"),
  /:\S|: \/|[[(]:/,
  /\.[A-Za-zа-яА-Яқ\u0370-\u03FF\u092D\u0600-\u06FF\u0E00-\u0E7F\u3040-\u9FFF\uAC00-\uD7A3]|\s\.\s?[A-Za-zа-яА-Я]|\.\s[a-z]{2,4}\//,
  "•",
  "·",
  "∙",
  "‧",
  /\d\.\d{1,3}\.\d/,
];

export const addressPatterns = [
  /\b[a-z][a-z\d+.-]{1,20}:\/\/\S{0,60}|\bmailto:\S{1,60}|\b(?:tel|sms):\+?\d{3,20}/iu,
  /\bh(?:tt|xx)ps?\s?(?:[[({]?:[\])}]?\s?[\\/]\s?[\\/]|[\\/]{2})/iu,
  /(?<![\p{L}\d:/])\/\/[a-z\d-]{1,63}\.[a-z]{2}/iu,
  /(?<![\p{L}\d])www\d?\.[\p{L}\d]\S{0,60}/iu,
  /(?<![\p{L}\d])xn--[a-z\d-]{2,60}/iu,
  new RegExp(`${name}[.•·∙‧](?:${plain})(?!${character})`, "u"),
  new RegExp(
    String.raw`(?<!${character})(?=[\d-]{0,40}\p{Lu})[\p{Lu}\d-]{2,63}\.(?:${capitals})(?!${character})`,
    "u",
  ),
  new RegExp(
    String.raw`(?<!${character})(?=[\p{L}\p{M}]{0,40}[\d-][\p{L}\d])(?=[\p{M}\d-]{0,40}\p{Ll})[\p{L}\p{M}\d-]{3,63}\.(?:${common})(?!${character})`,
    "u",
  ),
  new RegExp(String.raw`${name}\.ai(?!${character}|\s\p{L})`, "u"),
  /(?<![\p{L}\p{M}\d])[a-z\d][a-z\d-]{0,62}\.[a-z]{2,24}\/[a-z\d_?=%~@+-]/u,
  /(?<=[\p{L}\d_%+-])@[\p{L}\d-]{1,63}\.\p{L}{2}|(?<=[a-z\d]{2})@[a-z]{3}/iu,
  /[\p{L}\d] ?[[({](?:dot|\.|at|@)[\])}] ?[\p{L}\d]/iu,
  new RegExp(
    String.raw`${afterName}([\s_-])(?:${dot})\1(?:${spelledEnding})(?!${character})(?!\s(?:${boom})(?!\p{L}))`,
    "iu",
  ),
  new RegExp(String.raw`${afterName}\s\.\s?(?:${plain})(?!${character})(?!\s(?:${boom})(?!\p{L}))`, "u"),
  new RegExp(
    String.raw`${afterName}[\s_-](?:dot|p[ou]nto|точка)-?(?:com|ком)(?!${character})(?!\s(?:${boom})(?!\p{L}))`,
    "iu",
  ),
  new RegExp(String.raw`(?<!\.)${name}\.(?:${nouns})(?=[.!?]?$)`, "u"),
  new RegExp(String.raw`${name}\.\s(?:com|org|net|shop|xyz|ru)\/[a-z\d]`, "u"),
  /(?<!\p{L})(?:[a-z\d]\s){2,40}\.\s?(?:c\s?o\s?m|n\s?e\s?t|o\s?r\s?g)(?![a-z])/u,
  /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5}|\/[a-z\d])|(?<![\d.])(?:10|127|169|172|192)(?:\.\d{1,3}){2}\.\d{1,3}(?![\d.])/iu,
  /\[[\da-f]{0,4}:[\da-f:.]{0,36}:[\da-f]{0,4}\]/iu,
  /(?<![\p{L}\d])localhost(?::\d|\/)|(?<![a-z\d-])(?=[\d-]{0,40}[a-z])[a-z\d-]{2,63}:\d{2,5}\/[a-z]/iu,
  /(?<!\p{L})(?:whats ?app|telegram|instagram|viber|wechat|snapchat|skype|tik ?tok|телеграм|вайбер|ватсап)\P{L}{1,4}(?:@[a-z\d]|\p{Nd}{5})/iu,
];

/** Patterns for a paragraph that has capitals, or whose script has none. */
export const addressPatternsWithCapitals = [
  new RegExp(String.raw`${name}\s?\.(?:${words})(?!${character})`, "u"),
  new RegExp(String.raw`(?<!\.)${name}\.(?:${nouns})(?!${character})`, "u"),
];
export const hasCapitals = /[\p{Lu}\p{Lo}]/u;

// Numbers by which a reader is led elsewhere, for the rule "address": of telephones, bank accounts, cards and wallets. Dates,
// years, amounts, decimals and lists of lucky numbers are none of them.
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
