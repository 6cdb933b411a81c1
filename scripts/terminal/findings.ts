// The findings of `verify` and `repair`, for a person at a terminal.
import type { SiteFinding } from "../../publish/mend/site-source.ts";
import { type Lines, plainLine, sentence, styled } from "./output.ts";

/** More lines would scroll the first ones away; --json has them all. */
const mostShown = 30;

export function findingLines(findings: readonly SiteFinding[]): Lines {
  const more = findings.length - mostShown;
  return [
    findings
      .slice(0, mostShown)
      .map(({ path, expected, seen, remedy }) => [
        styled("bold", plainLine(path)),
        plainLine(`  expected  ${expected}`),
        plainLine(`  seen      ${seen}`),
        sentence(`next: ${remedy}`, "  "),
      ]),
    more > 0 && `and ${more} more: --json has them all`,
  ];
}

/** `1 file`, `1,204 files` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figureOf(count)} ${count === 1 ? one : many}`;
}

/** `1,204` */
export function figureOf(count: number): string {
  return count.toLocaleString("en");
}

/** `12.3 MB` */
export function sizeInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const figure = bytes / 1000 ** power;
  return `${power === 0 ? figure : figure.toFixed(1)} ${units[power] ?? ""}`;
}
