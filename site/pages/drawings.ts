// The site's pictures, all inline: signs, their medallions, the wheel of the day, the moon, card backs, swatches.
import { type Operation, type Sign, signs } from "../../readings/tables.ts";
import { dayNumber } from "../../readings/calendar.ts";
import { html, type Markup, ownMarkup } from "../html.ts";
import type { Context } from "../context.ts";

/** Our own drawings of the signs: strokes on a field of 32 by 32. */
export const signDrawings: Readonly<Record<Sign, string>> = {
  aries:
    "M16 27.5V14.5C16 8.5 13.6 4.5 9.9 4.5 7 4.5 5 6.6 5 9.4c0 2.6 1.7 4.4 4 4.4M16 14.5C16 8.5 18.4 4.5 22.1 4.5c2.9 0 4.9 2.1 4.9 4.9 0 2.6-1.7 4.4-4 4.4",
  taurus: "M16 13.2a7.3 7.3 0 1 0 0 14.6 7.3 7.3 0 0 0 0-14.6zM6 4.5c1.4 5.6 5 8.7 10 8.7s8.6-3.1 10-8.7",
  gemini: "M6 5c6.2 3 13.8 3 20 0M6 27c6.2-3 13.8-3 20 0M12 7v18M20 7v18",
  cancer:
    "M9.3 9.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2zM5.7 13C5.7 8.6 11 5.5 16.5 5.5c4 0 7.3 1 9.8 2.7M22.7 15.4a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2zM26.3 19c0 4.4-5.3 7.5-10.8 7.5-4 0-7.3-1-9.8-2.7",
  leo: "M9.5 14.8a3.9 3.9 0 1 0 0 7.8 3.9 3.9 0 0 0 0-7.8zM12.6 16.3C11 13.6 9.4 11.7 9.4 9.3 9.4 6.4 11.9 4.5 15 4.5c3.3 0 5.8 2 5.8 5.3 0 4.4-4.3 8.9-4.3 13.4 0 2.7 1.5 4.3 3.7 4.3 1.8 0 3.2-1 4-2.6",
  virgo:
    "M4 6.5c2.2 0 3.2 1.4 3.2 4V24M7.2 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V24M13.3 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V21c0 3.5 2.3 5.8 6.6 6.5M19.4 13.5c1-2.2 2.5-3.2 4.2-3.2 2.1 0 3.4 1.5 3.4 4 0 5-4.7 9.7-11.2 12.7",
  libra:
    "M5 27h22M5 21.5h7.6c-2.3-1.7-3.7-4.2-3.7-7 0-4.2 3.1-7.5 7.1-7.5s7.1 3.3 7.1 7.5c0 2.8-1.4 5.3-3.7 7H27",
  scorpio:
    "M3.5 6.5c2.2 0 3.2 1.4 3.2 4V24M6.7 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V24M12.8 11c.6-2.8 1.9-4.5 3.5-4.5 1.8 0 2.6 1.5 2.6 4V22c0 3 1.5 4.8 4.4 4.8h4.7M24.5 23.3l3.7 3.5-3.7 3.5",
  sagittarius: "M5.5 26.5l21-21M15.5 5.5h11v11M8 14.5l9.5 9.5",
  capricorn:
    "M4 7c2.6 0 4 1.8 4 5v10.5M8 13c.7-3.9 2.7-6 5-6 2.7 0 3.8 2.2 3.8 5.5v8.3c0 4.2-1.7 6.7-5 6.7M16.8 20.8c0-2.9 2.2-4.9 5-4.9s4.9 2 4.9 4.7-2.1 4.7-4.9 4.7-5-1.9-5-4.5z",
  aquarius: "M4 14l5.2-4.2L13.5 14l5-4.2 4.3 4.2L28 9.8M4 22.5l5.2-4.2 4.3 4.2 5-4.2 4.3 4.2 5.2-4.2",
  pisces: "M7 4.5c6.4 6.8 6.4 16.2 0 23M25 4.5c-6.4 6.8-6.4 16.2 0 23M5.5 16h21",
};

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

const star = "M16 10.5l1.5 4 4 1.5-4 1.5-1.5 4-1.5-4-4-1.5 4-1.5z";
const horoscope = `M16 3a13 13 0 1 0 0 26 13 13 0 0 0 0-26z${star}`;
const heart =
  "M16 27C9 22 4.5 17.5 4.5 12.2 4.5 8.5 7.2 6 10.3 6c2.4 0 4.5 1.3 5.7 3.5C17.2 7.3 19.3 6 21.7 6c3.1 0 5.8 2.5 5.8 6.2 0 5.3-4.5 9.8-11.5 14.8z";
/** A different sign for each operation: strokes on a field of 32 by 32 as the signs' are. */
const operationDrawings: Readonly<Record<Operation, string>> = {
  "daily-horoscope": horoscope,
  "weekly-horoscope": horoscope,
  "monthly-horoscope": horoscope,
  "yearly-horoscope": horoscope,
  "love-compatibility": "M12 8a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM20 8a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  "divine-angel-reading":
    "M16 8.5c-3 0-5-1-5-2.2S13 4 16 4s5 1 5 2.3-2 2.2-5 2.2zM16 12v16M16 14c-3-3.5-8-3.5-12.5-1 1 5.5 5.5 9 12.5 9M16 14c3-3.5 8-3.5 12.5-1-1 5.5-5.5 9-12.5 9",
  "power-life-reading":
    "M16 28V14M16 19c-5 0-8.5-3.5-8.5-8.5 5 0 8.5 3.5 8.5 8.5zM16 14c0-5.5 3.5-9 8.5-9 0 5.5-3.5 9-8.5 9zM9 28h14",
  "egyptian-prediction":
    "M16 16c-4-3.5-5.5-6-5.5-8A5.3 5.3 0 0 1 16 3a5.3 5.3 0 0 1 5.5 5c0 2-1.5 4.5-5.5 8zM16 16v13M8.5 18.5h15",
  "ex-flame-reading":
    "M16 29c-5 0-8.5-3.5-8.5-8.5 0-5 4-7 5-11 .5-2 .3-3.8-.5-6 5 1.7 7.5 5 7.5 8.7 1-.8 1.6-2 1.8-3.5 2 2.5 3.2 6 3.2 9.8 0 6-3.5 10.5-8.5 10.5zM16 29c-2.2 0-3.8-1.8-3.8-4 0-2.5 2-3.5 3.8-6.5 1.8 3 3.8 4 3.8 6.5 0 2.2-1.6 4-3.8 4z",
  "in-depth-love-reading": `${heart}M16 12.5v8.5M13 18l3 3 3-3`,
  "past-present-future-reading": "M2.5 9.5h7v13h-7zM12.5 7.5h7v17h-7zM22.5 9.5h7v13h-7z",
  "love-triangle-reading":
    "M16 3.5h6v8h-6zM16 3.5h-6v8h6M4 20.5h8v8H4zM20 20.5h8v8h-8zM13 14l-3.5 4.5M19 14l3.5 4.5M15 24.5h2",
  "wisdom-reading":
    "M16 3a13 13 0 1 0 0 26 13 13 0 0 0 0-26zM16 3a6.5 6.5 0 0 1 0 13 6.5 6.5 0 0 0 0 13M16 9.3v.4M16 22.3v.4",
  "which-animal-are-you-reading":
    "M16 16c-4.5 0-8 4-8 7.5 0 2.5 1.8 4 4 4 1.8 0 2.5-.8 4-.8s2.2.8 4 .8c2.2 0 4-1.5 4-4 0-3.5-3.5-7.5-8-7.5zM7 12.5v2M12.5 6.5v3M19.5 6.5v3M25 12.5v2",
  "daily-tarot": "M8 3h16v26H8zM17.5 11a5.2 5.2 0 1 0 3.6 8.6 4.5 4.5 0 1 1-3.6-8.6z",
  "dream-come-true-reading":
    "M19.5 5a11.5 11.5 0 1 0 8 17A9.5 9.5 0 0 1 19.5 5zM25 7l1 2.5 2.5 1-2.5 1-1 2.5-1-2.5-2.5-1 2.5-1z",
  "erotic-love-reading":
    "M11.5 22C6.5 18.5 3.5 15.5 3.5 11.8c0-2.6 1.9-4.3 4-4.3 1.7 0 3.2 1 4 2.5.8-1.5 2.3-2.5 4-2.5 2.1 0 4 1.7 4 4.3 0 3.7-3 6.7-8 10.2zM21 12c.7-.5 1.5-.7 2.4-.7 2.7 0 5 2.1 5 5.2 0 4.3-3.7 7.8-9 11.5-2-1.4-3.7-2.7-5-4",
  "past-lives-connection-reading":
    "M8 4h16M8 28h16M10 4v4c0 3.5 6 5 6 8s-6 4.5-6 8v4M22 4v4c0 3.5-6 5-6 8s6 4.5 6 8v4M13.5 25h5",
  "daily-tarot-legacy":
    "M8 3h16v26H8zM16 12.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM16 8v1.5M16 22.5V24M11 16h-.5M21.5 16H21M12.5 12.5l-.6-.6M20.1 20.1l-.6-.6M19.5 12.5l.6-.6M11.9 20.1l.6-.6",
};

export function operationDrawing(operation: Operation): Markup {
  return html`<svg viewBox="0 0 32 32" aria-hidden="true"><path d="${operationDrawings[operation]}" /></svg>`;
}

/** The browser's icon: the wheel's ring and a star. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#8a3b1e" stroke-width="2" ' +
  `stroke-linejoin="round"><path d="${horoscope}"/></svg>\n`;

/** The constellations on a field of 100 by 100: lines that join their brightest stars. */
const constellations: Readonly<Record<Sign, string>> = {
  aries: "20 36,58 44,71 53,74 61",
  taurus: "20 34,46 54,58 55,52 46,26 22;58 55,71 61,81 67;71 61,73 73",
  gemini: "36 20,46 36,58 52,66 70,75 66;26 28,34 44,44 58,52 76,45 81;34 44,46 36",
  cancer: "50 20,50 44,52 52,36 76;52 52,70 68",
  leo: "22 36,28 29,36 35,38 46,32 56,34 67,66 64,81 60,69 50,38 46;66 64,69 50",
  virgo: "22 28,32 40,46 44,58 36,62 21;46 44,52 58,48 75;52 58,68 62,80 71;58 36,73 40",
  libra: "48 21,28 40,30 67;28 40,64 44,48 21;64 44,70 71",
  scorpio: "76 21,79 31,78 42;79 31,64 37,58 44,54 54,50 66,44 76,33 79,25 71,26 62",
  sagittarius: "34 60,40 44,54 40,64 50,60 64,34 60,22 52,40 44,46 32,54 40;64 50,76 46,74 60,60 64",
  capricorn: "21 34,28 40,40 60,54 70,78 51,60 49,21 34",
  aquarius: "18 40,34 34,48 38,54 31,60 36,70 54,79 68;48 38,52 54,44 66,50 79",
  pisces: "20 34,26 28,33 32,31 40,23 41,20 34;31 40,48 56,64 72,70 58,74 42,77 28,79 22",
};

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
