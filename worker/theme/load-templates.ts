// Loads the templates of a theme, each a module whose default export is a function.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { PageKind, ThemeTemplate } from "../../site/theme/theme.ts";
import { templateParts } from "./template-parts.ts";
import { lineOf, placeIn, type ThemeMistakes } from "./theme-mistakes.ts";

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
  mistakes: ThemeMistakes,
): Promise<Partial<Record<string, ThemeTemplate>>> {
  const templates: Partial<Record<string, ThemeTemplate>> = {};
  for (const [kind, file] of Object.entries(named)) {
    const path = join(folder, file);
    if (!existsSync(path)) {
      const line = lineOf(source, ["templates", kind]);
      mistakes.note(entry, line, `${file} is not there: add it, or take its name out`);
      continue;
    }
    try {
      const { default: template } = templateModule.parse(await import(pathToFileURL(path).href));
      templates[kind] = { file, folder, print: (page) => template(page, templateParts) };
    } catch (error) {
      const isShape = error instanceof z.ZodError;
      const why = isShape
        ? "its default export is no function: add `export default defineTemplate(..)`"
        : `it can't be loaded: ${String(error)}`;
      mistakes.note(file, isShape ? undefined : placeIn(error, folder)?.line, why);
    }
  }
  return templates;
}
