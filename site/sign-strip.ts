// The twelve glyphs in a row at the foot of a page, each a link to the same kind of page for another sign.
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { glyph } from "./drawings.ts";
import { html, type Markup } from "./html.ts";
import type { TreePath } from "./tree.ts";

export function signStrip(
  context: Context,
  label: string,
  here: Sign,
  pathFor: (sign: Sign) => TreePath | undefined,
  nameFor = (sign: Sign) => context.signNames[sign],
): Markup {
  return html`<nav aria-label="${label}">
    <ul class="strip">
      ${signs.map((sign) => {
        const at = pathFor(sign);
        const address = at && context.linked(at);
        if (address === undefined) return undefined;
        const name = nameFor(sign);
        return html`<li class="hue ${sign}">
          ${
            sign === here
              ? html`<a href="${address}" aria-label="${name}" aria-current="page">${glyph(sign)}</a>`
              : html`<a href="${address}" aria-label="${name}">${glyph(sign)}</a>`
          }
        </li>`;
      })}
    </ul>
  </nav>`;
}
