// Reads the owner's pages: pages/{language}/{name}.md in the theme's folder.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isLanguage, languageNames } from "../../readings/languages.ts";
import { isTreePath } from "../../site/paths.ts";
import type { OwnPage } from "../../site/theme/theme.ts";
import { nearestName } from "../settings/nearest-name.ts";
import { readMarkdown } from "./markdown.ts";
import type { ThemeFiles } from "./theme-files.ts";
import type { ThemeMistakes } from "./theme-mistakes.ts";

interface PagesInput {
  readonly folder: string;
  readonly files: ThemeFiles;
  readonly mistakes: ThemeMistakes;
}

/** In the order of their names, so that it depends on no file system. */
export async function loadPages({ folder, files, mistakes }: PagesInput): Promise<OwnPage[]> {
  const pages: OwnPage[] = [];
  for (const language of namesIn(join(folder, "pages"))) {
    const inFolder = `pages/${language}`;
    const written = namesIn(join(folder, inFolder)).filter((name) => name.endsWith(".md"));
    if (!isLanguage(language)) {
      if (written.length === 0) continue;
      const meant = nearestName(language, languageNames);
      const guess = meant === undefined ? "" : `; did you mean pages/${meant}?`;
      mistakes.note(
        inFolder,
        undefined,
        `${language} is no language of the service: name the folder by its code${guess}`,
      );
      continue;
    }
    const names = new Set(written.map((name) => name.slice(0, -".md".length)));
    for (const name of names) {
      const file = `${inFolder}/${name}.md`;
      const text = files.text(file, { file });
      const at = { row: "ownPage", language, page: name };
      if (!isTreePath(at) || at.row !== "ownPage") {
        mistakes.note(
          file,
          undefined,
          "its name stands in an address: use lower-case letters, digits and hyphens",
        );
        continue;
      }
      const page =
        text === undefined ? undefined : await readMarkdown({ file, text, names }, { files, mistakes });
      if (page !== undefined) pages.push({ ...page, at });
    }
  }
  return pages;
}

/** None where the folder is not there. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
