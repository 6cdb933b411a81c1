// A table for a terminal under a dim head: columns as wide as they need to be, numbers to the right.
import { styled } from "./output.ts";

export type Cell = string | number;

export function tableLines(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const all: readonly (readonly Cell[])[] = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => String(row[column] ?? "").length)));
  const toTheRight = head.map((_, column) => rows.some((row) => typeof row[column] === "number"));
  const [title = "", ...lines] = all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const text = String(cell);
        return toTheRight[column] === true ? text.padStart(width) : text.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
  return [styled("dim", title), ...lines];
}
