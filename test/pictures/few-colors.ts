// Writes a picture as a PNG of at most sixteen colours, which for a drawing are enough and take a third of the room.
import { crc32, deflateSync } from "node:zlib";
import type { Page } from "playwright-core";

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Palette sizes that fit into four bits per pixel. */
type Colors = 8 | 16;

/** Each pixel is a number with eight bits each for red, green and blue. Two pixels share a byte, so the width is even. */
function withFewColors(width: number, height: number, dots: readonly number[], most: Colors): Buffer {
  const palette = paletteOf(dots, most);
  const nearest = new Map<number, number>();
  const indexAt = (dot: number) => {
    const color = dots[dot] ?? 0;
    const index = nearest.get(color) ?? nearestIn(palette, color);
    nearest.set(color, index);
    return index;
  };
  const length = width / 2 + 1;
  const rows = Buffer.alloc(height * length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 2) {
      const dot = y * width + x;
      rows[y * length + 1 + x / 2] = (indexAt(dot) << 4) | indexAt(dot + 1);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3, 0, 0, 0], 8); // four bits that are a place in the palette
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
function paletteOf(dots: readonly number[], most: Colors): number[] {
  const counts = new Map<number, number>();
  for (const color of dots) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette: number[] = [];
  for (const [color] of [...counts].sort(([one, many], [other, more]) => more - many || one - other)) {
    if (palette.length === most) break;
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

/** The page as a picture with few colors. */
export async function pictureOf(page: Page, { width, height }: Size, most: Colors): Promise<Buffer> {
  return withFewColors(width, height, await dotsOf(page), most);
}

/** The page's pixels. */
async function dotsOf(page: Page): Promise<number[]> {
  const shown = (await page.screenshot()).toString("base64");
  const read = await page.evaluate<string>(`(async () => {
    const picture = await createImageBitmap(await (await fetch("data:image/png;base64,${shown}")).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    return new Uint8Array(data.buffer).toBase64();
  })()`);
  const data = Buffer.from(read, "base64");
  return Array.from({ length: data.length / 4 }, (_, dot) => data.readUIntBE(4 * dot, 3));
}
