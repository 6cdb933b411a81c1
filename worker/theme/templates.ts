// The templates of a theme, each a module whose default export is a function, and the page parts that are passed to them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { picture } from "../../site/pages/card-pages.ts";
import { cardList } from "../../site/pages/front-page.ts";
import { glyph, medal, moon, operationDrawing, wheel } from "../../site/pages/drawings.ts";
import { html, type Markup } from "../../site/html.ts";
import {
  dateline,
  hero,
  opening,
  openingOf,
  paragraphs,
  scoreBar,
  scoreBoard,
  scoresOf,
  section,
  sectionTitle,
  signHero,
} from "../../site/pages/page.ts";
import { periodLinks, signContent } from "../../site/pages/sign-page.ts";
import { signStrip } from "../../site/pages/navigation.ts";
import { placeIn, type TemplatePage } from "../../site/theme/filled.ts";
import type { PageKind, ThemeTemplate } from "../../site/theme/theme.ts";
import { lineOf, type ThemeProblems } from "./theme-files.ts";

/** Helpers passed to every template, so that it needs no imports. */
export const templateParts = {
  /** Builds markup; every value is escaped for its context. */
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

type AnyTemplate = (page: unknown, parts: typeof templateParts) => unknown;
const templateModule = z.object({ default: z.custom<AnyTemplate>((value) => typeof value === "function") });

interface TemplatesWanted {
  readonly folder: string;
  readonly entry: string;
  readonly source: string;
  /** The files, by the kind of page. */
  readonly named: Readonly<Partial<Record<PageKind, string>>>;
}

export async function loadTemplates(
  { folder, entry, source, named }: TemplatesWanted,
  problems: ThemeProblems,
): Promise<Partial<Record<string, ThemeTemplate>>> {
  const templates: Partial<Record<string, ThemeTemplate>> = {};
  for (const [kind, file] of Object.entries(named)) {
    const path = join(folder, file);
    if (!existsSync(path)) {
      const line = lineOf(source, ["templates", kind]);
      problems.note(entry, line, `${file} does not exist. Add it, or remove its name`);
      continue;
    }
    try {
      const { default: template } = templateModule.parse(await import(pathToFileURL(path).href));
      templates[kind] = { file, folder, render: (page) => template(page, templateParts) };
    } catch (error) {
      const isShape = error instanceof z.ZodError;
      const why = isShape
        ? "its default export is not a function. Add `export default defineTemplate(..)`"
        : `cannot be loaded: ${String(error)}`;
      problems.note(file, isShape ? undefined : placeIn(error, folder)?.line, why);
    }
  }
  return templates;
}
