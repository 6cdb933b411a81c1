// The twelve signs to choose from, large and by name, with the dates of each where these help to choose.
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { glyph } from "./drawings.ts";
import { html, type Markup } from "./html.ts";
import type { TreePath } from "./tree.ts";

/** A sign of which nothing is published stands there without a link. */
export function signGrid(
  context: Context,
  label: string,
  pathFor: (sign: Sign) => TreePath | undefined,
  noteFor?: (sign: Sign) => string,
): Markup {
  const item = (sign: Sign) => {
    const at = pathFor(sign);
    const words = html`${glyph(sign)} <b>${context.signNames[sign]}</b> ${noteFor !== undefined && html`<small>${noteFor(sign)}</small>`}`;
    return html`<li class="hue ${sign}">
      ${(at && context.linkTo(at, words)) ?? html`<span>${words}</span>`}
    </li>`;
  };
  return html`<nav aria-label="${label}">
    <ul class="houses">
      ${signs.map(item)}
    </ul>
  </nav>`;
}
