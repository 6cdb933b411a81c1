// An icon file (favicon.ico) made of a PNG, which it may hold as it stands.
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The size of a PNG, from its first chunk; undefined for bytes that are none. */
export function pngSize(bytes: Uint8Array): PictureSize | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 24 || !file.subarray(0, 8).equals(signature)) return undefined;
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

const widest = 256;

/** Undefined for what is no PNG, or too large. */
export function iconOf(png: Uint8Array): Uint8Array | undefined {
  const size = pngSize(png);
  if (size === undefined || size.width > widest || size.height > widest) return undefined;
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon, not a pointer
  head.writeUInt16LE(1, 4); // of one picture
  head.writeUInt8(size.width % widest, 6); // 256 is written as 0
  head.writeUInt8(size.height % widest, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
