// What every page of one language has at hand: its words, its formats, and links that lead only to what is pressed.
import type { Language } from "../readings/languages.ts";
import { Address, siteRootOf } from "./address.ts";
import type { SiteSettings } from "./edition.ts";
import { Formats } from "./formats.ts";
import { type Content, html, type Markup } from "./html.ts";
import { labels, type Labels } from "./labels/labels.ts";
import { pathOf } from "./paths.ts";
import type { TreePath } from "./tree.ts";

/** Where a language is at home, and the day there. */
export interface Home {
  readonly language: Language;
  readonly zone: string;
  /** The local date that is today. */
  readonly date: string;
}

/** What a language's pages are told of the other languages. */
export interface Alternates {
  /** By a current page's path without its language: the other languages that have it. */
  readonly languages: ReadonlyMap<string, readonly Language[]>;
  /** The same in one word: another one when pages of another language appear or go. */
  readonly hash: string;
}

export class Context {
  readonly language: Language;
  readonly zone: string;
  readonly date: string;
  readonly settings: SiteSettings;
  readonly labels: Labels;
  readonly formats: Formats;
  /** The paths that are pressed together, or are there and stay: a link names no other. */
  readonly #pressed: ReadonlySet<string>;
  /** What was linked to before: the same few pages are linked to from nearly all. */
  readonly #addresses = new Map<string, Address>();
  /** The part of the site's address before a path: as a link has it, and in full. */
  readonly #root: string;
  readonly #full: string;

  /** Undefined where no other language has a page. */
  readonly alternates: Alternates | undefined;

  constructor(home: Home, settings: SiteSettings, pressed: ReadonlySet<string>, alternates?: Alternates) {
    this.alternates = alternates;
    this.language = home.language;
    this.zone = home.zone;
    this.date = home.date;
    this.settings = settings;
    this.labels = labels[home.language];
    this.formats = new Formats(home.language, home.zone);
    this.#pressed = pressed;
    ({ root: this.#root, full: this.#full } = siteRootOf(settings.url));
  }

  has(at: TreePath): boolean {
    return this.#pressed.has(pathOf(at));
  }

  /** An address for `href`, only for what is pressed: ask `has` first, or use `linkTo`. */
  address(at: TreePath): Address {
    const path = pathOf(at);
    const known = this.#addresses.get(path);
    if (known !== undefined) return known;
    if (!this.#pressed.has(path))
      throw new RangeError(`a page links to ${path}, which is not pressed with it`);
    const address = Address.own(this.#root, path);
    this.#addresses.set(path, address);
    return address;
  }

  /** A link, or nothing where there is nothing to link to. */
  linkTo(at: TreePath, content: Content): Markup | undefined {
    return this.has(at) ? html`<a href="${this.address(at)}">${content}</a>` : undefined;
  }

  /** The same in full, for canonical links. */
  fullAddress(at: TreePath): Address {
    return Address.own(this.#full, pathOf(at));
  }

  url(at: TreePath): string {
    return this.fullAddress(at).href;
  }
}
