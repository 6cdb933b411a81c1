// Responses of the four horoscope operations and of the pair. The same request always gets the same text. Twelve signs of a set,
// and consecutive periods, always get different texts.
import signNames from "../../readings/sign-names.json" with { type: "json" };
import { type Language, operations, type Sign, signs } from "../../readings/tables.ts";
import { dayNumber, type PeriodKind, spanOf } from "../../readings/calendar.ts";
import type { HoroscopeRequest, PairRequest } from "../../readings/request.ts";
import type { Data } from "./received-request.ts";
import { paragraphsOf, proseOf, sections, sectionText, textsPerSection } from "./prose.ts";
import { hashOf, itemAt, pickSome, seededRandom } from "./random.ts";

/** The word in luck's labels, such as `Colors of the day`. */
const words = { daily: "day", weekly: "week", monthly: "month", yearly: "year" } as const;

/** Codes of the color names in the prose, in this order: red, orange, yellow, green, blue, violet, white, gold. */
const colorCodes = ["#D32F2F", "#F57C00", "#FBC02D", "#388E3C", "#1976D2", "#7B1FA2", "#FFFFFF", "#D4AF37"];

export function horoscopeData(request: HoroscopeRequest, translated: boolean): Data {
  const row = operations[request.operation];
  const draw = seededRandom(
    hashOf(`${request.operation} ${request.language} ${request.sign} ${request.period}`),
  );
  const colors = pickSome(draw, [0, 1, 2, 3, 4, 5, 6, 7], 2);
  const percentage = () => 40 + Math.floor(draw() * 60);
  const block = Object.fromEntries(sections.map((section) => [section, textOf(request, section)]));
  return {
    sign: signName(request.sign, request.language, translated),
    [row.answer.period]: periodEcho(request, translated),
    [row.answer.texts]: { ...block, luck: luckLines(request, colors) },
    special: {
      lucky_color_codes: colors.map((color) => itemAt(colorCodes, color)),
      horoscope_percentage: {
        personal: percentage(),
        health: percentage(),
        profession: percentage(),
        emotions: percentage(),
        travel: percentage(),
        luck: percentage(),
      },
    },
  };
}

/** 37 and 7 are coprime to 90, so the next period and other signs get different texts. */
function textOf(request: HoroscopeRequest, section: (typeof sections)[number]): string {
  const kind = operations[request.operation].due;
  const base = hashOf(`${request.language} ${section} ${kind}`) % textsPerSection;
  const index = base + periodNumber(kind, request.period) * 37 + signs.indexOf(request.sign) * 7;
  return sectionText(request.language, section, index);
}

/** Consecutive periods differ by one. */
function periodNumber(kind: PeriodKind, key: string): number {
  switch (kind) {
    case "daily":
      return dayNumber(key);
    case "weekly":
      return Math.floor(dayNumber(key) / 7);
    case "monthly":
      return Number(key.slice(0, 4)) * 12 + Number(key.slice(5));
    case "yearly":
      return Number(key);
  }
}

function luckLines(request: HoroscopeRequest, colors: readonly number[]): string[] {
  const prose = proseOf(request.language);
  const kind = operations[request.operation].due;
  const labels = prose.luckLabels;
  const draw = seededRandom(hashOf(`luck ${request.language} ${request.sign} ${kind} ${request.period}`));
  const numbers = pickSome(draw, [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 18, 21, 27, 33, 42], 3);
  const letters = pickSome(draw, "ABCDEFGHIJKLMNOPRSTUVWY".split(""), 2);
  const tip = (tips: readonly string[]) => itemAt(tips, Math.floor(draw() * tips.length));
  return [
    `${labels.colors[words[kind]]} : ${colors.map((color) => itemAt(prose.colors, color)).join(", ")}`,
    `${labels.numbers[words[kind]]} : ${numbers.join(", ")}`,
    `${labels.alphabets} : ${letters.join(", ")}`,
    `${labels.cosmicTip} : ${tip(prose.cosmicTips)}`,
    `${labels.singles} : ${tip(prose.tipsForSingles)}`,
    `${labels.couples} : ${tip(prose.tipsForCouples)}`,
  ];
}

/** The period as a response repeats it: `2026-11-21`, `15 Nov 2026 to 21 Nov 2026`, `November 2026`, `2026`. */
function periodEcho(request: HoroscopeRequest, translated: boolean): string {
  const kind = operations[request.operation].due;
  const months = proseOf(translated ? request.language : "en").months;
  switch (kind) {
    case "daily":
    case "yearly":
      return request.period;
    case "weekly": {
      const { first, last } = spanOf(kind, request.period);
      if (!translated) return `${shortDate(first)} to ${shortDate(last)}`;
      return `${longDate(first, months)} - ${longDate(last, months)}`;
    }
    case "monthly":
      return `${monthOf(request.period, months)} ${request.period.slice(0, 4)}`;
  }
}

function shortDate(date: string): string {
  return `${date.slice(8)} ${monthOf(date, proseOf("en").months).slice(0, 3)} ${date.slice(0, 4)}`;
}

function longDate(date: string, months: readonly string[]): string {
  return `${date.slice(8)} ${monthOf(date, months)} ${date.slice(0, 4)}`;
}

function monthOf(date: string, months: readonly string[]): string {
  return itemAt(months, Number(date.slice(5, 7)) - 1);
}

/** Live responses capitalize the sign, however it was sent. */
function signName(sign: Sign, language: Language, translated: boolean): string {
  return signNames[translated ? language : "en"][sign];
}

/** 144 ordered pairs with different texts: there are 72 x 90 combinations, and no two pairs share one. */
export function pairData(request: PairRequest, translated: boolean): Data {
  const { language, sign1, sign2 } = request;
  const prose = proseOf(language);
  const pair = signs.indexOf(sign1) * signs.length + signs.indexOf(sign2);
  const draw = seededRandom(hashOf(`pair ${sign1} ${sign2}`));
  const score = () => (4 + Math.floor(draw() * 60) / 10).toFixed(1);
  const overall = pair * 7;
  return {
    prediction: {
      sign_1: signName(sign1, language, translated),
      sign_2: signName(sign2, language, translated),
      overall_compatibility: paragraphsOf([
        itemAt(prose.love, overall),
        itemAt(prose.general, Math.floor(overall / 4)),
        itemAt(prose.love, overall + 1 + (Math.floor(overall / 24) % 3)),
      ]),
      positive_aspects: sectionText(language, "emotions", pair * 11),
      negative_aspects: sectionText(language, "personal", pair * 11 + 45),
      elements: prose.elements,
      ideal_date: prose.idealDate,
      score: { general: score(), communication: score(), sex: score() },
    },
  };
}
