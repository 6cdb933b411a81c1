// The twelve glyphs in a row at the foot of a page, each a link to the same kind of page for another sign.
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./context.ts";
import { glyph } from "./drawings.ts";
import { html, type Markup } from "./html.ts";

export function signStrip(
  context: Context,
  label: string,
  here: Sign,
  link: (sign: Sign) => { readonly path: string; readonly name: string },
): Markup {
  return html`<nav aria-label="${label}">
    <ul class="strip">
      ${signs.map((sign) => {
        const { path, name } = link(sign);
        if (!context.has(path)) return undefined;
        const address = context.address(path);
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
