// A browser's screenshot as a small PNG: flat drawings need few colours, and one byte a dot instead of three or four.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const mostColors = 64;

export function withFewColors(png: Buffer): Buffer {
  const { width, height, dots } = read(png);
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

/** The dots of a screenshot, eight bits each of red, green and blue, with or without an opaque fourth. */
function read(png: Buffer): { width: number; height: number; dots: Uint32Array } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const lines = inflateSync(Buffer.concat(parts));
  const length = width * channels;
  const dots = new Uint32Array(width * height);
  let before = Buffer.alloc(length);
  for (let y = 0; y < height; y += 1) {
    const start = y * (length + 1);
    const line = Buffer.from(lines.subarray(start + 1, start + 1 + length));
    unfilter(lines[start] ?? 0, line, before, channels);
    for (let x = 0; x < width; x += 1) {
      const [red = 0, green = 0, blue = 0] = line.subarray(x * channels, x * channels + 3);
      dots[y * width + x] = (red << 16) | (green << 8) | blue;
    }
    before = line;
  }
  return { width, height, dots };
}

/** As the PNG specification has it: each byte was written as its difference from what stands around it. */
function unfilter(filter: number, line: Buffer, above: Buffer, channels: number): void {
  for (let index = 0; index < line.length; index += 1) {
    const left = index < channels ? 0 : (line[index - channels] ?? 0);
    const up = above[index] ?? 0;
    const corner = index < channels ? 0 : (above[index - channels] ?? 0);
    const expected = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    line[index] = ((line[index] ?? 0) + expected) & 255;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) => Math.abs(left + up - corner - one));
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner;
}

/** The most frequent colours that are not all but the same as one already taken. */
function paletteOf(dots: Uint32Array): number[] {
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
