// The twelve signs by name in a row near the head of a page, each a link to the same kind of page for another sign.
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { glyph } from "./drawings.ts";
import { html, type Markup } from "./html.ts";
import type { TreePath } from "./tree.ts";

export function signStrip(
  context: Context,
  label: string,
  here: Sign,
  pathFor: (sign: Sign) => TreePath,
): Markup {
  const others = context.once(pathFor("aries"), () =>
    signs.map((sign) => {
      const address = context.linked(pathFor(sign));
      return address && item(sign, html`<a href="${address}">${named(context, sign)}</a>`);
    }),
  );
  const own = context.linked(pathFor(here));
  return html`<nav aria-label="${label}">
    <ul class="strip">
      ${signs.map((sign, index) =>
        sign === here && own !== undefined
          ? item(here, html`<a href="${own}" aria-current="page">${named(context, here)}</a>`)
          : others[index],
      )}
    </ul>
  </nav>`;
}

function named(context: Context, sign: Sign) {
  return html`${glyph(sign)}${context.signNames[sign]}`;
}

function item(sign: Sign, link: Markup): Markup {
  return html`<li class="hue ${sign}">
    ${link}
  </li>`;
}
