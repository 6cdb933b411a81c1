// The links and pictures of an owner's page, and what its Markdown is read into: tokens, each with its text in the source.
import { z } from "zod";
import { html } from "../../site/html.ts";
import type { TextPiece } from "../../site/theme/theme.ts";
import type { ThemeFiles } from "./theme-files.ts";
import { lineAt, type ThemeMistakes } from "./theme-mistakes.ts";

export const token = z.object({
  type: z.string(),
  raw: z.string(),
  text: z.string().default(""),
  depth: z.number().default(1),
  href: z.string().default(""),
  ordered: z.boolean().default(false),
  start: z.union([z.number(), z.literal("")]).default(""),
  get tokens() {
    return z.array(token).default([]);
  },
  get items() {
    return z.array(token).default([]);
  },
  get header() {
    return z.union([z.array(cell), z.boolean()]).default([]);
  },
  get rows() {
    return z.array(z.array(cell)).default([]);
  },
});
export const cell = z.object({
  get tokens() {
    return z.array(token).default([]);
  },
});
export type Token = z.infer<typeof token>;

export interface MarkdownFile {
  /** Its name in the theme, `pages/en/imprint.md`. */
  readonly file: string;
  readonly text: string;
  /** The pages that a link to `privacy.md` may name. */
  readonly names: ReadonlySet<string>;
}

export interface Making extends MarkdownFile {
  readonly files: ThemeFiles;
  readonly mistakes: ThemeMistakes;
}

type Pieces = readonly TextPiece[];

/** `words` are what the link says. */
export function linkOf(one: Token, words: Pieces, making: Making): Pieces {
  const { href } = one;
  const [, name, anchor = ""] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name !== undefined) {
    if (!making.names.has(name))
      noteOn(one, making, `${href} is no page of this language: name one beside this file`);
    const address = [{ value: "root" }, { value: "language" }, `/pages/${name}/${escaped(anchor)}`] as const;
    return ['<a href="', ...address, '">', ...words, "</a>"];
  }
  if (/^(?:https?:\/\/|mailto:|tel:|#)/.test(href)) return [`<a href="${escaped(href)}">`, ...words, "</a>"];
  if (/^\/(?!\/)/.test(href))
    return ['<a href="', { value: "root" }, `${escaped(href.slice(1))}">`, ...words, "</a>"];
  noteOn(
    one,
    making,
    `${href} leads nowhere: write https://.., /en/.., or the name of a page such as privacy.md`,
  );
  return words;
}

export function imageOf(one: Token, making: Making): Pieces {
  const { href, text } = one;
  const folder = making.file.slice(0, making.file.lastIndexOf("/") + 1);
  if (/^[a-z]+:|^\/\//i.test(href)) {
    noteOn(one, making, `${href} is of another host: put the picture beside this file`);
    return [];
  }
  const at = making.files.published(folder + href, { file: making.file, line: lineOfToken(one, making) });
  return at === undefined ? [] : ['<img src="', { file: at }, `" alt="${escaped(text)}" loading="lazy" />`];
}

/** What stands in the source as `&copy;` stays that. */
export function escaped(text: string): string {
  return html`${text}`.toString().replaceAll(/&amp;(#?\w+;)/g, "&$1");
}

export function noteOn(one: Token, making: Making, problem: string): void {
  making.mistakes.note(making.file, lineOfToken(one, making), problem);
}

function lineOfToken({ raw }: Token, { text }: Making): number | undefined {
  const index = text.indexOf(raw.trim());
  return index < 0 ? undefined : lineAt(text, index);
}
