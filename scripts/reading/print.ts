// A reading for a person at a terminal. Headings are English here; a site has its own in each language.
import type { Card, Reading } from "../../readings/reading.schema.ts";
import { type Format, type Lines, plainLine, sentence, styled } from "../terminal/output.ts";
import { englishName } from "./request.ts";

export function readingLines(reading: Reading, notes: readonly string[]): Lines {
  const { language, operation } = reading;
  return [
    styled("bold", plainLine(titleOf(reading))),
    styled("dim", `${operation}, ${englishName(language)}`),
    partsOf(reading).map(([heading, texts]) => partLines(heading, texts)),
    partLines("Notes", notes, "yellow"),
  ];
}

type Part = readonly [heading: string, texts: readonly string[]];

function partLines(heading: string, texts: readonly string[], format: Format = "cyan"): Lines {
  if (texts.length === 0) return false;
  return ["", styled(format, plainLine(heading)), texts.map((text) => sentence(text, "  "))];
}

function titleOf(reading: Reading): string {
  const { period } = reading;
  switch (reading.family) {
    case "horoscope":
      return `${capital(reading.sign)}, ${period}`;
    case "pair":
      return `${capital(reading.sign1)} and ${capital(reading.sign2)}`;
    case "animal":
      return reading.animal;
    case "tarot":
      return `${reading.name}${reading.category === "" ? "" : ` (${reading.category})`}`;
    case "cards":
    case "spread":
    case "triangle":
    case "wisdom":
      return `Cards of ${period}`;
  }
}

function partsOf(reading: Reading): readonly Part[] {
  switch (reading.family) {
    case "horoscope": {
      const { sections, luck, colors, scores } = reading;
      const lucky = luck.map(({ label, value }) => (label === "" ? value : `${label}: ${value}`));
      return [...partsIn(sections), ["Luck", lucky], ["Colors", colors], ["Scores", scoreTexts(scores)]];
    }
    case "pair": {
      const { overall, positive, negative, elements, idealDate, scores } = reading;
      const texts = { overall, strengths: positive, challenges: negative, elements, "ideal date": idealDate };
      return [...partsIn(texts), ["Scores", scoreTexts(scores)]];
    }
    case "cards":
      return reading.cards.map((card) => cardPart("", card));
    case "spread":
      return (["past", "present", "future"] as const).map((time) => {
        const { name, keywords, summary, advice, images } = reading[time];
        const text = [...(keywords.length === 0 ? [] : [keywords.join(", ")]), ...summary, ...advice];
        return cardPart(`${capital(time)}: `, { name, text, images });
      });
    case "triangle": {
      const { you, firstLove, secondLove } = reading;
      return [
        cardPart("You: ", you),
        cardPart("First love: ", firstLove),
        cardPart("Second love: ", secondLove),
      ];
    }
    case "wisdom":
      return [cardPart("Yin: ", reading.yin), cardPart("Yang: ", reading.yang)];
    case "animal": {
      const { text, birthNumber, images } = reading;
      const birth = birthNumber === undefined ? [] : [String(birthNumber)];
      return partsIn({ reading: text, "birth number": birth, pictures: images });
    }
    case "tarot": {
      const { career, love, finance, images } = reading;
      return partsIn({ career, love, finance, pictures: images });
    }
  }
}

function partsIn(texts: Readonly<Record<string, readonly string[]>>): Part[] {
  return Object.entries(texts).map(([name, own]) => [capital(name), own]);
}

function cardPart(place: string, { name, text, images }: Card): Part {
  return [place + name, [...text, ...images]];
}

function scoreTexts(scores: Readonly<Record<string, number | undefined>>) {
  return Object.entries(scores).map(([name, score]) => `${name}: ${score}`);
}

function capital(text: string) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
