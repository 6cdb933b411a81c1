// Colours as sRGB triples: the contrast of two colours (WCAG 2.2), and their mixture.

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
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw new RangeError(`"${color}" is no colour such as #1a2b3c`);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
