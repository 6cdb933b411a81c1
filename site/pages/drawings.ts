// The site's pictures, all inline: signs, their medallions, the wheel of the day, the moon, card backs, swatches. And the pictures of a
// theme, which a page shows in place of ours.
import drawings from "./drawings.json" with { type: "json" };
import { type Operation, type Sign, signs, type Language } from "../../readings/tables.ts";
import { dayNumber } from "../../readings/calendar.ts";
import { html, type Markup, ownMarkup, type Content } from "../html.ts";
import type { Context } from "../context.ts";
import type { Address } from "../address.ts";
import { typeOf } from "../edition.ts";
import { labelsIn } from "../labels.ts";
import { pathOf } from "../paths.ts";
import type { TreePath } from "../tree.ts";

/** Our own drawings of the signs: strokes on a field of 32 by 32. */
export const signDrawings: Readonly<Record<Sign, string>> = drawings.signs;
/** A different drawing for each operation, on a field of the same size. */
const operationDrawings: Readonly<Record<Operation, string>> = drawings.operations;
/** The constellations on a field of 100 by 100: lines that join their brightest stars. */
const constellations: Readonly<Record<Sign, string>> = drawings.constellations;

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

/** A sign's stars in a ring, its glyph faint behind them. */
export function starChart(sign: Sign): Markup {
  const lines = constellations[sign].split(";").map((line) => line.split(","));
  const stars = [...new Set(lines.flat())].map((star) => `M${star}h.01`).join("");
  return ownMarkup(
    '<svg class="medal chart" viewBox="0 0 100 100" aria-hidden="true"><circle class="ground" cx="50" cy="50" r="49"/>' +
      '<circle cx="50" cy="50" r="49" stroke-width=".6"/><circle cx="50" cy="50" r="45" stroke-width=".4"/>' +
      '<circle class="ticks" cx="50" cy="50" r="47" pathLength="360" stroke-dasharray=".5 2.5"/>' +
      `<path class="faint" transform="translate(18 18) scale(2)" d="${signDrawings[sign]}"/>` +
      `<path stroke-width=".7" d="${lines.map((line) => `M${line.join("L")}`).join("")}"/>` +
      `<path class="stars" d="${stars}"/></svg>`,
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
const wheelGlyphs = signs.map((sign, index) => {
  const [x = "0", y = "0"] = around(index * 30 + 15, 121).split(" ");
  return (
    `<path class="hue ${sign}" transform="translate(${(Number(x) - 11.2).toFixed(1)} ${(Number(y) - 11.2).toFixed(1)}) scale(.7)" ` +
    `stroke-width="2.2" d="${signDrawings[sign]}"/>`
  );
});
const wheelOfSigns = ownMarkup(wheelGlyphs.join(""));

/** The sky of the date: the sun in its position, the moon in its phase, and the signs. */
export function wheel({ date }: Context): Markup {
  const sun = around(sunLongitude(date), 90).split(" ");
  return html`<svg class="wheel" viewBox="-152 -152 304 304" aria-hidden="true">
    ${wheelRings}${wheelOfSigns}
    <path stroke-width=".7" stroke-dasharray="1 4" d="M0 0L${sun.join(" ")}" />
    <circle class="sun" cx="${sun[0]}" cy="${sun[1]}" r="8" />
    <circle class="sky" r="46" />
    <circle class="dark" r="40" stroke-width=".7" />
    <path class="lit" d="${moonPath(date, 40)}" />
  </svg>`;
}

export function swatch(color: string): Markup {
  return html`<svg class="swatch" viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="10" cy="10" r="9" fill="${color}" />
  </svg>`;
}

export function operationDrawing(operation: Operation): Markup {
  return html`<svg viewBox="0 0 32 32" aria-hidden="true"><path d="${operationDrawings[operation]}" /></svg>`;
}

/** The browser's icon: the wheel's ring and a star. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#8a3b1e" stroke-width="2" ' +
  `stroke-linejoin="round"><path d="${operationDrawings["daily-horoscope"]}"/></svg>\n`;

// Sun and moon of a date, precise enough for a drawing: the sun to a degree, the moon to half a day.
const radians = Math.PI / 180;

/** The sun's longitude at noon UTC in degrees from the first point of Aries; a sign has thirty. */
export function sunLongitude(date: string): number {
  const days = dayNumber(date) - 10_957; // since noon of 2000-01-01
  const anomaly = (357.528 + 0.985_600_3 * days) * radians;
  const longitude = 280.46 + 0.985_647_4 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly);
  return ((longitude % 360) + 360) % 360;
}

/** The moon's age at noon UTC as a part of its month: 0 new, 0.5 full. */
export function moonAge(date: string): number {
  const newMoon = 10_962.26; // 2000-01-06 18:14 UTC, as a day number from noon
  const months = (dayNumber(date) - newMoon) / 29.530_588_853;
  return months - Math.floor(months);
}

/** The lit part of the moon as a path around 0,0. */
export function moonPath(date: string, radius: number): string {
  const age = moonAge(date);
  const waxing = age < 0.5;
  const gibbous = age > 0.25 && age < 0.75;
  const width = (Math.abs(Math.cos(2 * Math.PI * age)) * radius).toFixed(1);
  const limb = `A${radius} ${radius} 0 0 ${waxing ? 1 : 0} 0 ${radius}`;
  const terminator = `A${width} ${radius} 0 0 ${waxing === gibbous ? 1 : 0} 0 ${-radius}`;
  return `M0 ${-radius}${limb}${terminator}Z`;
}

// The theme's pictures: the site's mark, its icon, and the pictures of signs and cards.
/** The site's name, or its logo with the name for those who do not see it. */
export function siteMark(context: Context): Content {
  const { name, theme } = context.settings;
  if (theme?.logo === undefined) return name;
  const { at, width, height } = theme.logo;
  return html`<img class="logo" src="${context.address(at)}" alt="${name}" width="${width}" height="${height}" />`;
}

export function iconLink(context: Context): Markup {
  const at: TreePath = context.settings.theme?.icon ?? { row: "icon" };
  return context.once(
    "icon",
    () => html`<link rel="icon" type="${typeOf(pathOf(at))}" href="${context.address(at)}" />`,
  );
}

/** The sign's drawing in the head of a page. */
export function signArt(context: Context, sign: Sign, ours = medal(sign)): Markup {
  const at = context.settings.theme?.signs[sign];
  if (at === undefined) return ours;
  return html`<img class="medal" src="${context.address(at)}" alt="" width="100" height="100" />`;
}

/** The picture that is shown where a page is shared. */
export function sharedPicture(
  { settings, language, labels: own }: Context,
  { picture: sign, at }: { readonly picture?: Sign; readonly at: TreePath },
): TreePath {
  const sharing = settings.theme?.sharing;
  const themed = sign === undefined ? sharing?.site : sharing?.signs[sign];
  // The owner's tagline is on no picture.
  const isWordless =
    !("language" in at) || (sign === undefined && own.tagline !== labelsIn(language).tagline);
  return themed ?? pictureFor(sign, isWordless ? undefined : language);
}

export function pictureFor(sign: Sign | undefined, language: Language | undefined): TreePath {
  if (language === undefined)
    return sign === undefined ? { row: "sitePicture" } : { row: "signPicture", sign };
  return sign === undefined
    ? { row: "languagePicture", language }
    : { row: "languageSignPicture", language, sign };
}

/** The picture of a card: the theme's or the service's, as the theme says. */
export function cardArt(context: Context, name: string, found: Address | undefined): Address | undefined {
  const { use, files } = context.settings.theme?.cards ?? { use: "fallback", files: {} };
  if (found !== undefined && use === "fallback") return found;
  const file = cardFileName(name);
  // The service names the card: every object has its own "constructor".
  const own = Object.hasOwn(files, file) ? files[file] : undefined;
  return own === undefined ? found : context.address(own);
}

/** `the-fool` for "The Fool". */
export function cardFileName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}
