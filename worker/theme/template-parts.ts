// Our own parts of pages, for templates of a theme to call; most take the page's context first.
import { html, type Markup } from "../../site/html.ts";
import { cardList } from "../../site/cards-page.ts";
import { picture } from "../../site/card-pages.ts";
import { operationDrawing, glyph, medal, moon, wheel } from "../../site/drawings.ts";
import { dateline, hero, paragraphs, section, sectionTitle, signHero } from "../../site/page.ts";
import type { TemplatePage } from "../../site/theme/template.ts";
import type { PageKind } from "../../site/theme/theme.ts";
import { scoreBar, scoreBoard, scoresOf } from "../../site/score-bars.ts";
import { periodLinks, signContent } from "../../site/sign-page.ts";
import { signStrip } from "../../site/sign-strip.ts";
import { opening, openingOf } from "../../site/text-opening.ts";

/** A template is given them, so that it has to import nothing. */
export const templateParts = {
  /** Makes markup; every value is escaped for the place in which it stands. */
  html,
  hero,
  section,
  sectionTitle,
  paragraphs,
  dateline,
  signHero,
  signStrip,
  signContent,
  periodLinks,
  scoresOf,
  scoreBoard,
  scoreBar,
  opening,
  openingOf,
  cardList,
  picture,
  glyph,
  medal,
  moon,
  wheel,
  operationDrawing,
} as const;
export type TemplateParts = typeof templateParts;

export type Template<Kind extends PageKind> = (page: TemplatePage<Kind>, parts: TemplateParts) => Markup;
