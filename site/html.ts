// The only place where text becomes HTML. Literal parts are ours and trusted, every value is escaped for its position, and a
// template with a value where no escaping can help throws on its first use.
import { Address } from "./address.ts";

/** Finished HTML; only this file makes it. */
class Markup {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}
export { type Markup };

export function isMarkup(value: unknown): value is Markup {
  return value instanceof Markup;
}

/** Values that a template accepts: text, numbers, markup of other templates, checked addresses, lists, and nothing. */
export type Content = string | number | Markup | Address | false | undefined | readonly Content[];

export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const { start, rest } = templateOf(literals);
  let text = start;
  let index = 0;
  for (const { place, after } of rest) text += render(values[index++], place) + after;
  return new Markup(text);
}

/** Characters that no XML file may hold, even escaped. */
const notXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export function xmlDocument(root: Markup): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.toString().replaceAll(notXml, "")}\n`;
}

/** The only way to mark our own text as markup: our stylesheet, our drawings. Never use it for a reading's text. */
export function ownMarkup(text: string): Markup {
  return new Markup(text);
}

/** Finished HTML, or HTML already encoded as bytes. */
export type Piece = Markup | Uint8Array;

/** Joins pieces, some of which are bytes, into markup. */
export function inOnePiece(pieces: readonly Piece[]): Markup {
  return new Markup(
    pieces.map((piece) => (piece instanceof Uint8Array ? decoder.decode(piece) : piece.toString())).join(""),
  );
}

const decoder = new TextDecoder();

/** Any JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

const leadsOut = /[<>&\u2028\u2029]/g;

/**
 * Data for search engines. A browser neither runs nor fetches it, so no policy applies. Characters that could end the element,
 * begin a comment or break a line in a script are written as escapes, which JSON reads back.
 */
export function dataBlock(data: Json): Markup {
  const escaped = JSON.stringify(data).replaceAll(leadsOut, (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return new Markup(`<script type="application/ld+json">${escaped}</script>`);
}

/** Position of a value: between tags, in a double-quoted attribute, or as a whole `href` or `src`. */
type ValuePosition = "text" | "attribute" | "address";

function render(value: Content, place: ValuePosition) {
  if (value instanceof Address) {
    if (place === "text") throw new TypeError(`the URL ${value.href} is in a text. Put it into href or src`);
    return escapeText(value.href);
  }
  if (place === "address") throw new TypeError("href and src accept only a checked URL");
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(value);
  if (value === undefined || value === false) return "";
  if (place !== "text") throw new TypeError("an attribute accepts only text, a number or a URL");
  if (value instanceof Markup) return value.toString();
  let text = "";
  for (const part of value) text += render(part, place);
  return text;
}

const special = /[&<>"]/;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text. Most texts need no escaping and cost one search. */
function escapeText(text: string) {
  return special.test(text) ? text.replaceAll(/[&<>"]/g, (found) => entities[found] ?? "") : text;
}

/** A template's literal parts, with the position of the value before each. */
interface Template {
  readonly start: string;
  readonly rest: readonly { readonly place: ValuePosition; readonly after: string }[];
}
const known = new WeakMap<TemplateStringsArray, Template>();

/** The template of literal parts, parsed once. The source's indentation is not part of the page. */
function templateOf(literals: TemplateStringsArray): Template {
  const before = known.get(literals);
  if (before !== undefined) return before;
  const [start = "", ...others] = literals.map(unindented);
  let state = stateAfterAll("text", start); // or "tag", or the name of the open attribute
  let previous = start;
  const rest = others.map((after) => {
    const place = placeIn(state, previous);
    state = stateAfterAll(state, after);
    previous = after;
    return { place, after };
  });
  if (state !== "text") throw new TypeError(`a template ends inside a tag: ${literals.join("${}")}`);
  const template = { start, rest };
  known.set(literals, template);
  return template;
}

function unindented(literal: string) {
  return literal.replaceAll(/\s*\n\s*(?=\/?>)/g, "").replaceAll(/\s*\n\s*/g, "\n");
}

function stateAfterAll(state: string, literal: string) {
  let now = state;
  for (const [token, name] of literal.matchAll(/([\w:-]+)="|["'<>]/g)) now = stateAfter(now, token, name);
  return now;
}

function stateAfter(state: string, token: string, name: string | undefined) {
  if (state === "text") return token === "<" ? "tag" : "text";
  if (state !== "tag") return token.endsWith('"') ? "tag" : state;
  if (token === ">") return "text";
  if (name === undefined) throw new TypeError(`an unexpected ${token} in a tag`);
  return name.toLowerCase();
}

const addressAttributes = new Set([
  "href",
  "src",
  "srcset",
  "action",
  "formaction",
  "data",
  "poster",
  "cite",
]);
/** Attributes that no escaping makes safe. */
const codeAttributes = /^(?:on|style$|srcdoc$)/;

function placeIn(state: string, literal: string): ValuePosition {
  if (state === "text") return /<(?:script|style)[^>]*>[^<]*$/i.test(literal) ? refuse(literal) : "text";
  if (state === "tag" || codeAttributes.test(state)) return refuse(literal);
  if (!addressAttributes.has(state)) return "attribute";
  return literal.endsWith(`${state}="`) ? "address" : refuse(literal);
}

function refuse(literal: string): never {
  throw new TypeError(`no value is safe after ${literal.slice(-60)}`);
}
