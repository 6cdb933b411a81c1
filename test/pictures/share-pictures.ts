// The pictures that are shown where somebody shares a page, as documents for the browser to draw: one a sign and one for the
// site, from the site's own drawings and colours; and the same of each language, with the sign's name in its script.
import { readFileSync } from "node:fs";
import { type Language, languages, type Sign, signs } from "../../readings/tables.ts";
import { signNames } from "../../readings/sign-names.ts";
import { medal, moonPath, signDrawings } from "../../site/pages/drawings.ts";
import { directionOf } from "../../site/formats.ts";
import { labelsIn } from "../../site/labels.ts";
import { scriptStyle } from "../../site/style.ts";
import { pictureSize } from "../../site/pages/head.ts";

const { width, height } = pictureSize;
const style = readFileSync(new URL("../../site/style.css", import.meta.url), "utf8");
const place = { middle: (width - 380) / 2, side: 105 } as const;

function around(degrees: number, radius: number): [x: number, y: number] {
  const angle = ((180 - degrees) * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** The twelve in a ring that is wider than the picture, or for the site inside it. */
function ring(radius: number, scale: number, current: Sign | undefined): string {
  const lines = signs.map((_sign, index) => {
    const [x, y] = around(index * 30, radius - 44 * scale);
    const [x2, y2] = around(index * 30, radius + 44 * scale);
    return `<path d="M${x} ${y}L${x2} ${y2}"/>`;
  });
  const glyphs = signs.map((sign, index) => {
    const [x, y] = around(index * 30 + 15, radius);
    const size = 1.5 * scale;
    return (
      `<path class="hue ${sign}" style="color:var(--accent)" opacity="${current === undefined || sign === current ? 1 : 0.5}" ` +
      `transform="translate(${x - 16 * size} ${y - 16 * size}) scale(${size})" d="${signDrawings[sign]}"/>`
    );
  });
  return (
    `<g stroke="var(--line)" fill="none"><circle r="${radius - 44 * scale}"/><circle r="${radius + 44 * scale}"/>` +
    `<circle r="${radius + 58 * scale}" stroke-width="${14 * scale}" stroke-linecap="butt" pathLength="360" stroke-dasharray=".25 4.75"/>` +
    `${lines.join("")}</g>${glyphs.join("")}`
  );
}

/** A rectangle with this distance from the edges. */
function inset(by: number): string {
  return `x="${by - width / 2}" y="${by - height / 2}" width="${width - 2 * by}" height="${height - 2 * by}"`;
}

const moon =
  '<circle r="119" fill="var(--shade)" stroke="var(--shade)" stroke-width="2"/>' +
  `<path d="${moonPath("2026-11-21", 118)}" fill="var(--moon)" stroke="none"/>`;

function documentOf(look: string, sign: Sign | undefined, drawn: string, more: string): string {
  const frame =
    `svg{position:absolute;left:0;top:0}body,html{margin:0;padding:0;max-width:none;background:var(--paper)}` +
    `.medal{top:${(height - 380) / 2}px;width:380px;height:380px;stroke-width:2}:is(.ticks,[stroke-width=".5"]){display:none}${look}`;
  return (
    `<!doctype html><meta charset="utf-8"><style>${style}${frame}</style><body class="hue ${sign ?? "plain"}">` +
    `<svg width="${width}" height="${height}" viewBox="${-width / 2} ${-height / 2} ${width} ${height}">` +
    `<clipPath id="inside"><rect ${inset(29)}/></clipPath>${drawn}` +
    `<g stroke="var(--line)" fill="none"><rect ${inset(20)} stroke-width="3"/><rect ${inset(29)} stroke-width="1"/></g>` +
    `</svg>${more}`
  );
}

/** A picture without words: for pages without a language, and for other people's use. */
export function wordlessPicture(sign: Sign | undefined): string {
  const [radius, scale] = sign === undefined ? [214, 1] : [330, 1.25];
  const middle = sign === undefined ? moon : `<circle r="222" fill="var(--paper)" stroke="none"/>`;
  const drawn = `<g clip-path="url(#inside)">${ring(radius, scale, sign)}</g>${middle}`;
  const drawing = sign === undefined ? "" : medal(sign).toString();
  return documentOf(`.medal{left:${place.middle}px}`, sign, drawn, drawing);
}

/** The drawing at the start side of the text, and next to it the sign's name, or the site's name and tagline. */
export function pictureIn(language: Language, sign: Sign | undefined): string {
  const direction = directionOf(language);
  const [start, end] = direction === "rtl" ? ["right", "left"] : ["left", "right"];
  const words = sign === undefined ? labelsIn(language).tagline : signNames[language][sign];
  const look =
    `${scriptStyle(languages[language].script)}.medal{${start}:${place.side}px;${end}:auto}` +
    `.words{position:absolute;${start}:550px;${end}:70px;top:60px;bottom:60px;display:grid;place-content:center;` +
    `text-align:center;font-family:var(--face);line-height:${sign === undefined ? "var(--leading)" : "1.4"};` +
    `color:${sign === undefined ? "var(--ink)" : "var(--accent)"};text-wrap:balance;overflow-wrap:normal;word-break:keep-all}` +
    `.words span{font-size:${sign === undefined ? 56 : 128}px}`;
  const shift = (direction === "rtl" ? 1 : -1) * (width / 2 - place.side - 190);
  const wheel = `<g transform="translate(${shift} 0) scale(.76)">${ring(214, 1, undefined)}${moon}</g>`;
  const drawing = sign === undefined ? "" : medal(sign).toString();
  const text = `<div class="words"><span dir="${direction}" lang="${language}">${words}</span></div>`;
  return documentOf(look, sign, sign === undefined ? wheel : "", drawing + text);
}

/** Runs in the page: shrinks words until they fit next to the drawing. */
export const fitWords = `(() => {
  const [box] = document.getElementsByClassName("words");
  const [words] = box.children;
  for (let size = parseFloat(getComputedStyle(words).fontSize); size > 20; size -= 2) {
    words.style.fontSize = size + "px";
    if (box.scrollWidth <= box.clientWidth && words.offsetHeight <= 430) break;
  }
})()`;
