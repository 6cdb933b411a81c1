// The twelve signs by name in a row near the head of a page, each a link to the same kind of page for another sign. But for the
// mark of the page itself it is the same on twelve pages, so it is made into bytes once, cut where that mark can stand.
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { glyph } from "./drawings.ts";
import { html, inOnePiece, type Markup, type Piece } from "./html.ts";
import { pathOf } from "./paths.ts";
import type { TreePath } from "./tree.ts";

/** The same as markup, which a theme's template takes. */
export function signStrip(
  context: Context,
  label: string,
  here: Sign,
  pathFor: (sign: Sign) => TreePath,
): Markup {
  return inOnePiece(stripInPieces(context, label, here, pathFor));
}

export function stripInPieces(
  context: Context,
  label: string,
  here: Sign,
  pathFor: (sign: Sign) => TreePath,
): readonly Piece[] {
  const name = `strip ${label} ${pathOf(pathFor("aries"))}`;
  const pieces = context.onceAsBytes(name, () => cutStrip(context, label, pathFor));
  const isWhole = pieces.length > signs.length;
  const linked = isWhole ? signs : signs.filter((sign) => context.has(pathFor(sign)));
  const own = linked.indexOf(here) + 1;
  return own === 0 ? pieces : [...pieces.slice(0, own), markAsBytes, ...pieces.slice(own)];
}

/** Of the page itself. No text of ours or of an owner can hold it, because there its quotes would be escaped. */
const mark = ' aria-current="page"';
const markAsBytes = new TextEncoder().encode(mark);

/** One piece more than there are links: between two pieces the mark can stand in the link before. */
function cutStrip(context: Context, label: string, pathFor: (sign: Sign) => TreePath): string[] {
  const items = signs.map((sign) => {
    const address = context.linked(pathFor(sign));
    return (
      address &&
      html`<li class="hue ${sign}">
        <a href="${address}" aria-current="page">${glyph(sign)}${context.signNames[sign]}</a>
      </li>`
    );
  });
  return html`<nav aria-label="${label}">
    <ul class="strip">
      ${items}
    </ul>
  </nav>`
    .toString()
    .split(mark);
}
