// Any text that there is, for fast-check.
import fc, { type StringConstraints } from "fast-check";

const surrogates = { from: 0xd800, count: 0x800 };

/** Equivalent to `fc.string({ unit: "binary" })`, without its list of all characters, which takes a second and a half per process. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(characterAt, placeOf);

export function anyText(constraints: Pick<StringConstraints, "minLength" | "maxLength"> = {}) {
  return fc.string({ unit: anyCharacter, ...constraints });
}

function characterAt(place: number): string {
  return String.fromCodePoint(place < surrogates.from ? place : place + surrogates.count);
}

/** Throws where it is no single character, as fast-check wants it. */
function placeOf(character: unknown): number {
  const [only = "", ...more] = typeof character === "string" ? character : "";
  const point = only.codePointAt(0);
  if (point === undefined || more.length > 0 || !only.isWellFormed())
    throw new Error("not one whole character");
  return point < surrogates.from ? point : point - surrogates.count;
}
