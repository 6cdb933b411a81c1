// The context of one language's pages: its words, its formats, and links that lead only to rendered pages. And drafts, which are
// rendered in this context.
import { type Language, languages, type Sign } from "../readings/tables.ts";
import { type PeriodKind, periodKinds } from "../readings/calendar.ts";
import { signNames } from "../readings/sign-names.ts";
import { Address, siteRootOf } from "./address.ts";
import { type SiteSettings, type RenderedFile, typeOf } from "./edition.ts";
import { Formats } from "./formats.ts";
import { type IndexDecision, indexPolicy, type PageFacts, type TextFacts } from "./index-policy.ts";
import { type Content, html, type Markup, type Piece } from "./html.ts";
import { labelsIn, type Labels } from "./labels.ts";
import { type Palettes, palettesOf } from "./palette.ts";
import { pathOf, isTreePath } from "./paths.ts";
import { type Dress, dressFor } from "./style.ts";
import { labelsWith } from "./theme/theme.ts";
import type { TreePath } from "./tree.ts";

/** A language with its time zone and the local date. */
export interface Home {
  readonly language: Language;
  readonly zone: string;
  /** The local date that is today. */
  readonly date: string;
}

/** For each current page, by its path without the language, the other languages that have it, and whether search engines list it there. */
export type Alternates = ReadonlyMap<string, ReadonlyMap<Language, boolean>>;

const encoder = new TextEncoder();

export class Context {
  readonly language: Language;
  readonly zone: string;
  readonly date: string;
  readonly settings: SiteSettings;
  readonly labels: Labels;
  readonly signNames: Readonly<Record<Sign, string>>;
  readonly formats: Formats;
  readonly dress: Dress;
  readonly palettes: Palettes;
  /** The paths that are rendered together, or are published and stay. Links lead only to these. */
  readonly #rendered: ReadonlySet<string>;
  /** The addresses of earlier links, because nearly all pages link to the same few. */
  readonly #addresses = new Map<string, Address>();
  readonly #nearest = new Map<Sign, PeriodKind | undefined>();
  readonly #made = new Map<string, Markup>();
  readonly #bytes = new Map<string, readonly Uint8Array[]>();
  /** The prefix of every address of the site, as in its links. */
  readonly root: string;
  readonly #full: string;

  /** Undefined if no other language has a page. */
  readonly alternates: Alternates | undefined;

  constructor(home: Home, settings: SiteSettings, rendered: ReadonlySet<string>, alternates?: Alternates) {
    this.alternates = alternates;
    this.language = home.language;
    this.zone = home.zone;
    this.date = home.date;
    const words = settings.theme?.words[home.language];
    this.settings = words?.name === undefined ? settings : { ...settings, name: words.name };
    this.labels = labelsWith(labelsIn(home.language), words);
    this.signNames = signNames[home.language];
    this.formats = new Formats(home.language, home.zone);
    this.dress = dressFor(languages[home.language].script, settings);
    this.palettes = palettesOf(settings.theme?.colors);
    this.#rendered = rendered;
    ({ root: this.root, full: this.#full } = siteRootOf(settings.url));
  }

  has(at: TreePath): boolean {
    return this.#rendered.has(pathOf(at));
  }

  /** An address for `href`; undefined if the path is not rendered. A theme's files exist whenever it does. */
  linked(at: TreePath): Address | undefined {
    const path = pathOf(at);
    const known = this.#addresses.get(path);
    if (known !== undefined || !(this.#rendered.has(path) || at.row === "themeFile")) return known;
    const address = Address.own(this.root, path);
    this.#addresses.set(path, address);
    return address;
  }

  /** The address of a path that has to be rendered. */
  address(at: TreePath): Address {
    const address = this.linked(at);
    if (address !== undefined) return address;
    throw new RangeError(`a page links to ${pathOf(at)}, which is not rendered with it`);
  }

  /** The shortest period for which the sign's page is rendered. */
  nearestKind(sign: Sign): PeriodKind | undefined {
    if (!this.#nearest.has(sign)) {
      const { language } = this;
      const nearest = periodKinds.find((kind) => this.has({ row: "signPage", language, kind, sign }));
      this.#nearest.set(sign, nearest);
    }
    return this.#nearest.get(sign);
  }

  /** A link; undefined if the path is not rendered. */
  linkTo(at: TreePath, content: Content): Markup | undefined {
    const address = this.linked(at);
    return address && html`<a href="${address}">${content}</a>`;
  }

  /** Markup that several pages share, made for the first of them. */
  once(name: string, make: () => Markup): Markup {
    const before = this.#made.get(name);
    if (before !== undefined) return before;
    const made = make();
    this.#made.set(name, made);
    return made;
  }

  /** The same as bytes, because copying bytes is faster than encoding text. */
  onceAsBytes(name: string, make: () => readonly (Markup | string)[]): readonly Uint8Array[] {
    const before = this.#bytes.get(name);
    if (before !== undefined) return before;
    const made = make().map((piece) => encoder.encode(piece.toString()));
    this.#bytes.set(name, made);
    return made;
  }

  /** The decision of the index policy on a page. */
  indexing(facts: Omit<PageFacts, "date">): IndexDecision {
    const { date, settings } = this;
    return indexPolicy({ ...facts, date }, settings.indexing ?? [], (at) => this.has(at));
  }

  /** The full address, for canonical links. */
  fullAddress(at: TreePath): Address {
    return Address.own(this.#full, pathOf(at));
  }

  url(at: TreePath): string {
    return this.fullAddress(at).href;
  }
}

// A draft is a file before it is rendered: all paths are known before the first page is, so that every page knows its links.
/** Text, markup, or several pieces, some of which are already bytes. */
export type Rendered = string | Markup | readonly Piece[];

export interface Draft {
  readonly at: TreePath;
  readonly render: (context: Context) => Rendered;
  /** The time at which readers first see the newest text on the page. */
  readonly shownFrom?: string;
  /** For a page: facts by which the index policy decides. */
  readonly facts?: TextFacts;
}

/** The paths of the drafts. Throws for a repeated path, because one of its files would be lost. */
export function pathsOf(drafts: readonly Draft[]): Set<string> {
  const paths = new Set<string>();
  for (const { at } of drafts) {
    const path = pathOf(at);
    if (!isTreePath(at)) throw new RangeError(`"${path}" is not in the published tree`);
    if (paths.has(path))
      throw new Error(`two files at one path: ${path}. Check whether a set was given twice`);
    paths.add(path);
  }
  return paths;
}

/** Renders drafts, in the order of their paths. */
export function renderDrafts(drafts: readonly Draft[], context: Context): RenderedFile[] {
  return drafts
    .map((draft) => renderDraft(draft, context))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

export function renderDraft(
  { at, render, shownFrom, facts, path = pathOf(at) }: Draft & Partial<Pick<RenderedFile, "path">>,
  context: Context,
): RenderedFile {
  const isListed = context.indexing({ at, ...facts }) === "listed";
  return { path, at, bytes: encode(render(context)), type: typeOf(path, at), shownFrom, isListed };
}

/** A buffer for files of unknown length, reused because allocating takes longer than copying. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);

/** Writes with a buffer at an offset: an encoder would need a new view for each piece. */
function encode(rendered: Rendered): Uint8Array {
  let length = 0;
  for (const piece of Array.isArray(rendered) ? rendered : [rendered]) {
    const text = piece instanceof Uint8Array ? piece : piece.toString();
    if (scratch.length < length + text.length * 3) grow(length + text.length * 3); // UTF-8 takes at most three bytes per unit
    if (typeof text === "string") length += scratch.write(text, length);
    else {
      scratch.set(text, length);
      length += text.length;
    }
  }
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer); // every byte is overwritten, so none need be zeroed first
  bytes.set(scratch.subarray(0, length));
  return bytes;
}

function grow(sizeBytes: number) {
  const larger = Buffer.allocUnsafeSlow(Math.ceil(sizeBytes * 1.25));
  larger.set(scratch);
  scratch = larger;
}
