// The pages of bench:render, made by our renderer from weekly readings, in memory or in a folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Context, type Draft, renderDrafts, renderDraft } from "../site/context.ts";
import type { RenderedFile, ReadingSet } from "../site/edition.ts";
import { fixedPaths, pathOf } from "../site/paths.ts";
import { draftsOfSet } from "../site/set-drafts.ts";

export const language = "en";
const home = { language, zone: "America/New_York", date: "2026-11-21" } as const;
const settings = { id: "almanac", name: "Almanac", url: "https://almanac.example" } as const;

export function pageDrafts(sets: readonly ReadingSet[]): Draft[] {
  return sets
    .flatMap((set) => draftsOfSet(language, set))
    .filter(({ at }) => at.row === "datedPage" || at.row === "signPage");
}

export function contextFor(drafts: readonly Draft[]): Context {
  const others = [
    pathOf({ row: "frontPage", language }),
    pathOf({ row: "aboutPage", language }),
    ...fixedPaths,
  ];
  return new Context(home, settings, new Set([...others, ...drafts.map(({ at }) => pathOf(at))]));
}

/** Only the pages: the peers make neither data nor feeds. */
export function renderPages(sets: readonly ReadingSet[]): RenderedFile[] {
  const drafts = pageDrafts(sets);
  return renderDrafts(drafts, contextFor(drafts));
}

/** The same pages, each written as soon as it is made. */
export function writePages(sets: readonly ReadingSet[], folder: string): void {
  const drafts = pageDrafts(sets);
  const context = contextFor(drafts);
  for (const draft of drafts) {
    const { path, bytes } = renderDraft(draft, context);
    const file = `${folder}/${path}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}
