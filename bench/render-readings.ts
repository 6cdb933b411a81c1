// Content that bench:render builds: weekly pages of twelve signs, as our renderer takes them and as plain data for the peers'
// templates. The peers get every date, label and number ready for use, so only the making of pages is measured.
import { type HoroscopeReading, sectionNames } from "../readings/reading.schema.ts";
import { shiftPeriod } from "../readings/calendar.ts";
import { signNames } from "../readings/sign-names.ts";
import { type Sign, signs } from "../readings/tables.ts";
import type { Context } from "../site/context.ts";
import { glyph, medal } from "../site/pages/drawings.ts";
import { following } from "../site/pages/next-steps.ts";
import type { RenderedFile, ReadingSet } from "../site/edition.ts";
import { pathOf } from "../site/paths.ts";
import type { TreePath } from "../site/tree.ts";
import { readingFor } from "../test/site/editions.ts";
import { contextFor, language, pageDrafts, renderPages } from "./render-pages.ts";

const receivedAt = "2026-11-20T08:00:17.000Z";

/** The newest week first. */
export function setsOf(pages: number): ReadingSet[] {
  return Array.from({ length: Math.ceil(pages / signs.length) }, (_, index): ReadingSet => {
    const period = shiftPeriod("weekly", "2026-11-15", -index);
    const readings = signs.map((sign) => ({
      reading: readingFor({ operation: "weekly-horoscope", language, period, sign }),
      receivedAt,
    }));
    return { operation: "weekly-horoscope", period, current: false, readings };
  });
}

const decoder = new TextDecoder();

/**
 * Page data for templates, with nothing left to look up or to calculate except the text before and after. Structured data for
 * search engines is copied from our pages, because our renderer creates it.
 */
export function plainPages(sets: readonly ReadingSet[], rendered: readonly RenderedFile[]): unknown[] {
  const said = new Map(rendered.map(({ path, bytes }) => [path, structuredIn(decoder.decode(bytes))]));
  const drafts = pageDrafts(sets);
  const context = contextFor(drafts);
  return sets.flatMap(({ readings }) =>
    readings.flatMap(({ reading }) =>
      reading.family === "horoscope" ? [plainPage(context, reading, said)] : [],
    ),
  );
}

function structuredIn(page: string): string {
  return /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
}

function plainPage(context: Context, reading: HoroscopeReading, said: ReadonlyMap<string, string>): unknown {
  const { labels, formats } = context;
  const { sign, period, sections, scores } = reading;
  const name = signNames[language][sign];
  const neighbour = (by: -1 | 1) => {
    const key = shiftPeriod("weekly", period, by);
    const at: TreePath = { row: "datedPage", language, kind: "weekly", sign, key };
    return context.has(at) ? { href: context.address(at).href, period: formats.period("weekly", key) } : null;
  };
  const linkTo = (other: Sign) => ({
    name: signNames[language][other],
    href: context.address({ row: "datedPage", language, kind: "weekly", sign: other, key: period }).href,
  });
  const names = (reading.luck.find(({ kind }) => kind === "colors")?.value ?? "").split(", ");
  return {
    path: pathOf({ row: "datedPage", language, kind: "weekly", sign, key: period }),
    structured: said.get(pathOf({ row: "datedPage", language, kind: "weekly", sign, key: period })),
    picture: context.url({ row: "languageSignPicture", language, sign }),
    name,
    sign,
    title: `${name} · ${labels.operations["weekly-horoscope"]} · ${formats.period("weekly", period)}`,
    operation: labels.operations["weekly-horoscope"],
    description: reading.sections.personal.join(" ").slice(0, 160),
    url: context.url({ row: "datedPage", language, kind: "weekly", sign, key: period }),
    first: period,
    period: formats.period("weekly", period),
    scores: [...sectionNames, "luck" as const].flatMap((key) => {
      const value = scores[key];
      const label = key === "luck" ? labels.luck : labels.sections[key];
      return value === undefined ? [] : [{ label, value, text: formats.percent(value) }];
    }),
    colors: reading.colors.map((color, index) => ({ color, name: names[index] ?? "" })),
    luck: reading.luck
      .filter(({ kind }) => kind === "numbers" || kind === "alphabets")
      .map(({ kind = "numbers", value }) => ({ label: labels.luckKinds[kind], value })),
    tips: reading.luck
      .filter(({ kind }) => kind === "cosmicTip" || kind === "singles" || kind === "couples")
      .map(({ kind = "cosmicTip", value }) => ({ label: labels.luckKinds[kind], value })),
    sections: sectionNames.map((key) => ({ title: labels.sections[key], paragraphs: sections[key] })),
    before: neighbour(-1),
    after: neighbour(1),
    others: signs.map((other) => ({ ...linkTo(other), sign: other, here: other === sign })),
    following: linkTo(following(signs, sign)),
  };
}

/** Constants of all pages: our style, its policy, our scripts, and our drawings. */
export function constants({ bytes }: RenderedFile): unknown {
  const page = new TextDecoder().decode(bytes);
  const part = (pattern: RegExp) => pattern.exec(page)?.[1] ?? "";
  const drawn = (draw: (sign: Sign) => { toString(): string }) =>
    Object.fromEntries(signs.map((sign) => [sign, draw(sign).toString()]));
  return {
    style: part(/<style>(.*?)<\/style>/s),
    signs: part(/(<script>.*?<\/script>)/s),
    share: part(/(<p class="onward">.*?<\/p>)/s),
    policy: part(/content-security-policy" content="([^"]+)"/),
    medals: drawn(medal),
    glyphs: drawn(glyph),
  };
}

/** The style in each of our pages. */
export function pageStyle(): string {
  const [first] = renderPages(setsOf(12));
  return /<style>(.*?)<\/style>/s.exec(decoder.decode(first?.bytes))?.[1] ?? "";
}
