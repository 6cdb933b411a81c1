// The twelve signs, by their English names in lower case; names in other languages are in sign-names.ts.

export const signs = [
  "aries",
  "taurus",
  "gemini",
  "cancer",
  "leo",
  "virgo",
  "libra",
  "scorpio",
  "sagittarius",
  "capricorn",
  "aquarius",
  "pisces",
] as const;

export type Sign = (typeof signs)[number];

export function isSign(text: string): text is Sign {
  return signs.some((sign) => sign === text);
}
