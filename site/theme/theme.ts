// A theme as rendering knows it: the owner's slots, files, styles, words and hosts. worker/theme/ reads and checks it first, because
// rendering reads no files. It is a part of the site's settings.
import type { Language, Script, Sign } from "../../readings/tables.ts";
import type { Labels } from "../labels.ts";
import type { Colors } from "../palette.ts";
import type { RootFilePath, RowName, TreePathOf } from "../tree.ts";

/** Positions in a page where a theme may add content, in page order. */
export const themeSlots = [
  "head",
  "consent",
  "masthead",
  "navigation",
  "beforeText",
  "afterText",
  "advertising",
  "sidebar",
  "footer",
  "measuring",
] as const;
export type ThemeSlot = (typeof themeSlots)[number];

/** Uses of another host that a page may make, each with the policy's directive for it. */
export const hostUses = {
  script: "script-src",
  style: "style-src",
  image: "img-src",
  font: "font-src",
  connect: "connect-src",
  frame: "frame-src",
  media: "media-src",
  form: "form-action",
} as const;
export type HostUse = keyof typeof hostUses;
export type ThemeHosts = Readonly<Partial<Record<HostUse, readonly string[]>>>;

export type PageKind = Extract<RowName, `${string}Page` | "archiveStart" | "languageNotFound">;

type ThemeFilePath = TreePathOf<"themeFile">;

/** A file of the theme that is published under its hash. */
export interface ThemeFile {
  /** Its name in the theme. */
  readonly file: string;
  readonly at: ThemeFilePath;
  readonly bytes: Uint8Array;
}

/** A file of `theme/root/`, published under its own name. */
interface RootFile {
  readonly at: RootFilePath;
  readonly bytes: Uint8Array;
}

/** Values of its page that a slot may use. */
export const pageValues = ["name", "language", "direction", "root", "title", "address", "ours"] as const;
export type PageValue = (typeof pageValues)[number];

/** A text's literal parts, with the values and the files between them. */
export type TextPiece = string | { readonly value: PageValue } | { readonly file: ThemeFilePath };

export interface FilledSlot {
  readonly slot: ThemeSlot;
  /** The file's name in the theme. */
  readonly file: string;
  /** The kinds of pages and the languages that it is for. Default: all. */
  readonly pages?: readonly PageKind[];
  readonly languages?: readonly Language[];
  readonly pieces: readonly TextPiece[];
  /** Sources for the policy that let the theme's scripts run: their hashes, or 'self' for files of the site. */
  readonly scripts: readonly string[];
}

interface ThemeStyle {
  /** The file's name in the theme. */
  readonly file: string;
  readonly pieces: readonly TextPiece[];
}

export interface ThemeFont {
  readonly family: string;
  readonly at: ThemeFilePath;
  readonly weight: string;
  readonly style: "normal" | "italic";
  readonly display: "optional" | "swap";
  /** In these scripts, the font is the first choice. */
  readonly scripts: readonly Script[];
}

interface ThemeLogo {
  readonly at: ThemeFilePath;
  readonly width: number;
  readonly height: number;
}

/** A function of the theme that makes the contents of a kind of page (filled.ts). */
export interface ThemeTemplate {
  /** The file's name in the theme, and the theme's folder. */
  readonly file: string;
  readonly folder: string;
  readonly render: (page: unknown) => unknown;
}

/** A page of the owner's, from Markdown. */
export interface OwnPage {
  readonly at: TreePathOf<"ownPage">;
  readonly title: string;
  readonly description: string;
  readonly body: readonly TextPiece[];
}

/** The owner's line at the end of every newsletter, such as a postal address. */
export interface NewsletterFooter {
  readonly text: string;
  /** `https:` only. */
  readonly link?: string;
}

export interface Theme {
  /** A hash of everything that the theme consists of: its modules, its files, and the lock file of its packages. */
  readonly hash: string;
  readonly slots: readonly FilledSlot[];
  readonly hosts: ThemeHosts;
  readonly files: readonly ThemeFile[];
  readonly root: readonly RootFile[];
  /** The text of the owner's robots.txt, which replaces the default one. */
  readonly robots?: string;
  readonly colors?: Colors;
  readonly properties: Readonly<Record<string, string>>;
  readonly fonts: readonly ThemeFont[];
  /** The stylesheets, which come after all other styles. */
  readonly styles: readonly ThemeStyle[];
  readonly logo?: ThemeLogo;
  readonly icon?: ThemeFilePath;
  /** The pictures that are shown where a page is shared: a sign's, and of all else the site's. */
  readonly sharing: { readonly site?: ThemeFilePath; readonly signs: ThemeSigns };
  /** The signs' drawings in the heads of pages. */
  readonly signs: ThemeSigns;
  readonly cards: ThemeCards;
  readonly newsletter: { readonly footer?: NewsletterFooter };
  readonly pages: readonly OwnPage[];
  readonly words: Readonly<Partial<Record<string, OwnWords>>>;
  /** The pages that every footer leads to, by name. Default: all. */
  readonly menu?: readonly string[];
  /** Languages to try, in this order, if a language lacks a page. */
  readonly fallback: readonly Language[];
  /** Templates in place of ours, by the kind of page. */
  readonly templates: Readonly<Partial<Record<string, ThemeTemplate>>>;
}

type ThemeSigns = Readonly<Partial<Record<Sign, ThemeFilePath>>>;

/** Pictures of cards, by the card's name in the service's answer, in lower case. */
export interface ThemeCards {
  /** Whether they replace a picture that the service lacks, or for every one. */
  readonly use: "fallback" | "replacement";
  readonly files: Readonly<Record<string, ThemeFilePath>>;
}

type Some<Value> = Value extends string | readonly string[]
  ? Value
  : { readonly [Name in keyof Value]?: Some<Value[Name]> };

/** Omitted words stay ours. */
export type OwnWords = Some<Labels> & { readonly name?: string };

export function labelsWith(ours: Labels, own: OwnWords | undefined): Labels {
  if (own === undefined) return ours;
  const labels = structuredClone(ours);
  put(labels, own);
  return labels;
}

/** Names and kinds were checked when the theme was read. */
function put(target: object, own: object): void {
  for (const [name, word] of Object.entries(own)) {
    const there: unknown = Reflect.get(target, name);
    if (isGroup(there) && isGroup(word)) put(there, word);
    else if (there !== undefined) Reflect.set(target, name, word);
  }
}

export function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isDeclared(host: string, declared: readonly string[]): boolean {
  return declared.some((one) => (one.startsWith("*.") ? host.endsWith(one.slice(1)) : one === host));
}
