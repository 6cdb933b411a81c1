// The twelve signs on the site, beyond their names: their order, the dates when the sun is in them, and their drawings, which
// are our own, strokes on a field of 32 by 32.
import { type Sign, signs } from "../readings/signs.ts";

/** Sorts readings by sign. */
export function inSignOrder<Received extends { readonly reading: { readonly sign: Sign } }>(
  received: readonly Received[],
): Received[] {
  return received.toSorted(
    (one, other) => signs.indexOf(one.reading.sign) - signs.indexOf(other.reading.sign),
  );
}

/** Month and day, first and last, as almanacs print them. */
export const sunDates: Readonly<Record<Sign, readonly [string, string]>> = {
  aries: ["03-21", "04-19"],
  taurus: ["04-20", "05-20"],
  gemini: ["05-21", "06-20"],
  cancer: ["06-21", "07-22"],
  leo: ["07-23", "08-22"],
  virgo: ["08-23", "09-22"],
  libra: ["09-23", "10-22"],
  scorpio: ["10-23", "11-21"],
  sagittarius: ["11-22", "12-21"],
  capricorn: ["12-22", "01-19"],
  aquarius: ["01-20", "02-18"],
  pisces: ["02-19", "03-20"],
};

export const signDrawings: Readonly<Record<Sign, string>> = {
  aries:
    "M16 27.5V14.5C16 8.5 13.6 4.5 9.9 4.5 7 4.5 5 6.6 5 9.4c0 2.6 1.7 4.4 4 4.4M16 14.5C16 8.5 18.4 4.5 22.1 4.5c2.9 0 4.9 2.1 4.9 4.9 0 2.6-1.7 4.4-4 4.4",
  taurus: "M16 13.2a7.3 7.3 0 1 0 0 14.6 7.3 7.3 0 0 0 0-14.6zM6 4.5c1.4 5.6 5 8.7 10 8.7s8.6-3.1 10-8.7",
  gemini: "M6 5c6.2 3 13.8 3 20 0M6 27c6.2-3 13.8-3 20 0M12 7v18M20 7v18",
  cancer:
    "M9.3 9.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2zM5.7 13C5.7 8.6 11 5.5 16.5 5.5c4 0 7.3 1 9.8 2.7M22.7 15.4a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2zM26.3 19c0 4.4-5.3 7.5-10.8 7.5-4 0-7.3-1-9.8-2.7",
  leo: "M9.5 14.8a3.9 3.9 0 1 0 0 7.8 3.9 3.9 0 0 0 0-7.8zM12.6 16.3C11 13.6 9.4 11.7 9.4 9.3 9.4 6.4 11.9 4.5 15 4.5c3.3 0 5.8 2 5.8 5.3 0 4.4-4.3 8.9-4.3 13.4 0 2.7 1.5 4.3 3.7 4.3 1.8 0 3.2-1 4-2.6",
  virgo:
    "M4 6.5c2.2 0 3.2 1.4 3.2 4V24M7.2 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V24M13.3 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V21c0 3.5 2.3 5.8 6.6 6.5M19.4 13.5c1-2.2 2.5-3.2 4.2-3.2 2.1 0 3.4 1.5 3.4 4 0 5-4.7 9.7-11.2 12.7",
  libra:
    "M5 27h22M5 21.5h7.6c-2.3-1.7-3.7-4.2-3.7-7 0-4.2 3.1-7.5 7.1-7.5s7.1 3.3 7.1 7.5c0 2.8-1.4 5.3-3.7 7H27",
  scorpio:
    "M3.5 6.5c2.2 0 3.2 1.4 3.2 4V24M6.7 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V24M12.8 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V22c0 3 1.5 4.8 4.4 4.8h4.7M24.5 23.3l3.7 3.5-3.7 3.5",
  sagittarius: "M5.5 26.5l21-21M15.5 5.5h11v11M8 14.5l9.5 9.5",
  capricorn:
    "M4 7c2.6 0 4 1.8 4 5v10.5M8 13c.7-3.9 2.7-6 5-6 2.7 0 3.8 2.2 3.8 5.5v8.3c0 4.2-1.7 6.7-5 6.7M16.8 20.8c0-2.9 2.2-4.9 5-4.9s4.9 2 4.9 4.7-2.1 4.7-4.9 4.7-5-1.9-5-4.5z",
  aquarius: "M4 14l5.2-4.2L13.5 14l5-4.2 4.3 4.2L28 9.8M4 22.5l5.2-4.2 4.3 4.2 5-4.2 4.3 4.2 5.2-4.2",
  pisces: "M7 4.5c6.4 6.8 6.4 16.2 0 23M25 4.5c-6.4 6.8-6.4 16.2 0 23M5.5 16h21",
};
