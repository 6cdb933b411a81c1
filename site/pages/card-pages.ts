// The pages of the card operations, a layout for each family, and of a person's animal.
import { type Language, languages } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import type { Card, ReadingOf } from "../../readings/reading.schema.ts";
import { pictureAddress } from "../copied-pictures.ts";
import type { CardReading, SeenCard } from "../data.schema.ts";
import { type Content, html, type Markup } from "../html.ts";
import type { Context } from "../context.ts";
import { cardParts } from "../seen-cards.ts";
import { cardArt, operationDrawing } from "./drawings.ts";
import { cardSteps, siteSteps } from "./next-steps.ts";
import { dateline, nextEdition, opening, type Page, paragraphs, section, type Step } from "./page.ts";

export type AnimalReading = ReadingOf<"animal">;

/** `before`: the cards of the day before, where that is published. */
export function cardPage(context: Context, reading: CardReading, before: readonly SeenCard[] = []): Page {
  const { language, labels, formats } = context;
  const { operation, period } = reading;
  const after = html`${
    before.length > 0 &&
    html`<details class="before prose">
      <summary>${labels.draw.yesterday}</summary>
      ${before.map((seen) => seenCard(context, seen))}
    </details>`
  }
    <div class="turn">${nextEdition(context, formats.date(addDays(period, 1)))}</div>`;
  const page = drawnPage(context, reading, layout(context, reading), after);
  return {
    ...page,
    next: cardSteps(context, operation),
    title: `${page.title} · ${formats.date(period)}`,
    dateline: dateline(context, "daily", period),
    data: { row: "cardsData", language, operation, date: period },
  };
}

/** The page of a person's animal, which is the same on every day. */
export function animalPage(context: Context, reading: AnimalReading): Page {
  const { labels, formats } = context;
  const { animal: name, text, images, birthNumber } = reading;
  const note =
    birthNumber !== undefined &&
    html`<p class="caps">${`${labels.birthNumber} ${formats.number(birthNumber)}`}</p>`;
  const page = drawnPage(context, reading, cardWithText(context, { name, text, images }, note));
  return { ...page, title: `${name} · ${page.title}` };
}

function drawnPage(
  context: Context,
  reading: CardReading | AnimalReading,
  content: Content,
  after?: Markup,
): Page {
  const name = context.labels.operations[reading.operation];
  const cards: Step = {
    name: context.labels.navigation.cards,
    at: { row: "cardsPage", language: context.language },
  };
  return {
    trail: [cards, { name }],
    kind: "article",
    title: name,
    description: opening(context.language, firstText(reading).join(" "), 160),
    next: siteSteps(context),
    body: html`<article>
      <header class="hero">
        <div class="medals emblem">${operationDrawing(reading.operation)}</div>
        <h1>${name}</h1>
      </header>
      ${content}
    </article>
    ${after}`,
  };
}

function layout(context: Context, reading: CardReading): Content {
  switch (reading.family) {
    case "cards":
      return reading.cards.map((card) => cardWithText(context, card));
    case "spread":
      return spread(context, reading);
    case "triangle":
      return triangle(context, reading);
    case "wisdom":
      return wisdom(context, reading);
    case "tarot":
      return tarot(context, reading);
  }
}

/** A picture in a frame of a card's size, which keeps its room before it comes; if it fails, the card's name is shown there. */
export function picture(
  context: Context,
  name: string,
  images: readonly string[],
  loading: "eager" | "lazy" = "eager",
): Markup {
  const [found] = images.flatMap((image) => pictureAddress(image, context.settings) ?? []);
  const source = cardArt(context, name, found);
  return html`<div class="picture">
    ${
      source === undefined
        ? html`<span aria-hidden="true">${name}</span>`
        : loading === "lazy"
          ? html`<img src="${source}" alt="" width="240" height="360" loading="lazy" decoding="async" />`
          : html`<img src="${source}" alt="${name}" width="240" height="360" decoding="async" />`
    }
  </div>`;
}

function cardWithText(context: Context, { name, text, images }: Card, note?: Content) {
  return html`<section class="card">
    ${picture(context, name, images)}
    <div class="text">
      <h2 class="name">${cardName(context.language, name)}</h2>
      ${note}${paragraphs(text)}
    </div>
  </section>`;
}

function spread(context: Context, reading: ReadingOf<"spread">) {
  const words = context.labels.spread;
  const column = (of: "past" | "present" | "future") => {
    const { name, images, keywords, summary, advice } = reading[of];
    return html`<section class="place">
      <h2 class="caps">${words[of]}</h2>
      ${picture(context, name, images)}
      <h3 class="name">${cardName(context.language, name)}</h3>
      ${
        keywords.length > 0 &&
        html`<ul class="keys" aria-label="${words.keywords}">
          ${keywords.map((keyword) => html`<li>${keyword}</li>`)}
        </ul>`
      }
      ${paragraphs(summary)}
      <div class="advice">
        <h4 class="small">${words.advice}</h4>
        ${paragraphs(advice)}
      </div>
    </section>`;
  };
  return html`<div class="three">
    ${column("past")}${column("present")}${column("future")}
  </div>`;
}

function placedCard(context: Context, word: string, { name, text, images }: Card) {
  return html`<section class="place">
    <h2 class="caps">${word}</h2>
    ${picture(context, name, images)}
    <div>
      <h3 class="name">${cardName(context.language, name)}</h3>
      ${paragraphs(text)}
    </div>
  </section>`;
}

function triangle(context: Context, { you, firstLove, secondLove }: ReadingOf<"triangle">) {
  const words = context.labels.triangle;
  return html`<div class="triangle">
    ${placedCard(context, words.you, you)}${placedCard(context, words.firstLove, firstLove)}${placedCard(context, words.secondLove, secondLove)}
  </div>`;
}

function wisdom(context: Context, { yin, yang }: ReadingOf<"wisdom">) {
  const words = context.labels.wisdom;
  return html`<div class="two">${placedCard(context, words.yin, yin)}${placedCard(context, words.yang, yang)}</div>`;
}

function tarot(context: Context, reading: ReadingOf<"tarot">) {
  const words = context.labels.tarot;
  const { name, images, orientation, category } = reading;
  const position = orientation === undefined ? category : words[orientation];
  const part = (of: "career" | "love" | "finance") => section(words[of], reading[of]);
  return html`<section class="card">
    ${picture(context, name, images)}
    <div class="text">
      <h2 class="name">${cardName(context.language, name)}</h2>
      ${position !== "" && html`<p class="caps">${position}</p>`}
      ${part("career")}${part("love")}${part("finance")}
    </div>
  </section>`;
}

function firstText(reading: CardReading | AnimalReading): readonly string[] {
  switch (reading.family) {
    case "cards":
      return reading.cards[0]?.text ?? [];
    case "spread":
      return reading.past.summary;
    case "triangle":
      return reading.you.text;
    case "wisdom":
      return reading.yin.text;
    case "tarot":
      return reading.career;
    case "animal":
      return reading.text;
  }
}

/** A card with its text and without its picture, under its place in the reading. */
export function seenCard(context: Context, seen: SeenCard): Markup {
  if (seen.place === undefined) return cardText(context, seen);
  return html`<h2 class="caps">${positionName(context, seen.place)}</h2>
    ${cardText(context, seen)}`;
}

export function positionName({ labels }: Context, place: NonNullable<SeenCard["place"]>): string {
  return { ...labels.spread, ...labels.triangle, ...labels.wisdom }[place];
}

export function cardText(context: Context, { card, place }: SeenCard): Markup {
  const { labels, language } = context;
  const position =
    "category" in card
      ? card.orientation === undefined
        ? card.category
        : labels.tarot[card.orientation]
      : "";
  const name = cardName(language, card.name);
  return html`${place === undefined ? html`<h2 class="name">${name}</h2>` : html`<h3 class="name">${name}</h3>`}
    ${position !== "" && html`<p class="caps">${position}</p>`} ${cardParts(card).map((part) => partOf(context, part))}`;
}

function partOf({ labels }: Context, { about, text }: ReturnType<typeof cardParts>[number]) {
  const word = about && { ...labels.spread, ...labels.tarot }[about];
  const shown = about === "keywords" ? [text.join(" · ")] : text;
  return html`${word !== undefined && html`<p class="small">${word}</p>`} ${paragraphs(shown)}`;
}

/** Words that only an English name in capitals contains. */
const englishWord = /\b(?:THE|OF|AND|IN|ON|WITH)\b/;

/** A card's name as the service sends it. It is often English in every language, and then marked as English, for screen readers and type. */
export function cardName(language: Language, name: string): Markup {
  return isEnglish(language, name) ? html`<bdi lang="en">${name}</bdi>` : html`<bdi>${name}</bdi>`;
}

/** Latin letters on a page of another script; elsewhere only capitals with an English word among them. */
function isEnglish(language: Language, name: string): boolean {
  if (language === "en" || !/[a-z]/i.test(name) || /[^\x20-\x7e’]/.test(name)) return false;
  return languages[language].script !== "Latin" || (name === name.toUpperCase() && englishWord.test(name));
}
