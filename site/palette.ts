// The colors for light and dark mode: ours, or those of the theme and the ones derived from them. Letters take them
// from here; pages have ours in their stylesheet, and get those that differ after it.
import { type Sign, signs } from "../readings/tables.ts";
import ownPalettes from "./palette.json" with { type: "json" };

/** All `#RRGGBB`. */
interface OwnColors {
  readonly accent?: string;
  readonly paper?: string;
  readonly ink?: string;
}
export interface Colors {
  readonly light?: OwnColors;
  readonly dark?: OwnColors;
}

interface Palette {
  readonly paper: string;
  /** The background of boxes. */
  readonly panel: string;
  readonly ink: string;
  /** The color of small print. */
  readonly soft: string;
  readonly line: string;
  readonly accents: Record<Sign, string>;
}

const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];
export type Palettes = Readonly<Record<Scheme, Palette>>;

/** The stylesheet has the same as `oklch`, which mail does not know. */
const ours: Palettes = ownPalettes;

export function palettesOf({ light, dark }: Colors = {}): Palettes {
  return { light: paletteOf(ours.light, light), dark: paletteOf(ours.dark, dark) };
}

/** The strongest tint of the accent behind text: the last in the table of pairs. */
const deepestTint = 0.43;

/** Sentences about text that could not be read in these colors, for the theme's owner. */
export function contrastProblems(colors: Colors = {}): string[] {
  return schemes.flatMap((scheme) => {
    const own = colors[scheme];
    if (own === undefined) return [];
    const { paper, ink, accents } = paletteOf(ours[scheme], own);
    const accent = worst(Object.values(accents), (one) => contrast(one, paper));
    const tint = worst(
      Object.values(accents).map((one) => mixed(one, paper, deepestTint)),
      (one) => contrast(ink, one),
    );
    const whose = own.accent === undefined ? "a sign's accent" : "accent";
    const pairs = [
      [`ink ${ink} on paper ${paper}`, contrast(ink, paper)],
      [`${whose} ${accent} on paper ${paper}`, contrast(accent, paper)],
      [`ink ${ink} on the pair table's ${tint} (${whose} and paper mixed)`, contrast(ink, tint)],
    ] as const;
    return pairs
      .filter(([, ratio]) => ratio < leastContrast)
      .map(
        ([pair, ratio]) =>
          `colors.${scheme}: ${pair} has a contrast of ${shownRatio(ratio)}:1, and text needs ${leastContrast}:1 or more`,
      );
  });
}

function worst(colors: readonly string[], ratio: (color: string) => number) {
  return colors.reduce((one, other) => (ratio(other) < ratio(one) ? other : one));
}

/** The rules after the stylesheet, which are empty if the colors are ours. They don't count in print. */
export function colorStyle(colors: Colors = {}): string {
  const rules =
    rulesIn("screen", "light", colors) + rulesIn("screen and (prefers-color-scheme:dark)", "dark", colors);
  return (
    rules && `${rules}.table td a{background:color-mix(in srgb,var(--accent) var(--share),var(--paper))}`
  );
}

function rulesIn(media: string, scheme: Scheme, { [scheme]: colors }: Colors) {
  const palette = ours[scheme];
  const own = paletteOf(palette, colors);
  const names = ["paper", "panel", "ink", "soft", "line"] as const;
  const changed = names.filter((name) => own[name] !== palette[name]);
  const root = changed.map((name) => `--${name}:${own[name]}`).join(";");
  const rules = [
    root === "" ? "" : `:root{${root}}`,
    colors?.accent === undefined ? "" : `:root,.hue{--accent:${colors.accent}}`,
  ].join("");
  return rules === "" ? "" : `@media ${media}{${rules}}`;
}

function paletteOf(palette: Palette, own: OwnColors | undefined): Palette {
  if (own === undefined) return palette;
  const { paper = palette.paper, ink = palette.ink, accent } = own;
  const accents = accent === undefined ? palette.accents : everySign(accent);
  const colors = [ink, ...Object.values(accents)];
  const isReadable = (panel: string) => colors.every((color) => contrast(color, panel) >= leastContrast);
  if (own.paper === undefined && own.ink === undefined && isReadable(palette.panel))
    return { ...palette, accents };
  // Text and small print must have enough contrast on the paper and on the panel.
  const panels = [0.05, 0.03, 0.015].map((share) => mixed(ink, paper, share));
  const panel = panels.find(isReadable) ?? paper;
  const softs = [0.75, 0.85, 0.95].map((share) => mixed(ink, paper, share));
  const soft = softs.find((color) => contrast(color, panel) >= leastContrast) ?? ink;
  return { paper, panel, ink, soft, line: mixed(ink, paper, 0.22), accents };
}

function everySign(accent: string): Palette["accents"] {
  const accents = { ...ours.light.accents };
  for (const sign of signs) accents[sign] = accent;
  return accents;
}

// The contrast (WCAG 2.2) and the mixture of two colors, computed from sRGB triples.
type Triple = readonly [red: number, green: number, blue: number];

/** Text up to 24 px needs this ratio for level AA. */
export const leastContrast = 4.5;

/** From 1 to 21; both are `#RRGGBB`. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The ratio with two decimals, never rounded up to a sufficient one. */
export function shownRatio(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}

/** The mixture that `color-mix(in srgb, one share, other)` gives. */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [tripleOf(one), tripleOf(other)];
  const part = (index: 0 | 1 | 2) =>
    Math.round(a[index] * share + b[index] * (1 - share))
      .toString(16)
      .padStart(2, "0");
  return `#${part(0)}${part(1)}${part(2)}`;
}

function luminance(color: string) {
  const [red, green, blue] = tripleOf(color);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number) {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function tripleOf(color: string): Triple {
  const number = Number.parseInt(color.slice(1), 16);
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw new RangeError(`"${color}" is not a color such as #1a2b3c`);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
