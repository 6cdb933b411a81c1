// Sample pages of each kind, rendered in memory with a theme and invented texts, in one language per script and in each language
// that the theme treats separately. Checks them for screen readers: one main element with one heading, distinguishable landmarks, unique
// ids, and names for pictures, links and buttons. Each finding names the theme file that it comes from.
import { Parser } from "htmlparser2";
import type { Configuration } from "../../../readings/configuration.schema.ts";
import { type Language, languages as allLanguages } from "../../../readings/tables.ts";
import { withoutLanguage } from "../../../site/pages/head.ts";
import { languageDocument } from "../../../site/data.schema.ts";
import { renderDraft, Context } from "../../../site/context.ts";
import { html, isMarkup, ownMarkup } from "../../../site/html.ts";
import { pathOf } from "../../../site/paths.ts";
import { renderShared } from "../../../site/render.ts";
import { siteSettingsOf, type RenderedFile } from "../../../site/edition.ts";
import type { PageKind, TextPiece, Theme, ThemeTemplate } from "../../../site/theme/theme.ts";
import { tree } from "../../../site/tree.ts";
import { parseJson } from "../../../vault/files.ts";
import { type LiveLanguage, withOwnPages } from "../../live/live-site.ts";
import { lineAt } from "../../theme/theme-files.ts";
import { isPageKind } from "../../theme/theme.schema.ts";

export interface SamplePage {
  readonly kind: PageKind;
  readonly path: string;
  readonly bytes: Uint8Array;
}

export function sampledLanguages(
  configured: readonly Language[],
  { slots, pages, words }: Theme,
): Language[] {
  const special = new Set([
    ...slots.flatMap((slot) => slot.languages ?? []),
    ...pages.map(({ at }) => at.language),
    ...Object.keys(words),
  ]);
  const scripts = new Set<string>();
  return configured.filter((language) => {
    const { script } = allLanguages[language];
    const isFirst = !scripts.has(script);
    scripts.add(script);
    return isFirst || special.has(language);
  });
}

export function samplePages(
  samples: readonly LiveLanguage[],
  configuration: Configuration,
  theme: Theme | undefined,
): SamplePage[] {
  const settings = siteSettingsOf(configuration, theme);
  const ofLanguages = samples.map((sample) => pagesIn(sample, configuration, theme));
  const summaries = ofLanguages.flatMap(({ summary }) => summary ?? []);
  return [...ofLanguages.flatMap(({ pages }) => pages), ...renderShared(summaries, settings).flatMap(pageIn)];
}

function pagesIn(sample: LiveLanguage, configuration: Configuration, theme: Theme | undefined) {
  const own = withOwnPages(sample, theme);
  const { language } = own.home;
  const others = configuration.languages.filter((one) => one !== language);
  const listed = own.files.flatMap(({ at }) =>
    "language" in at && tree[at.row].isListed ? [withoutLanguage(at)] : [],
  );
  const alternates = { languages: new Map(listed.map((path) => [path, others])) };
  const context = new Context(
    own.home,
    siteSettingsOf(configuration, theme),
    own.linked,
    others.length === 0 ? undefined : alternates,
  );
  const firsts = new Map(own.files.toReversed().map((draft) => [kindOf(draft), draft] as const));
  const pages = [...firsts.values()].toReversed().flatMap((draft) => pageIn(renderDraft(draft, context)));
  const index = pathOf({ row: "languageIndex", language });
  const draft = own.files.find(({ path }) => path === index);
  const summary = draft && parseJson(index, renderDraft(draft, context).bytes, languageDocument);
  return { pages, summary };
}

/** Each of the owner's pages counts as its own kind. */
function kindOf({ at, path }: Pick<RenderedFile, "at" | "path">): string {
  return at.row === "ownPage" ? path : at.row;
}

function pageIn({ at: { row }, path, bytes }: RenderedFile): SamplePage[] {
  return isPageKind(row) ? [{ kind: row, path, bytes }] : [];
}

/** The theme with marker comments around the output of each of its files. */
export function markedTheme(theme: Theme): Theme {
  const templates = Object.entries(theme.templates).flatMap(([kind, template]) =>
    template === undefined ? [] : [[kind, markedTemplate(template)] as const],
  );
  return {
    ...theme,
    slots: theme.slots.map((slot) => {
      const pieces = slot.pieces.flatMap((piece) =>
        isOurs(piece) ? [marks.ours, piece, marks.end] : [piece],
      );
      return { ...slot, pieces: [marks.copied(slot.file), ...pieces, marks.end] };
    }),
    pages: theme.pages.map((page) => {
      const file = `pages/${page.at.language}/${page.at.page}.md`;
      return { ...page, body: [marks.made(file), ...page.body, marks.end] };
    }),
    templates: Object.fromEntries(templates),
  };
}

function isOurs(piece: TextPiece) {
  return typeof piece === "object" && "value" in piece && piece.value === "ours";
}

function markedTemplate(template: ThemeTemplate): ThemeTemplate {
  return {
    ...template,
    render: (page) => {
      const rendered = template.render(page);
      if (!isMarkup(rendered)) return rendered;
      return html`${ownMarkup(marks.made(template.file))}${rendered}${ownMarkup(marks.end)}`;
    },
  };
}

/** Marker comments around text copied from a theme file, around the output of a template, and around our parts within it. */
export const marks = {
  copied: (file: string): string => `<!--copied:${encodeURIComponent(file)}-->`,
  made: (file: string): string => `<!--made:${encodeURIComponent(file)}-->`,
  ours: "<!--ours:-->",
  end: "<!--/theme-->",
} as const;

export interface StructureFinding {
  /** Undefined if the element is not from a theme file. */
  readonly file?: string;
  readonly line?: number;
  readonly seen: string;
  readonly remedy: string;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parents: readonly Element[];
  readonly file?: string;
  readonly line?: number;
  /** Text that a screen reader reads out. */
  text: string;
}

export function structureFindings(page: string): StructureFinding[] {
  const elements = elementsIn(page);
  return [
    ...elements.flatMap(ownFindings),
    ...headingFindings(elements),
    ...landmarks.flatMap((name) => unnamed(name, elements)),
    ...repeatedIds(elements),
  ];
}

interface Mark {
  /** Undefined for what is ours. */
  readonly file?: string;
  readonly start: number;
  /** Whether its lines are those of the file. */
  readonly isCopied: boolean;
  /** How many lines of ours stand in it, up to here. */
  lines: number;
}

function elementsIn(page: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const around: Mark[] = [];
  const parser = new Parser({
    oncomment(text) {
      const [, kind, file = ""] = /^(copied|made|ours|\/theme)(?::(.*))?$/.exec(text) ?? [];
      const start = parser.endIndex + 1;
      if (kind === "/theme") {
        const ended = around.pop();
        const outer = around.at(-1);
        if (ended !== undefined && outer !== undefined)
          outer.lines += lineAt(page.slice(ended.start), parser.startIndex - ended.start) - 1;
      } else if (kind !== undefined) {
        const named = file === "" ? undefined : decodeURIComponent(file);
        around.push({ file: named, start, isCopied: kind === "copied", lines: 0 });
      }
    },
    onopentag(name, attributes) {
      const element = { name, attributes, parents: [...open], ...placeIn(around.at(-1)), text: "" };
      elements.push(element);
      open.push(element);
      const heard = attributes["aria-label"] ?? (name === "img" ? attributes["alt"] : undefined) ?? "";
      for (const one of open) one.text += heard;
    },
    ontext(text) {
      if (open.some(({ name }) => name === "script" || name === "style")) return;
      for (const one of open) one.text += text;
    },
    onclosetag: () => void open.pop(),
  });
  const placeIn = (mark: Mark | undefined) => {
    if (mark?.isCopied !== true) return { file: mark?.file };
    const line = lineAt(page.slice(mark.start), parser.startIndex - mark.start) - mark.lines;
    return { file: mark.file, line };
  };
  parser.end(page);
  return elements;
}

const at = ({ file, line }: Element) => ({ file, line });
const opened = ({ name, attributes }: Element) => {
  const shown = ["id", "class", "href", "src"].find((attribute) => attributes[attribute] !== undefined);
  return shown === undefined ? `<${name}>` : `<${name} ${shown}="${attributes[shown]}">`;
};

/** Whether the element has an accessible name. */
function hasName({ attributes, text }: Element) {
  return (
    [attributes["aria-label"], attributes["title"], text].some((name) => (name ?? "").trim() !== "") ||
    attributes["aria-labelledby"] !== undefined
  );
}

function ownFindings(element: Element): StructureFinding[] {
  const { name, attributes } = element;
  const found: StructureFinding[] = [];
  const note = (seen: string, remedy: string) => found.push({ ...at(element), seen, remedy });
  if (name === "img" && attributes["alt"] === undefined)
    note(
      `${opened(element)} has no alt attribute`,
      'describe it in alt="", or leave that empty for a decoration',
    );
  if (name === "iframe" && !hasName(element))
    note(`${opened(element)} has no name`, 'describe its content in title=""');
  const isHidden = [element, ...element.parents].some((one) => one.attributes["aria-hidden"] === "true");
  const isLed = (name === "a" && attributes["href"] !== undefined) || name === "button";
  if (isLed && !isHidden && !hasName(element))
    note(
      `${opened(element)} has no accessible name`,
      'add text, an alt attribute for its picture, or an aria-label=""',
    );
  return found;
}

/** Loading the theme already refuses a second <main>. */
function headingFindings(elements: readonly Element[]): StructureFinding[] {
  const all = elements.filter(({ name }) => name === "h1");
  const [first] = all;
  if (first === undefined)
    return [{ seen: "the page has no <h1>", remedy: "add one to the template of this kind of page" }];
  if (all.length === 1) return [];
  const shown = all.find(({ file }) => file !== undefined) ?? first;
  const seen = `${opened(shown)} is one of ${all.length} on a page`;
  return [{ ...at(shown), seen, remedy: "make it an <h2>. The page's heading is its only <h1>" }];
}

const landmarks = ["header", "footer", "nav", "aside"] as const;
const sections = new Set(["article", "aside", "main", "nav", "section"]);

/** Repeated landmarks without a unique name: a screen reader distinguishes several of a kind by their names. */
function unnamed(name: (typeof landmarks)[number], elements: readonly Element[]): StructureFinding[] {
  const isOfPage = ({ parents }: Element) =>
    name === "nav" || name === "aside" || !parents.some((one) => sections.has(one.name));
  const all = elements.filter((one) => one.name === name && isOfPage(one));
  if (all.length < 2) return [];
  const named = new Set<string>();
  return all.flatMap((one) => {
    const { "aria-label": label, "aria-labelledby": by } = one.attributes;
    const own = label ?? by ?? "";
    const isNew = own.trim() !== "" && !named.has(own);
    named.add(own);
    // Owners can't name our own landmarks.
    if (isNew || one.file === undefined) return [];
    const seen = `${opened(one)} is one of ${all.length} <${name}> on a page, without a unique name`;
    return [{ ...at(one), seen, remedy: `give it a unique aria-label=""` }];
  });
}

function repeatedIds(elements: readonly Element[]): StructureFinding[] {
  const byId = Map.groupBy(elements, ({ attributes }) => attributes["id"] ?? "");
  return [...byId].flatMap(([id, all]) => {
    const [first, second] = all;
    if (id === "" || first === undefined || second === undefined) return [];
    const shown = all.find(({ file }) => file !== undefined) ?? second;
    const seen = `id="${id}" is on ${all.length} elements of a page`;
    return [{ ...at(shown), seen, remedy: "give each element a unique id" }];
  });
}
