// A draft is a file before it is rendered: all paths are known before the first page is, so that every page knows its links.
import type { RenderedFile } from "./edition.ts";
import type { Markup, Piece } from "./html.ts";
import type { Context } from "./page-context.ts";
import { isTreePath, parsePath, pathOf } from "./paths.ts";
import { tree, type TreePath } from "./tree.ts";

/** Text, markup, or several pieces of which some are bytes already. */
export type Rendered = string | Markup | readonly Piece[];

export interface Draft {
  readonly at: TreePath;
  readonly render: (context: Context) => Rendered;
  /** See PressedFile. */
  readonly shownFrom?: string;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  ico: "image/x-icon",
  woff2: "font/woff2",
  css: "text/css; charset=utf-8",
  webmanifest: "application/manifest+json",
  js: "text/javascript; charset=utf-8",
  ts: "text/plain; charset=utf-8", // a person may open it; no browser runs it
};
const feedTypes: Readonly<Record<string, string>> = {
  json: "application/feed+json; charset=utf-8",
  xml: "application/rss+xml; charset=utf-8",
};

/** The paths of the drafts; two on one path would mean that one is lost. */
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
  { at, render, shownFrom, path = pathOf(at) }: Draft & Partial<Pick<RenderedFile, "path">>,
  context: Context,
): RenderedFile {
  return { path, at, bytes: encode(render(context)), type: typeOf(path, at), shownFrom };
}

/** Room for a file while its length is not known; one for all, because asking for room takes longer than copying. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);

/** A buffer writes a text at its place: an encoder would want a view of the room behind it for each piece. */
function encode(rendered: Rendered): Uint8Array {
  let length = 0;
  for (const piece of Array.isArray(rendered) ? rendered : [rendered]) {
    const text = piece instanceof Uint8Array ? piece : piece.toString();
    if (scratch.length < length + text.length * 3) grow(length + text.length * 3); // UTF-8 takes three at most
    if (typeof text === "string") length += scratch.write(text, length);
    else {
      scratch.set(text, length);
      length += text.length;
    }
  }
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer); // all of it is written, so none need be zero before
  bytes.set(scratch.subarray(0, length));
  return bytes;
}

function grow(sizeBytes: number) {
  const larger = Buffer.allocUnsafeSlow(Math.ceil(sizeBytes * 1.25));
  larger.set(scratch);
  scratch = larger;
}

/** The content type of a path, also of a stranger's file in the store. */
export function typeOf(path: string, at: TreePath | undefined = parsePath(path)): string {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const isFeed = at !== undefined && tree[at.row].isFeed === true;
  return (isFeed ? feedTypes[ending] : types[ending]) ?? "application/octet-stream";
}
