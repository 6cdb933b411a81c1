// What a theme costs readers: the heaviest page of each kind, how much of it is the theme's, and the files that come besides.
import { gzipSync } from "node:zlib";
import { typeOf } from "../../../site/draft.ts";
import { pathOf } from "../../../site/paths.ts";
import type { TextPiece, Theme } from "../../../site/theme/theme.ts";
import type { SamplePage } from "./sample-pages.ts";

/** The bytes that a server sends in one round trip (ten packets). */
export const mostPageBytes = 14_336;

export interface PageWeight {
  readonly kind: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** How much lighter it is without the theme. */
  readonly moreBytes: number;
}

/** The heaviest page of each kind, the heaviest first. `plain` are the same pages without the theme. */
export function pageWeights(themed: readonly SamplePage[], plain: readonly SamplePage[]): PageWeight[] {
  const without = new Map(plain.map(({ path, bytes }) => [path, bytes]));
  const weighed = themed.map(({ kind, path, bytes }): PageWeight => {
    const sizeBytes = gzipSync(bytes).length;
    const other = without.get(path);
    const moreBytes = other === undefined ? 0 : sizeBytes - gzipSync(other).length;
    return { kind, path, sizeBytes, moreBytes };
  });
  const sorted = weighed.toSorted((one, other) => other.sizeBytes - one.sizeBytes);
  return [...Map.groupBy(sorted, ({ kind }) => kind).values()].flatMap(([heaviest]) => heaviest ?? []);
}

/** What of the theme stands in pages, the heaviest first. */
export function inlineWeights({ slots, styles }: Theme): { file: string; sizeBytes: number }[] {
  return [...styles, ...slots]
    .map(({ file, pieces }) => ({ file, sizeBytes: gzipSync(textOf(pieces)).length }))
    .toSorted((one, other) => other.sizeBytes - one.sizeBytes);
}

function textOf(pieces: readonly TextPiece[]) {
  return pieces.map((piece) => (typeof piece === "string" ? piece : "")).join("");
}

const kinds = [
  ["script", /javascript/],
  ["font", /^font\//],
  ["picture", /^image\//],
  ["stylesheet", /css/],
] as const;

/** "2 pictures of 700 bytes, 1 font of 20,000 bytes", or "no files besides". */
export function filesTold({ files }: Theme): string {
  const told = kinds.flatMap(([kind, type]) => {
    const own = files.filter(({ at }) => type.test(typeOf(pathOf(at))));
    const sizeBytes = own.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return own.length === 0 ? [] : [`${countTold(own.length, kind)} of ${bytesTold(sizeBytes)}`];
  });
  return told.length === 0 ? "no files besides" : told.join(", ");
}

export function bytesTold(sizeBytes: number): string {
  return countTold(sizeBytes, "byte");
}

/** `1 byte`, `1,204 bytes` */
export function countTold(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}
