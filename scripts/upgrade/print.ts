// What `almanac upgrade --check` says to a person.
import {
  counted,
  figureOf,
  sizeInWords,
  type Lines,
  plainLine,
  sentence,
  styled,
  tableLines,
} from "../terminal/output.ts";
import type { ChangedKindOfFile, Comparison } from "./comparison.ts";
import type { Problem } from "./outlook.schema.ts";

const mostShown = 20;

export function upgradeLines(
  { from, to, names, problems, problemsBefore, read, pages }: Comparison,
  install: string,
): Lines {
  const gone = names.flatMap((each) => each.gone.map((name) => `${each.of}: ${name}`));
  const added = names.flatMap((each) => each.new.map((name) => `${each.of}: ${name}`));
  return [
    styled("bold", `from ${from} to ${to}`),
    problems.length === 0 ? styled("green", "refuses nothing of this project") : problemLines(problems),
    problemsBefore.length > 0 && `wrong already, with ${from}: \`almanac check\` says what`,
    read > 0 && `looked at ${counted(read, "file")} of the vault`,
    listed("gone", gone),
    listed("new", added),
    pageLines(pages),
    `next: ${styled("bold", install)}`,
  ];
}

function problemLines(problems: readonly Problem[]): Lines {
  return [
    styled("red", `refuses, or warns of, ${counted(problems.length, "thing")}`),
    problems.slice(0, mostShown).map(({ of, what }) => sentence(`${of}: ${what}`, "  ")),
    more(problems.length),
  ];
}

function listed(word: string, all: readonly string[]): Lines {
  if (all.length === 0) return `${word}: nothing`;
  return [`${word}:`, all.slice(0, mostShown).map((one) => `  ${plainLine(one)}`), more(all.length)];
}

function pageLines(pages: readonly ChangedKindOfFile[] | undefined): Lines {
  if (pages === undefined) return "pages: nothing is published, or it can't be pressed";
  if (pages.length === 0) return "pages: none would change";
  const rows = pages
    .slice(0, mostShown)
    .map((one) => [`  ${one.kind}`, one.new, one.changed, one.gone, growth(one.growsBytes)]);
  const bytes = pages.reduce((sum, { growsBytes }) => sum + growsBytes, 0);
  return [
    `pages: its first publish would change these, ${growth(bytes)} in all`,
    tableLines(["  kind", "new", "changed", "gone", "size"], rows),
    more(pages.length),
  ];
}

function growth(bytes: number): string {
  return `${bytes < 0 ? "-" : "+"}${sizeInWords(Math.abs(bytes))}`;
}

function more(count: number): Lines {
  return count > mostShown && `  and ${figureOf(count - mostShown)} more: --json has them all`;
}
