// The body that the measurements read: a daily horoscope in English of 5 KB, in the service's format.
import { proseOf, sections } from "../packages/sandbox/prose.ts";

export function horoscopeBody(): Uint8Array {
  const { topics, general } = proseOf("en");
  const texts = sections.map((name, index) => [name, [...topics[name], general[index] ?? ""].join("\r\n")]);
  const percentages = sections.map((name, index) => [name, 60 + index]);
  const body = {
    success: 1,
    data: {
      sign: "Aries",
      date: "2026-11-21",
      prediction: {
        ...Object.fromEntries(texts),
        luck: [
          "Colors of the day : Red, Gold",
          "Lucky Numbers of the day : 3, 9, 21",
          "Lucky Alphabets you will be in sync with : A, M",
          `Cosmic Tip : ${general[5] ?? ""}`,
          "Tips for Singles : Say yes to an invitation, even if the evening looks long.",
          "Tips for Couples : Cook something together and leave the dishes for tomorrow.",
        ],
      },
      special: {
        lucky_color_codes: ["#FF0000", "#FFD700"],
        horoscope_percentage: { ...Object.fromEntries(percentages), luck: 70 },
      },
    },
  };
  return new TextEncoder().encode(JSON.stringify(body));
}
