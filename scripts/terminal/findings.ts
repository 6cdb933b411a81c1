// The findings of `verify` and `repair`, for a person at a terminal.
import type { SiteFinding } from "../../publish/mend/site-source.ts";
import { plainLine, styled } from "./output.ts";
import { wrap } from "./wrap.ts";

/** More lines would scroll the first ones away; --json has them all. */
const mostShown = 30;

export function findingLines(findings: readonly SiteFinding[], columns: number): string[] {
  const lines: string[] = [];
  for (const { path, expected, seen, remedy } of findings.slice(0, mostShown)) {
    lines.push(styled("bold", plainLine(path)));
    lines.push(`  expected  ${plainLine(expected)}`, `  seen      ${plainLine(seen)}`);
    lines.push(...wrap(`next: ${plainLine(remedy)}`, { language: "en", columns, indent: "  " }));
  }
  const more = findings.length - mostShown;
  return more > 0 ? [...lines, `and ${more} more: --json has them all`] : lines;
}

/** `1 file`, `1,204 files` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** `12.3 MB` */
export function sizeInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const figure = bytes / 1000 ** power;
  return `${power === 0 ? figure : figure.toFixed(1)} ${units[power] ?? ""}`;
}
