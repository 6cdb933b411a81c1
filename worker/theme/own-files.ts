// The owner's files that become files of the site: pages/{language}/{name}.md in the theme folder, rendered by marked, and root/, such as
// ads.txt, robots.txt or the verification file of a search engine. Pages may not contain HTML, because it could be unclosed, load
// from undeclared hosts or run scripts that the policy blocks. HTML belongs in a slot.
import type { RendererObject, Token, Tokens } from "marked";
import { isLanguage, languageNames } from "../../readings/tables.ts";
import { html } from "../../site/html.ts";
import { isTreePath, isRootFile, parsePath } from "../../site/paths.ts";
import type { OwnPage, TextPiece, Theme } from "../../site/theme/theme.ts";
import { nearestName } from "../settings/nearest-name.ts";
import { lineAt, type ThemeFiles, type ThemeProblems } from "./theme-files.ts";

interface PagesInput {
  readonly files: ThemeFiles;
  readonly problems: ThemeProblems;
}

/** Loads the pages in the order of their names, because file systems list them in different orders. */
export async function loadPages({ files, problems }: PagesInput): Promise<OwnPage[]> {
  const pages: OwnPage[] = [];
  for (const folder of files.in("pages")) {
    const language = folder.slice("pages/".length);
    const written = files.in(folder).filter((name) => name.endsWith(".md"));
    if (!isLanguage(language)) {
      if (written.length === 0) continue;
      const meant = nearestName(language, languageNames);
      const guess = meant === undefined ? "" : ` Did you mean pages/${meant}?`;
      problems.note(
        folder,
        undefined,
        `${language} is not a language of the service. Name the folder by a language code.${guess}`,
      );
      continue;
    }
    const names = new Set(written.map((name) => name.slice(folder.length + 1, -".md".length)));
    for (const name of names) {
      const file = `${folder}/${name}.md`;
      const text = files.text(file, { file });
      const at = { row: "ownPage", language, page: name };
      if (!isTreePath(at) || at.row !== "ownPage") {
        problems.note(
          file,
          undefined,
          "its name is part of a URL. Use lower-case letters, digits and hyphens",
        );
        continue;
      }
      const page =
        text === undefined ? undefined : await rendered({ file, text, names }, { files, problems });
      if (page !== undefined) pages.push({ ...page, at });
    }
  }
  return pages;
}

interface MarkdownFile {
  /** Its name in the theme, `pages/en/imprint.md`. */
  readonly file: string;
  readonly text: string;
  /** The pages that a link to `privacy.md` may name. */
  readonly names: ReadonlySet<string>;
}

async function rendered(
  source: MarkdownFile,
  { files, problems }: PagesInput,
): Promise<Omit<OwnPage, "at"> | undefined> {
  const { Marked, Parser } = await import("marked"); // loaded only for a theme with pages
  const filledIn: TextPiece[] = [];
  const renderer = rendererFor(source, { files, problems, filledIn });
  const marked = new Marked({ renderer });
  const [title, ...rest] = marked
    .lexer(source.text.replaceAll("\0", "\u{fffd}"))
    .filter(({ type }) => type !== "space");
  if (title === undefined || !isHeading(title) || title.depth !== 1) {
    const problem = "a page must begin with its title. Write it as `# Imprint` on the first line";
    problems.note(source.file, 1, problem);
    return undefined;
  }
  const parser = new Parser(marked.defaults);
  const plainText = ({ tokens }: { readonly tokens: Token[] }) =>
    parser.parseInline(tokens, parser.textRenderer);
  // Every other part is the number of a mark.
  const parts = parser
    .parse(rest)
    .trimEnd()
    .split(/\0(\d+)\0/);
  return {
    title: plainText(title),
    description: plainText(rest.find(isParagraph) ?? title).slice(0, 160),
    body: parts.flatMap((part, index) => (index % 2 === 0 ? part : (filledIn[Number(part)] ?? []))),
  };
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isParagraph(token: Token): token is Tokens.Paragraph {
  return token.type === "paragraph";
}

/** Addresses of the site are known only on a published page: each becomes a mark with the number of its piece in `filledIn`. */
function rendererFor(
  { file, text: source, names }: MarkdownFile,
  { files, problems, filledIn }: PagesInput & { readonly filledIn: TextPiece[] },
): RendererObject {
  const mark = (piece: TextPiece) => `\0${filledIn.push(piece) - 1}\0`;
  const lineOf = (raw: string) => {
    const index = source.indexOf(raw.trim());
    return index < 0 ? undefined : lineAt(source, index);
  };
  const note = (raw: string, problem: string) => problems.note(file, lineOf(raw), problem);
  return {
    // The page's title is its only <h1>.
    heading({ tokens, depth }) {
      const level = Math.max(depth, 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    tablecell({ tokens, header }) {
      const inner = this.parser.parseInline(tokens);
      return header ? `<th scope="col">${inner}</th>\n` : `<td>${inner}</td>\n`;
    },
    checkbox: () => "",
    html({ raw }) {
      note(raw, "a page must not contain HTML. Write it in Markdown, or put it into a slot");
      return "";
    },
    link({ href, tokens, raw }) {
      const words = this.parser.parseInline(tokens);
      const [, name, anchor = ""] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
      if (name !== undefined && !names.has(name))
        note(raw, `${href} is not a page of this language. Link to a file in the same folder`);
      if (name !== undefined) {
        const folder = `${mark({ value: "root" })}${mark({ value: "language" })}/pages`;
        return `<a href="${folder}/${name}/${escaped(anchor)}">${words}</a>`;
      }
      if (/^(?:https?:\/\/|mailto:|tel:|#)/.test(href)) return `<a href="${escaped(href)}">${words}</a>`;
      if (/^\/(?!\/)/.test(href))
        return `<a href="${mark({ value: "root" })}${escaped(href.slice(1))}">${words}</a>`;
      note(
        raw,
        `${href} is not a valid link. Write https://.., /en/.., or the name of a page such as privacy.md`,
      );
      return words;
    },
    image({ href, text, raw }) {
      if (/^[a-z]+:|^\/\//i.test(href)) {
        note(raw, `${href} is on another host. Copy the picture into the folder of this page`);
        return "";
      }
      const folder = file.slice(0, file.lastIndexOf("/") + 1);
      const at = files.published(folder + href, { file, line: lineOf(raw) });
      return at === undefined
        ? ""
        : `<img src="${mark({ file: at })}" alt="${escaped(text)}" loading="lazy" />`;
    },
  };
}

/** Escapes HTML, but leaves entities such as `&copy;` as they are. */
function escaped(text: string): string {
  return html`${text}`.toString().replaceAll(/&amp;(#?\w+;)/g, "&$1");
}

export function loadRootFiles(files: ThemeFiles, problems: ThemeProblems): Pick<Theme, "root" | "robots"> {
  const names = ["root", "root/.well-known"].flatMap((folder) => files.in(folder));
  let robots: string | undefined;
  const root = names.flatMap((name) => {
    const path = name.slice("root/".length);
    if (path === ".well-known" || path.endsWith(".DS_Store")) return []; // the Finder of macOS makes these
    if (path === "robots.txt") {
      robots = files.text(name, { file: name });
      for (const { line, problem } of robotsProblems(robots ?? "")) problems.note(name, line, problem);
      return [];
    }
    const at = parsePath(path);
    if (at === undefined || !isRootFile(at)) {
      problems.note(
        name,
        undefined,
        at === undefined ? unknownName : `Almanac publishes /${path} itself. Remove the file`,
      );
      return [];
    }
    const bytes = files.bytes(name, { file: name });
    return bytes === undefined ? [] : [{ at, bytes: new Uint8Array(bytes) }];
  });
  return { root, robots };
}

const unknownName =
  "a name in theme/root/ has letters, digits, dots, hyphens and underscores, ends in .txt, .html, .xml or .json, and is not one that Almanac uses. Rename it";

const groupFields = new Set(["allow", "disallow", "crawl-delay", "clean-param", "content-signal"]);
const otherFields = new Set(["user-agent", "sitemap", "host"]);

/** Errors in robots.txt for which crawlers would silently ignore a line. */
export function robotsProblems(text: string): { readonly line: number; readonly problem: string }[] {
  let hasAgent = false;
  return text.split(/\r\n?|\n/).flatMap((whole, index) => {
    const [rule = ""] = whole.split("#");
    if (rule.trim() === "") return [];
    const [name = "", value = ""] = rule.split(/:(.*)/s).map((part) => part.trim());
    const field = name.toLowerCase();
    hasAgent ||= field === "user-agent";
    const problem = problemOf(field, value, hasAgent);
    return problem === undefined ? [] : [{ line: index + 1, problem }];
  });
}

function problemOf(field: string, value: string, hasAgent: boolean): string | undefined {
  if (!groupFields.has(field) && !otherFields.has(field))
    return `crawlers do not know the field "${field}". Write one such as \`Disallow: /drafts/\``;
  if (groupFields.has(field) && !hasAgent)
    return `no \`User-agent:\` line comes before ${field}. Add one, such as \`User-agent: *\``;
  if ((field === "allow" || field === "disallow") && !/^(?:[/*].*)?$/.test(value))
    return `the path "${value}" does not begin with a slash. Fix the line`;
  if (field === "sitemap" && !URL.canParse(value)) return `"${value}" is not a full URL. Fix the line`;
  return undefined;
}
