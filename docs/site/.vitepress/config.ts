// The site of the documentation, generated from the Markdown files of the repository. ../menu.ts lists the pages by group.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { anchorOf, folderOf, menu, pages, titleIn } from "../menu.ts";
import { gatherPages, repository } from "./gathered-pages.ts";
import { readable } from "./readable.ts";
import { repositoryLinks, writeFiles } from "./repository-links.ts";
import { search } from "./search.ts";

const own = new Set(pages.values());

export default defineConfig({
  title: "Almanac",
  description:
    "Horoscopes, card readings and love compatibility in 26 languages, published each night as static pages, JSON, feeds and newsletters",
  lang: "en",
  srcDir: gatherPages(),
  rewrites: (file) => (own.has(file) ? `${folderOf(file)}index.md` : file),
  outDir: "dist",
  metaChunk: true,
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: anchorOf },
    attrs: { disable: true }, // `{sign}` is a placeholder in a path
    config: (markdown) => markdown.use(repositoryLinks).use(readable),
  },
  themeConfig: {
    nav: [{ text: "Demonstration", link: "/demo/", target: "_self" }],
    sidebar: Object.entries(menu).map(([text, files]) => ({
      text,
      items: files.map((file) => ({
        text: titleIn(readFileSync(join(repository, file), "utf8")),
        link: `/${folderOf(file)}`,
      })),
    })),
    outline: { level: [2, 3] },
    search,
    docFooter: { prev: "Previous", next: "Next" },
  },
  buildEnd: ({ outDir }) => writeFiles(outDir),
});
