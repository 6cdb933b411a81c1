// The faces of the sandbox's cards, as documents for the browser to draw: one frame for all, a tint and a ground for each deck and
// each suit, the card's emblems, and its name.
import { readFileSync } from "node:fs";
import type { DeckName } from "../../packages/sandbox/decks.ts";

/** Two thirds, as the pages' frames for cards are. */
export const faceSize = { width: 320, height: 480 } as const;

const emblems = readFileSync(new URL("emblems.svg", import.meta.url), "utf8");
const dark = "#2f2745";
const light = "#f7efdd";
const gold = "#c9963a";

interface Look {
  /** Colors of the field behind the emblems, and of the drawings on it. */
  readonly field: string;
  readonly a: string;
  readonly b: string;
  readonly ground: string;
}

const arch = '<path d="M16 142V66a44 44 0 0 1 88 0v76z"/>';
const oval = '<ellipse cx="60" cy="80" rx="42" ry="61"/>';
const round = '<circle cx="60" cy="80" r="45"/><circle cx="60" cy="80" r="41"/>';
const rays = '<circle cx="60" cy="80" r="35" stroke-width="22" pathLength="120" stroke-dasharray="1 4"/>';
const pylon = '<path d="M14 142l10-116h72l10 116z"/><path d="M20 20h80M18 15h84"/>';
const six = '<path d="M60 22l45 29v58l-45 29-45-29V51z"/>';
const sky =
  '<path d="M24 30h.1M92 26h.1M18 118h.1M102 108h.1M60 20h.1M36 136h.1M88 138h.1M104 62h.1M16 72h.1" stroke-width="4"/>';
const frame = '<rect x="17" y="21" width="86" height="118" rx="12"/>';

const looks: Readonly<Record<DeckName, Look>> = {
  tarot: { field: "#e2d3ea", a: "#a4452f", b: "#8fa9c9", ground: arch },
  love: { field: "#f3cfcb", a: "#b33f52", b: "#9db8d3", ground: oval },
  desire: { field: "#e3b9bd", a: "#9c2f45", b: "#b79bc6", ground: frame },
  angels: { field: "#d3e2ef", a: "#8a6ea8", b: "#b9cde6", ground: rays },
  power: { field: "#d8e3c4", a: "#5f8a4a", b: "#86aebd", ground: six },
  egypt: { field: "#f0d9a6", a: "#b3552f", b: "#4f97a3", ground: pylon },
  wisdom: { field: "#d6dfd6", a: "#6f8f72", b: "#9bb5bd", ground: round },
  dreams: { field: "#c3c6e6", a: "#7a5fa8", b: "#93a9dc", ground: sky },
  lives: { field: "#e6d3bd", a: "#8a5a44", b: "#a3a584", ground: oval },
  animals: { field: "#cfdcc0", a: "#c56a52", b: "#9a8f86", ground: round },
};

const suitFields: readonly (readonly [ending: string, field: string])[] = [
  ["OF CUPS", "#cfe0ec"],
  ["OF PENTACLES", "#d8e3c4"],
  ["OF SWORDS", "#d9d9e4"],
  ["OF WANDS", "#f0d9c0"],
];

export function faceOf(deck: DeckName, name: string, composed: string): string {
  const { a, b, ground, field: ofDeck } = looks[deck];
  const field = suitFields.find(([ending]) => name.endsWith(ending))?.[1] ?? ofDeck;
  const { width, height } = faceSize;
  const letters = Math.min(9.6, 150 / name.length);
  return (
    `<!doctype html><meta charset="utf-8"><style>body{margin:0}body>svg{display:none}.face{display:block!important}symbol{overflow:visible}` +
    `.a{fill:${a}}.b{fill:${b}}.g{fill:${gold}}.l{fill:#7c9a6a}.w{fill:${light}}.k{fill:${dark}}text{font-family:"Noto Serif",Georgia,serif}</style>` +
    `${emblems}<svg class="face" width="${width}" height="${height}" viewBox="0 0 120 180" fill="none" stroke="${dark}" ` +
    `stroke-linecap="round" stroke-linejoin="round" stroke-width="1.6">` +
    `<path fill="${light}" stroke="none" d="M0 0h120v180H0z"/><rect x="4" y="4" width="112" height="172" rx="5" stroke="${gold}"/>` +
    `<rect x="9" y="9" width="102" height="139" rx="3" fill="${field}"/>` +
    `<g stroke="${light}" stroke-width="1.4">${ground}</g>` +
    `<g transform="translate(15 34) scale(.9)" stroke-width="2.4">${composed.split(" ").map(placed).join("")}</g>` +
    `<path stroke="${gold}" d="M14 153h92M14 171h92"/>` +
    `<text x="60" y="${162 + letters * 0.36}" font-size="${letters}" text-anchor="middle" fill="${dark}" stroke="none">${name.toUpperCase()}</text></svg>`
  );
}

function placed(emblem: string): string {
  const [name = "", place = "0,0,100"] = emblem.split(":");
  if (!emblems.includes(`id="${name}"`)) throw new Error(`emblems.svg has no ${name}`);
  const [x = 0, y = 0, size = 100] = place.split(",").map(Number);
  return `<use href="#${name}" transform="translate(${x} ${y}) scale(${size / 100})"/>`;
}
