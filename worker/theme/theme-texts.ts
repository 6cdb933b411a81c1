// Parsers for the texts of a theme. They split slots and stylesheets into literal text and placeholders that each page fills in.
// They also report slot HTML that would not work on a page: blocked by the policy, unclosed, or hidden from screen readers.
import { createHash } from "node:crypto";
import { Parser } from "htmlparser2";
import {
  type HostUse,
  hostUses,
  isDeclared,
  type PageValue,
  pageValues,
  type TextPiece,
  type ThemeHosts,
  type ThemeSlot,
} from "../../site/theme/theme.ts";
import { lineAt, type ThemeFiles, type ThemeProblems } from "./theme-files.ts";

interface Parts {
  readonly files: ThemeFiles;
  readonly problems: ThemeProblems;
}

const filledIn = /\{\{\s*(.*?)\s*\}\}/g;

/** Parses placeholders: `{{name}}` is a value of the page, `{{asset logo.svg}}` the URL of a theme file. */
export function slotPieces(text: string, file: string, mayHaveOurs: boolean, parts: Parts): TextPiece[] {
  return pieced(text, filledIn, (said, index) => {
    const line = lineAt(text, index);
    const [, asset] = /^asset\s+(\S+)$/.exec(said) ?? [];
    if (asset !== undefined) {
      const at = parts.files.published(asset, { file, line });
      return at && { file: at };
    }
    if (isPageValue(said) && (said !== "ours" || mayHaveOurs)) return { value: said };
    const known = pageValues.filter((one) => one !== "ours" || mayHaveOurs).join("}}, {{");
    parts.problems.note(
      file,
      line,
      `{{${said}}} is not a placeholder of slots. Use {{${known}}} and {{asset <file>}}`,
    );
    return undefined;
  });
}

const fileInUrl = /url\(\s*["']?((?!data:|#)[^"')]+?)["']?\s*\)/g;

/** Parses `url(..)`, which names a file relative to the stylesheet; `{{..}}` has no meaning there. */
export function stylePieces(text: string, file: string, parts: Parts): TextPiece[] {
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
  const note = (index: number, problem: string) => parts.problems.note(file, lineAt(text, index), problem);
  const imported = text.search(/@import\b/i);
  if (imported >= 0) note(imported, "@import is not supported. Name the file in `stylesheets` of theme.ts");
  const ended = text.search(/<\/style/i);
  if (ended >= 0) note(ended, '"</style" would end the page\'s own styles. Remove it');
  return pieced(text, fileInUrl, (address, index) => {
    if (/^(?:[a-z]+:)?\/\//i.test(address)) {
      note(index, `${address} is on another host. Copy the file into the theme's folder, and name it here`);
      return undefined;
    }
    const at = parts.files.published(folder + address, { file, line: lineAt(text, index) });
    return at && ["url(", { file: at }, ")"];
  });
}

function isPageValue(text: string): text is PageValue {
  return pageValues.some((value) => value === text);
}

type Made = TextPiece | readonly TextPiece[] | undefined;

function pieced(text: string, pattern: RegExp, make: (said: string, index: number) => Made): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(end, match.index), ...[make(match[1] ?? "", match.index) ?? ""].flat());
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== "");
}

export interface SlotText {
  readonly slot: ThemeSlot;
  readonly file: string;
  readonly text: string;
}

/** Attributes that make an element load a URL or submit to one, with the kind of host that the policy must allow. */
const fetched: readonly (readonly [element: RegExp, attribute: string, use: HostUse])[] = [
  [/^script$/, "src", "script"],
  [/^(?:img|input)$/, "src", "image"],
  [/^(?:img|source)$/, "srcset", "image"],
  [/^video$/, "poster", "image"],
  [/^(?:iframe|embed|frame)$/, "src", "frame"],
  [/^object$/, "data", "frame"],
  [/^(?:audio|video|source|track)$/, "src", "media"],
  [/^form$/, "action", "form"],
  [/^(?:button|input)$/, "formaction", "form"],
];

const linkUses: ReadonlyMap<string, HostUse> = new Map([
  ["stylesheet", "style"],
  ["icon", "image"],
  ["manifest", "connect"],
]);
const headElements = new Set(["link", "meta", "script", "noscript", "template"]);
const landmarks = new Set([
  "header",
  "nav",
  "aside",
  "footer",
  "section",
  "search",
  "dialog",
  "script",
  "template",
  "noscript",
]);
/** Slots outside the main text. All of their content must be in a landmark. */
const aroundText = new Set<ThemeSlot>(["consent", "masthead", "navigation", "sidebar", "footer"]);
const mayStayOpen = new Set(["p", "li", "dt", "dd", "option", "tr", "td", "th", "tbody", "thead"]);

/** The sources of `script-src` that the slot's scripts need. */
export function scriptsIn(
  { slot, file, text }: SlotText,
  hosts: ThemeHosts,
  problems: ThemeProblems,
): string[] {
  const note = (index: number, problem: string) => problems.note(file, lineAt(text, index), problem);
  const scripts = new Set<string>();
  const open: number[] = [];
  const closings = new Set<number>();
  const passedOver: { readonly start: number; readonly end: number }[] = [];
  let script: { readonly start: number; readonly isCode: boolean } | undefined;
  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      const { startIndex: start, endIndex } = parser;
      open.push(start);
      if (isImplied) return;
      for (const problem of problemsOf(name, attributes, slot, open.length)) note(start, problem);
      for (const [use, address] of requestsOf(name, attributes)) {
        const problem = hostProblem(use, address, hosts);
        if (problem !== undefined) note(start, problem);
        else if (use === "script") scripts.add(hostOf(address) === undefined ? "'self'" : "");
      }
      const isCode = /^(?:|module|text\/javascript)$/.test(attributes["type"] ?? "");
      if (name === "script" && attributes["src"] === undefined) script = { start: endIndex + 1, isCode };
    },
    onclosetag(name, isImplied) {
      const start = open.pop() ?? 0;
      const isWhole = voids.has(name) || text.slice(start, parser.endIndex + 1).endsWith("/>");
      if (!isImplied) closings.add(parser.startIndex);
      else if (!isWhole && !mayStayOpen.has(name))
        note(start, `<${name}> is not closed, so the rest of the page would be inside it. Close it`);
      if (name !== "script" || script === undefined) return;
      const code = text.slice(script.start, parser.startIndex);
      passedOver.push({ start: script.start, end: parser.startIndex });
      if (script.isCode) {
        scripts.add(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
        for (const problem of codeProblems(code, hosts)) note(script.start, problem);
        if (code.includes("{{")) note(script.start, filledScript);
      }
      script = undefined;
    },
    oncomment: () => passedOver.push({ start: parser.startIndex, end: parser.endIndex }),
    ontext(data) {
      if (slot !== "head" || open.length > 0 || data.trim() === "") return;
      note(parser.startIndex, "a head cannot contain text. Put it into another slot");
    },
  });
  parser.end(text);
  for (const { index, 0: tag } of text.matchAll(/<\/[a-z][\w-]*/gi)) {
    if (closings.has(index) || passedOver.some(({ start, end }) => index >= start && index < end)) continue;
    note(index, `${tag}> closes no element here, and would close a part of the page. Remove it`);
  }
  return [...scripts].filter((source) => source !== "");
}

const filledScript =
  "a script cannot contain {{..}}, because the policy allows it by one hash for all pages. Put the value into a data- attribute";

type Attributes = Readonly<Record<string, string>>;

function problemsOf(name: string, attributes: Attributes, slot: ThemeSlot, depth: number): string[] {
  const handler = Object.keys(attributes).find((attribute) => attribute.startsWith("on"));
  const script = Object.values(attributes).some((value) => /^\s*javascript:/i.test(value));
  return [
    handler === undefined
      ? ""
      : `${handler}="" never runs. Add the listener in a <script> of this file, which the policy allows by its hash`,
    script ? "a URL that begins with javascript: never runs. Use a <button> and a <script>" : "",
    attributes["style"] === undefined
      ? ""
      : 'style="" has no effect. Give the element a class, and style it in a file of `stylesheets`',
    name === "style" ? "<style> has no effect. Move it into a file of `stylesheets`" : "",
    name === "base" || attributes["http-equiv"] !== undefined
      ? `<${name}> would change how browsers read the page. Remove it`
      : "",
    name === "main" ? "every page already has a <main>. Use <section> or <div>" : "",
    name === "img" && attributes["alt"] === undefined
      ? '<img> has no alt="". Describe the image there, or leave it empty if the image is decorative'
      : "",
    slot === "head" && !headElements.has(name)
      ? `<${name}> would end the page's head. Put it into another slot`
      : "",
    aroundText.has(slot) && depth === 1 && !landmarks.has(name) && attributes["role"] === undefined
      ? `<${name}> is outside a landmark, so users of screen readers can miss it. Put it into <header>, <nav>, <aside> or <footer>`
      : "",
  ].filter((problem) => problem !== "");
}

/** The addresses that an element loads by itself. A link that a reader follows is none. */
function requestsOf(name: string, attributes: Attributes): (readonly [HostUse, string])[] {
  const all = fetched.flatMap(([element, attribute, use]) => {
    const value = attributes[attribute];
    if (value === undefined || !element.test(name)) return [];
    const addresses =
      attribute === "srcset" ? value.split(",").map((one) => one.trim().split(/\s+/)[0] ?? "") : [value];
    return addresses.map((address) => [use, address] as const);
  });
  const { rel = "", href } = attributes;
  const use = rel.split(/\s+/).flatMap((word) => linkUses.get(word) ?? [])[0];
  return name !== "link" || href === undefined || use === undefined ? all : [...all, [use, href]];
}

/** Undefined if the policy lets the page load the URL. */
function hostProblem(use: HostUse, address: string, hosts: ThemeHosts): string | undefined {
  if (/^http:/i.test(address)) return `${address} does not use https. Write https://`;
  const host = hostOf(address);
  if (host === undefined || isDeclared(host, hosts[use] ?? [])) return undefined;
  const all = [...(hosts[use] ?? []), host].map((one) => JSON.stringify(one)).join(", ");
  return `${host} is not declared, so the policy would block it. Add \`hosts: { ${use}: [${all}] }\` to theme.ts`;
}

/** Undefined for an address of the site itself. */
function hostOf(address: string): string | undefined {
  return /^(?:https:)?\/\/([^/?#]+)/i.exec(address.trim())?.[1];
}

const namespace = "www.w3.org";

/** The hosts that a script of the page names. Its requests to them can't be seen, so each must be declared for a use. */
export function codeProblems(code: string, hosts: ThemeHosts): string[] {
  const declared = Object.values(hosts).flat();
  const named = Array.from(
    code.matchAll(/["'`](?:https?:)?\/\/([a-z0-9.-]+\.[a-z]{2,}(?::\d+)?)/gi),
    ([, host = ""]) => host,
  );
  return [...new Set(named)]
    .filter((host) => host !== namespace && !isDeclared(host, declared))
    .map((host) => {
      const uses = Object.keys(hostUses).join(", ");
      return `the script names ${host}, which is not declared. Add \`hosts: { script: ["${host}"], connect: ["${host}"] }\` to theme.ts, with those of ${uses} that it needs`;
    });
}

const voids = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
