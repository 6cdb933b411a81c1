// A colour as a stylesheet writes it, as `#rrggbb`: names, rgb(), hsl(), oklch(), color-mix() in sRGB, light-dark() and what var()
// stands for. What is written otherwise is not known here.
import { mixed } from "../../../site/color-contrast.ts";
import names from "./color-names.json" with { type: "json" };
import type { Scheme } from "./style-rules.ts";

export interface ColorValue {
  readonly color: string;
  /** From 0, which shows all that is behind it, to 1. */
  readonly alpha: number;
}

export interface ColorScope {
  readonly scheme: Scheme;
  /** What a custom property says here. */
  readonly property: (name: string) => string | undefined;
}

const named = new Map(Object.entries(names));

/** The first colour in the value, which may be a shorthand; undefined where there is none, or one that is not known. */
export function colorIn(value: string, scope: ColorScope): ColorValue | undefined {
  const whole = resolved(value, scope);
  if (whole === undefined || /\b(?:url|gradient)\(|-gradient\(/.test(whole)) return undefined;
  for (const part of partsOf(whole, /\s/)) {
    const color = colorOf(part.toLowerCase(), scope);
    if (color !== undefined) return color;
  }
  return undefined;
}

/** With what each var() stands for in its place; undefined where one stands for nothing. */
function resolved(value: string, { property }: ColorScope): string | undefined {
  let text = value;
  for (let round = 0; round < 20; round += 1) {
    const [whole, name = "", fallback] = /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/.exec(text) ?? [];
    if (whole === undefined) return text;
    const known = property(name) ?? fallback?.trim();
    if (known === undefined) return undefined;
    text = text.replace(whole, () => known);
  }
  return undefined;
}

function colorOf(text: string, scope: ColorScope): ColorValue | undefined {
  const name = named.get(text);
  if (name !== undefined) return { color: name, alpha: 1 };
  if (text.startsWith("#")) return hexColor(text.slice(1));
  const [, kind = "", inside = ""] = /^([a-z-]+)\((.*)\)$/s.exec(text) ?? [];
  if (kind === "light-dark") {
    const [light = "", dark = ""] = partsOf(inside, /,/);
    return colorOf(scope.scheme === "light" ? light : dark, scope);
  }
  if (kind === "color-mix") return mixedColor(inside, scope);
  return numberedColor(kind, inside);
}

/** Not known where it says anything but plain numbers, such as calc(), or what it comes from. */
function numberedColor(kind: string, inside: string): ColorValue | undefined {
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3 || parts.length > 4 || !parts.every(isNumber)) return undefined;
  const of = (index: number, full: number) => numberIn(parts[index], full);
  const alpha = parts.length > 3 ? shareOf(of(3, 1)) : 1;
  if (kind === "rgb" || kind === "rgba") return { color: hexOf([of(0, 255), of(1, 255), of(2, 255)]), alpha };
  if (kind === "hsl" || kind === "hsla")
    return { color: hslColor(of(0, 360), of(1, 100) / 100, of(2, 100) / 100), alpha };
  if (kind === "oklch") return { color: oklchColor(of(0, 1), of(1, 0.4), of(2, 360)), alpha };
  return undefined;
}

function isNumber(text: string) {
  return (
    text === "none" ||
    (/^[-+]?(?:\d+|\d*\.\d+)(?:e[-+]?\d+)?(?:%|deg)?$/.test(text) && Number.isFinite(Number.parseFloat(text)))
  );
}

function hexColor(digits: string): ColorValue | undefined {
  const all = digits.length < 5 ? digits.replaceAll(/./g, "$&$&") : digits;
  if (!/^(?:[0-9a-f]{6}|[0-9a-f]{8})$/.test(all)) return undefined;
  return {
    color: `#${all.slice(0, 6)}`,
    alpha: all.length === 8 ? Number.parseInt(all.slice(6), 16) / 255 : 1,
  };
}

function mixedColor(inside: string, scope: ColorScope): ColorValue | undefined {
  const [space = "", ...given] = partsOf(inside, /,/);
  if (space.trim() !== "in srgb") return undefined;
  const [one, other] = given.map((part) => {
    const share = /(?:^|\s)([\d.]+)%(?:\s|$)/.exec(part)?.[1];
    const color = colorOf(part.replace(/(?:^|\s)[\d.]+%(?:\s|$)/, " ").trim(), scope);
    return { color, share: share === undefined ? undefined : Number(share) / 100 };
  });
  if (one?.color === undefined || other?.color === undefined) return undefined;
  if (one.color.alpha < 1 || other.color.alpha < 1) return undefined;
  const share = shareOf(one.share ?? 1 - (other.share ?? 0.5));
  return { color: mixed(one.color.color, other.color.color, share), alpha: 1 };
}

function shareOf(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** A number, or a share of what is the full value. */
function numberIn(text = "none", full: number): number {
  if (text === "none") return 0;
  const value = Number.parseFloat(text);
  return text.endsWith("%") ? (value / 100) * full : value;
}

function hslColor(hue: number, saturation: number, lightness: number): string {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12;
    return 255 * (lightness - strength * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return hexOf([channel(0), channel(8), channel(4)]);
}

/** By the matrices of CSS Color 4; what sRGB can't show is cut off. */
function oklchColor(lightness: number, chroma: number, hue: number): string {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return hexOf(
    linear.map((one) => 255 * (one <= 0.0031308 ? 12.92 * one : 1.055 * one ** (1 / 2.4) - 0.055)),
  );
}

function hexOf(channels: readonly number[]): string {
  const written = channels.map((one) => Math.round(Math.min(255, Math.max(0, one))));
  return `#${written.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}

/** The parts between separators that stand in no brackets. */
function partsOf(text: string, separator: RegExp): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (depth === 0 && separator.test(letter)) parts.push("");
    else parts.push((parts.pop() ?? "") + letter);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
