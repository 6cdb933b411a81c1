// The pages of the card operations, a layout for each family, and of a person's animal.
import type { Card, ReadingOf, SpreadCard } from "../readings/reading.schema.ts";
import type { Context } from "./page-context.ts";
import type { CardReading } from "./data.schema.ts";
import { familyDrawing } from "./drawings.ts";
import { type Content, html, type Markup } from "./html.ts";
import { pictureAddress } from "./copied-pictures.ts";
import { dateline, type Page, paragraphs } from "./page.ts";
import { opening } from "./text-opening.ts";
import { trailTo } from "./breadcrumbs.ts";
import type { TreePath } from "./tree.ts";

export type AnimalReading = ReadingOf<"animal">;

export function cardPage(context: Context, reading: CardReading | AnimalReading, receivedAt: string): Page {
  const { language, labels, formats } = context;
  const { operation, period } = reading;
  const name = labels.operations[operation];
  const isDaily = reading.family !== "animal";
  const at: TreePath = isDaily
    ? { row: "cardPage", language, operation: reading.operation }
    : { row: "personPage", language, person: reading.person };
  return {
    at,
    trail: trailTo(context, { name, at }),
    kind: "article",
    title: isDaily ? `${name} · ${formats.date(period)}` : name,
    description: opening(language, firstText(reading), 160),
    ...(isDaily ? { dateline: dateline(context, "daily", period) } : {}),
    receivedAt,
    data: isDaily ? { row: "cardsData", language, operation: reading.operation, date: period } : undefined,
    body: html`<article>
      <header class="hero">
        <div class="medals emblem">${familyDrawing(reading.family)}</div>
        <h1>${name}</h1>
      </header>
      ${layout(context, reading)}
    </article>
    ${isDaily && html`<p class="onward">${context.linkTo({ row: "deckPage", language, operation: reading.operation }, labels.deck)}</p>`}`,
  };
}

function layout(context: Context, reading: CardReading | AnimalReading): Content {
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
    case "animal":
      return animal(context, reading);
  }
}

/** A picture in a frame of a card's size, which keeps its room before it comes; where it fails, the card's name stands there. */
export function picture(
  { settings }: Context,
  name: string,
  images: readonly string[],
  loading: "eager" | "lazy" = "eager",
): Markup {
  const source = images
    .map((image) => pictureAddress(image, settings.url))
    .find((image) => image !== undefined);
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

function cardWithText(context: Context, { name, text, images }: Card, note?: Content): Markup {
  return html`<section class="card">
    ${picture(context, name, images)}
    <div class="text">
      <h2 class="name"><bdi>${name}</bdi></h2>
      ${note}${paragraphs(text)}
    </div>
  </section>`;
}

function spread(context: Context, reading: ReadingOf<"spread">): Markup {
  const words = context.labels.spread;
  const column = (word: string, card: SpreadCard) =>
    html`<section class="place">
      <h2 class="caps">${word}</h2>
      ${picture(context, card.name, card.images)}
      <h3 class="name"><bdi>${card.name}</bdi></h3>
      ${
        card.keywords.length > 0 &&
        html`<ul class="keys" aria-label="${words.keywords}">
          ${card.keywords.map((keyword) => html`<li>${keyword}</li>`)}
        </ul>`
      }
      ${paragraphs(card.summary)}
      <div class="advice">
        <h4 class="small">${words.advice}</h4>
        ${paragraphs(card.advice)}
      </div>
    </section>`;
  return html`<div class="three">
    ${column(words.past, reading.past)}${column(words.present, reading.present)}${column(words.future, reading.future)}
  </div>`;
}

function place(context: Context, word: string, { name, text, images }: Card): Markup {
  return html`<section class="place">
    <h2 class="caps">${word}</h2>
    ${picture(context, name, images)}
    <div>
      <h3 class="name"><bdi>${name}</bdi></h3>
      ${paragraphs(text)}
    </div>
  </section>`;
}

function triangle(context: Context, { you, firstLove, secondLove }: ReadingOf<"triangle">): Markup {
  const words = context.labels.triangle;
  return html`<div class="triangle">
    ${place(context, words.you, you)}${place(context, words.firstLove, firstLove)}${place(context, words.secondLove, secondLove)}
  </div>`;
}

function wisdom(context: Context, { yin, yang }: ReadingOf<"wisdom">): Markup {
  const words = context.labels.wisdom;
  return html`<div class="two">${place(context, words.yin, yin)}${place(context, words.yang, yang)}</div>`;
}

function tarot(context: Context, reading: ReadingOf<"tarot">): Markup {
  const words = context.labels.tarot;
  const position = reading.orientation === undefined ? reading.category : words[reading.orientation];
  const part = (word: string, text: readonly string[]) =>
    html`<section>
      <h2>${word}</h2>
      ${paragraphs(text)}
    </section>`;
  return html`<section class="card">
    ${picture(context, reading.name, reading.images)}
    <div class="text">
      <h2 class="name"><bdi>${reading.name}</bdi></h2>
      ${position !== "" && html`<p class="caps">${position}</p>`}
      ${part(words.career, reading.career)}${part(words.love, reading.love)}${part(words.finance, reading.finance)}
    </div>
  </section>`;
}

function animal(context: Context, reading: ReadingOf<"animal">): Markup {
  const { labels, formats } = context;
  const { animal: name, text, images, birthNumber } = reading;
  const number =
    birthNumber === undefined ? undefined : `${labels.birthNumber} ${formats.number(birthNumber)}`;
  return cardWithText(
    context,
    { name, text, images },
    number !== undefined && html`<p class="caps">${number}</p>`,
  );
}

function firstText(reading: CardReading | AnimalReading): string {
  switch (reading.family) {
    case "cards":
      return reading.cards[0]?.text.join(" ") ?? "";
    case "spread":
      return reading.past.summary.join(" ");
    case "triangle":
      return reading.you.text.join(" ");
    case "wisdom":
      return reading.yin.text.join(" ");
    case "tarot":
      return reading.career.join(" ");
    case "animal":
      return reading.text.join(" ");
  }
}
