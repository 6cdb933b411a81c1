// Draws the pictures that are shown where somebody shares a page, one a sign and one for the site, from the site's own
// drawings and colours: `npm run pictures` after either has changed. They are kept in site/pictures/.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type Sign, signs } from "../../readings/signs.ts";
import { medal } from "../../site/drawings.ts";
import { pictureSize } from "../../site/share-card.ts";
import { signDrawings } from "../../site/signs.ts";
import { moonPath } from "../../site/sun-and-moon.ts";
import { launchBrowser } from "../browser/support/browser.ts";
import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const mostColors = 64;

/** Each dot is a number of red, green and blue, eight bits each. */
function withFewColors(width: number, height: number, dots: readonly number[]): Buffer {
  const palette = paletteOf(dots);
  const nearest = new Map<number, number>();
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const color = dots[y * width + x] ?? 0;
      const index = nearest.get(color) ?? nearestIn(palette, color);
      nearest.set(color, index);
      rows[y * (width + 1) + 1 + x] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // eight bits that are a place in the palette
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", colors),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The most frequent colours that are not all but the same as one already taken. */
function paletteOf(dots: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const color of dots) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette: number[] = [];
  for (const [color] of [...counts].sort(([one, many], [other, more]) => more - many || one - other)) {
    if (palette.length === mostColors) break;
    if (palette.every((taken) => distance(taken, color) > 60)) palette.push(color);
  }
  return palette;
}

function nearestIn(palette: readonly number[], color: number): number {
  const distances = palette.map((one) => distance(one, color));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other: number): number {
  const part = (shift: number) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2;
}

const { width, height } = pictureSize;
const folder = fileURLToPath(new URL("../../site/pictures/", import.meta.url));
const style = readFileSync(new URL("../../site/style.css", import.meta.url), "utf8");
const frame =
  `svg{position:absolute;left:0;top:0}body,html{margin:0;padding:0;max-width:none;background:var(--paper)}` +
  `.medal{left:${(width - 380) / 2}px;top:${(height - 380) / 2}px;width:380px;height:380px;stroke-width:2}`;

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

/** A rectangle so far from the edges. */
function inset(by: number): string {
  return `x="${by - width / 2}" y="${by - height / 2}" width="${width - 2 * by}" height="${height - 2 * by}"`;
}

function pageOf(sign: Sign | undefined): string {
  const middle =
    sign === undefined
      ? `<circle r="119" fill="var(--shade)" stroke="var(--shade)" stroke-width="2"/><path d="${moonPath("2026-11-21", 118)}" fill="var(--moon)" stroke="none"/>`
      : `<circle r="222" fill="var(--paper)" stroke="none"/>`;
  const radius = sign === undefined ? 214 : 330;
  return (
    `<!doctype html><meta charset="utf-8"><style>${style}${frame}</style><body class="hue ${sign ?? "plain"}">` +
    `<svg width="${width}" height="${height}" viewBox="${-width / 2} ${-height / 2} ${width} ${height}">` +
    `<clipPath id="inside"><rect ${inset(29)}/></clipPath>` +
    `<g clip-path="url(#inside)">${ring(radius, sign === undefined ? 1 : 1.25, sign)}</g>${middle}` +
    `<g stroke="var(--line)" fill="none"><rect ${inset(20)} stroke-width="3"/><rect ${inset(29)} stroke-width="1"/></g>` +
    `</svg>${sign === undefined ? "" : medal(sign).toString()}`
  );
}

/** What the page shows, dot by dot. */
async function dotsOf(page: Page): Promise<number[]> {
  const shown = (await page.screenshot()).toString("base64");
  return page.evaluate<number[]>(`(async () => {
    const picture = await createImageBitmap(await (await fetch("data:image/png;base64,${shown}")).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    return Array.from({ length: data.length / 4 }, (_, dot) =>
      (data[4 * dot] << 16) | (data[4 * dot + 1] << 8) | data[4 * dot + 2]);
  })()`);
}

const browser = await launchBrowser();
const page = await browser.newPage({ viewport: pictureSize });
mkdirSync(folder, { recursive: true });
for (const sign of [undefined, ...signs]) {
  await page.setContent(pageOf(sign));
  const picture = withFewColors(width, height, await dotsOf(page));
  writeFileSync(join(folder, `${sign ?? "site"}.png`), picture);
}
await browser.close();
