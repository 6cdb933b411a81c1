// The site's pictures, all inline: signs, their medallions, the wheel of the day, the moon, card backs, swatches.
import type { Family } from "../readings/operations.ts";
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { html, type Markup, ownMarkup } from "./html.ts";
import type { PeriodKind } from "../readings/periods.ts";
import { signDrawings } from "./signs.ts";
import { moonPath, sunLongitude } from "./sun-and-moon.ts";
import type { TreePath } from "./tree.ts";

export function glyph(sign: Sign): Markup {
  return ownMarkup(`<svg viewBox="0 0 32 32" aria-hidden="true"><path d="${signDrawings[sign]}"/></svg>`);
}

/** A sign's glyph in a ring with a tick for every five degrees, the signs' own ones longer. */
export function medal(sign: Sign): Markup {
  return ownMarkup(
    '<svg class="medal" viewBox="0 0 100 100" aria-hidden="true"><circle class="ground" cx="50" cy="50" r="48"/>' +
      '<circle cx="50" cy="50" r="48" stroke-width=".8"/><circle cx="50" cy="50" r="40.5" stroke-width=".5"/>' +
      '<circle class="ticks" cx="50" cy="50" r="44.2" pathLength="360" stroke-dasharray=".8 4.2"/>' +
      `<path transform="translate(25 25) scale(1.56)" d="${signDrawings[sign]}"/></svg>`,
  );
}

export function moon(date: string): Markup {
  return html`<svg class="moon" viewBox="-11 -11 22 22" aria-hidden="true">
    <circle class="dark" r="10" stroke-width="1" />
    <path class="lit" d="${moonPath(date, 10)}" />
  </svg>`;
}

/** A point on the wheel: Aries begins at the left and the signs go against the clock, as in every almanac. */
function around(degrees: number, radius: number) {
  const angle = ((180 - degrees) * Math.PI) / 180;
  return `${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle)).toFixed(1)}`;
}

const wheelRings = ownMarkup(
  '<circle class="sky" r="150"/><circle r="104"/><circle r="138" stroke-width=".7"/><circle r="144" ' +
    'pathLength="360" stroke-width="11" stroke-linecap="butt" stroke-dasharray=".4 4.6" stroke-dashoffset=".2"/>' +
    signs
      .map((_sign, index) => `<path d="M${around(index * 30, 104)}L${around(index * 30, 150)}"/>`)
      .join(""),
);
function wheelGlyph(sign: Sign) {
  const [x = "0", y = "0"] = around(signs.indexOf(sign) * 30 + 15, 121).split(" ");
  return ownMarkup(
    `<circle cx="${x}" cy="${y}" r="17" fill="none" stroke="none" pointer-events="all"/>` +
      `<path transform="translate(${(Number(x) - 11.2).toFixed(1)} ${(Number(y) - 11.2).toFixed(1)}) scale(.7)" ` +
      `stroke-width="2.2" d="${signDrawings[sign]}"/>`,
  );
}

/** The sky of the date: the sun where it stands, the moon in its phase, and the signs, linked where they have pages. */
export function wheel(context: Context, kind: PeriodKind): Markup {
  const { language, date, labels } = context;
  const sun = around(sunLongitude(date), 90).split(" ");
  const isLinked = context.has({ row: "signPage", language, kind, sign: "aries" });
  const drawn = signs.map((sign) => {
    const at: TreePath = { row: "signPage", language, kind, sign };
    const address = context.linked(at);
    if (address === undefined) return wheelGlyph(sign);
    const name = context.signNames[sign];
    return html`<a class="hue ${sign}" href="${address}" aria-label="${name}"
      >${wheelGlyph(sign)}</a
    >`;
  });
  const sky = html`${wheelRings}${drawn}
    <path stroke-width=".7" stroke-dasharray="1 4" d="M0 0L${sun.join(" ")}" />
    <circle class="sun" cx="${sun[0]}" cy="${sun[1]}" r="8" />
    <circle class="sky" r="46" />
    <circle class="dark" r="40" stroke-width=".7" />
    <path class="lit" d="${moonPath(date, 40)}" />`;
  return isLinked
    ? html`<svg class="wheel" viewBox="-152 -152 304 304" role="group" aria-label="${labels.signs}">
        ${sky}
      </svg>`
    : html`<svg class="wheel" viewBox="-152 -152 304 304" aria-hidden="true">${sky}</svg>`;
}

export function swatch(color: string): Markup {
  return html`<svg class="swatch" viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="10" cy="10" r="9" fill="${color}" />
  </svg>`;
}

const star = "M16 10.5l1.5 4 4 1.5-4 1.5-1.5 4-1.5-4-4-1.5 4-1.5z";
const familyDrawings: Readonly<Record<Family, string>> = {
  horoscope: `M16 3a13 13 0 1 0 0 26 13 13 0 0 0 0-26z${star}`,
  pair: "M12 8a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM20 8a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  cards: `M8 3h16v26H8z${star}`,
  spread: "M2.5 9.5h7v13h-7zM12.5 7.5h7v17h-7zM22.5 9.5h7v13h-7z",
  triangle:
    "M16 3.5h6v8h-6zM16 3.5h-6v8h6M4 20.5h8v8H4zM20 20.5h8v8h-8zM13 14l-3.5 4.5M19 14l3.5 4.5M15 24.5h2",
  wisdom:
    "M16 3a13 13 0 1 0 0 26 13 13 0 0 0 0-26zM16 3a6.5 6.5 0 0 1 0 13 6.5 6.5 0 0 0 0 13M16 9.3v.4M16 22.3v.4",
  animal:
    "M16 16c-4.5 0-8 4-8 7.5 0 2.5 1.8 4 4 4 1.8 0 2.5-.8 4-.8s2.2.8 4 .8c2.2 0 4-1.5 4-4 0-3.5-3.5-7.5-8-7.5zM7 12.5v2M12.5 6.5v3M19.5 6.5v3M25 12.5v2",
  tarot: "M8 3h16v26H8zM17.5 11a5.2 5.2 0 1 0 3.6 8.6 4.5 4.5 0 1 1-3.6-8.6z",
};

export function familyDrawing(family: Family): Markup {
  return html`<svg viewBox="0 0 32 32" aria-hidden="true"><path d="${familyDrawings[family]}" /></svg>`;
}

/** The browser's icon: the wheel's ring and a star. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#8a3b1e" stroke-width="2" ' +
  `stroke-linejoin="round"><path d="${familyDrawings.horoscope}"/></svg>\n`;
