// The type of a picture by its first bytes, whatever the server calls it. SVG is never taken: it can carry scripts.
import type { PictureEnding } from "../../site/tree.ts";

export function pictureType(bytes: Uint8Array): PictureEnding | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  const start = text(0, 8);
  if (start === "\u0089PNG\r\n\u001A\n") return "png";
  if (start.startsWith("\u00FF\u00D8\u00FF")) return "jpg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "gif";
  if (start.startsWith("RIFF") && text(8, 12) === "WEBP") return "webp";
  return undefined;
}
