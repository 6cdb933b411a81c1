// A picture as a small PNG: flat drawings need few colours, and one byte a dot instead of three or four.
import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const mostColors = 64;

/** Each dot is a number of red, green and blue, eight bits each. */
export function withFewColors(width: number, height: number, dots: readonly number[]): Buffer {
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
