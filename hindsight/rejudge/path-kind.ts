// What kind of file a path is, with its names taken out: a changed template changes thousands of files of few kinds.
import { isLanguage } from "../../readings/languages.ts";
import { isSign } from "../../readings/signs.ts";

/** `en/daily/leo/2026-11-21/index.html` is a `{lang}/daily/{sign}/{key}/index.html`. */
export function pathKindOf(path: string): string {
  return path.split("/").map(kindOfSegment).join("/");
}

function kindOfSegment(segment: string): string {
  const [name = "", ...rest] = segment.split(".");
  const ending = rest.length === 0 ? "" : `.${rest.join(".")}`;
  if (isLanguage(name)) return `{lang}${ending}`;
  if (isSign(name)) return `{sign}${ending}`;
  const pair = name.split("-");
  if (pair.length === 2 && pair.every(isSign)) return `{a}-{b}${ending}`;
  if (/^[0-9a-f]{64}$/.test(name)) return `{sha256}${ending}`;
  return name.replace(/\d{4}(?:-\d{2}){0,2}$/, "{key}") + ending;
}
