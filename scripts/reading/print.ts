// A reading for a person at a terminal: its parts, wrapped to the width.
import type { Reading } from "../../readings/reading.schema.ts";
import { type Format, plainLine, styled } from "../terminal/output.ts";
import { type ReadingPart, partsOf, titleOf } from "./parts.ts";
import { englishName } from "./request.ts";
import { wrap, type Wrapping } from "../terminal/wrap.ts";

export function readingLines(reading: Reading, notes: readonly string[], columns: number): string[] {
  const { language, operation } = reading;
  const wrapping = { language, columns, indent: "  " };
  return [
    ...wrap(plainLine(titleOf(reading)), { language, columns }).map((line) => styled("bold", line)),
    styled("dim", `${operation}, ${englishName(language)}`),
    ...partsOf(reading).flatMap((part) => linesOfPart(part, "cyan", wrapping)),
    ...linesOfPart({ heading: "Notes", items: notes }, "yellow", { ...wrapping, language: "en" }),
  ];
}

function linesOfPart(part: ReadingPart, format: Format, wrapping: Wrapping) {
  const { heading, paragraphs = [], items = [], lines = [] } = part;
  if (paragraphs.length + items.length + lines.length === 0) return [];
  const wrapped = (text: string) => wrap(plainLine(text), wrapping);
  return [
    "",
    styled(format, plainLine(heading)),
    ...paragraphs.flatMap((text) => [[""], wrapped(text)].flat()).slice(1),
    ...items.flatMap(wrapped),
    ...lines.map((line) => `  ${plainLine(line)}`),
  ];
}
