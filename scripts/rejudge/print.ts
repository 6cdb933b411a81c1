// What `almanac rejudge` found, for a person at a terminal: counts first, then each answer with what to do about it, then
// what differs in the pages.
import { countChanges } from "../../publish/history/past-states.ts";
import type { ReadableAgain, RefusedAnswer, Rejudged } from "../../hindsight/rejudge/answer.ts";
import type { Damaged } from "../../vault/json.ts";
import type { FileDifference } from "../../hindsight/rejudge/file-difference.ts";
import type { PageChanges } from "../../hindsight/rejudge/page-changes.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { countsInWords, passedOverLines } from "../terminal/change-lines.ts";
import { counted } from "../terminal/findings.ts";
import { type Format, plainLine, styled } from "../terminal/output.ts";
import { tableLines } from "../terminal/table.ts";
import { wrap } from "../terminal/wrap.ts";
import { addressOf } from "../../site/address.ts";

/** More lines would scroll the first ones away; --json has them all. */
const mostShown = 30;
/** The most differences to show, each of which has some lines. */
const mostDifferences = 12;

export interface Showing {
  readonly applied: boolean;
  readonly withPages: boolean;
  readonly columns: number;
}

export function rejudgedLines(
  rejudged: Rejudged,
  pages: PageChanges | undefined,
  showing: Showing,
): string[] {
  const { captures, standIns, setAside, refused, readable, damaged } = rejudged;
  const others = standIns === 0 ? "" : `, ${standIns.toLocaleString("en")} that stand in`;
  return [
    `judged: ${counted(captures, "answer")} kept${others}, ${setAside.toLocaleString("en")} set aside`,
    ...refusedLines(refused, showing.columns),
    ...readableLines(readable, showing),
    ...damagedLines(damaged, showing.columns),
    ...(pages === undefined ? noPages(showing) : pageLines(pages, showing)),
  ];
}

function refusedLines(refused: readonly RefusedAnswer[], columns: number): string[] {
  if (refused.length === 0) return ["would be refused today: none"];
  const open = refused.filter(({ accepted }) => accepted === undefined);
  const shown = open.find(({ path }) => path !== undefined);
  return [
    styled("bold", `would be refused today: ${counted(open.length, "answer")}`),
    ...byRule(open, "red", columns, ({ path }) =>
      path === undefined ? "not on the site" : `on /${addressOf(path)}`,
    ),
    ...(open.length < refused.length
      ? [`${counted(refused.length - open.length, "answer")} more, which a person accepted: that stands`]
      : []),
    ...(shown?.path === undefined
      ? []
      : next(
          `they stay where they are shown: \`almanac withdraw /${addressOf(shown.path)} --reason ...\` takes one away`,
          columns,
        )),
  ];
}

function readableLines(
  readable: readonly ReadableAgain[],
  { applied, columns, withPages }: Showing,
): string[] {
  if (readable.length === 0) return ["would be kept today: none of those set aside"];
  const [first] = readable;
  const heads = applied ? "were set aside and are kept now" : "were set aside and would be kept today";
  const told = readable
    .slice(0, mostShown)
    .flatMap(({ key, reason }) => said(key, `set aside as ${reason}`, columns));
  const words = `with --apply they are kept; one alone: \`almanac quarantine accept ${first?.key} --why ...\``;
  return [
    styled("bold", `${heads}: ${counted(readable.length, "answer")}`),
    ...told,
    ...more(readable.length),
    ...(applied || !withPages ? [] : next(words, columns)),
  ];
}

function damagedLines(damaged: readonly Damaged[], columns: number): string[] {
  if (damaged.length === 0) return [];
  return [
    styled("yellow", `can't be read, and passed over: ${counted(damaged.length, "file")}`),
    ...damaged.slice(0, mostShown).flatMap(({ file, reason }) => said(file, reason, columns)),
    ...more(damaged.length),
  ];
}

/** The refused answers grouped by rule, because a person wants to know what a new rule refuses. */
function byRule(
  refused: readonly RefusedAnswer[],
  format: Format,
  columns: number,
  place: (one: RefusedAnswer) => string,
): string[] {
  const lines: string[] = [];
  for (const [rule, all] of Map.groupBy(refused, (one) => one.rule)) {
    lines.push(`  ${styled(format, rule)}: ${all.length.toLocaleString("en")}`);
    for (const one of all.slice(0, mostShown)) {
      const words = `${one.reason}; received ${utcMinute(one.receivedAt)}, ${place(one)}`;
      lines.push(...said(one.key, words, columns));
    }
    lines.push(...more(all.length));
  }
  return lines;
}

function noPages({ withPages }: Showing): string[] {
  return withPages ? ["pages: none, for nothing is published yet"] : [];
}

function pageLines(pages: PageChanges, { applied, columns }: Showing): string[] {
  const { changes, files, version, passedOver, left, held, kinds, differences } = pages;
  const counts = countsInWords(countChanges(changes));
  const head = applied
    ? `${styled("green", `version ${version} is published`)}: ${counts}`
    : `${styled("bold", "pages that would change")}: ${counts}`;
  return [
    ...(changes.length === 0 ? [`pages: ${counted(files, "file")} pressed, none of them different`] : [head]),
    ...tableLines(
      ["", ""],
      kinds.slice(0, mostShown).map(({ kind, files: count }) => [`  ${kind}`, count]),
    ).slice(1),
    ...more(kinds.length),
    ...differenceLines(differences),
    ...passedOverLines(passedOver),
    ...held.map(
      ({ language, at }) =>
        `${language} was rolled back at ${utcMinute(at)} and left out: \`almanac press --languages ${language}\` lets go of that`,
    ),
    ...(left === 0
      ? []
      : [
          `${counted(left, "file")} that the configuration has dropped: \`almanac press --yes\` takes them away`,
        ]),
    ...(applied || changes.length === 0 ? [] : next("nothing was written: --apply publishes this", columns)),
  ];
}

function differenceLines(differences: readonly FileDifference[]): string[] {
  const told = differences.filter(({ lines }) => lines.length > 0);
  const all: string[] = [];
  for (const { path, lines, more: rest } of told.slice(0, mostDifferences)) {
    all.push(styled("bold", path));
    for (const line of lines)
      all.push(styled(line.startsWith("-") ? "red" : "green", `  ${plainLine(line)}`));
    if (rest > 0) all.push(`  and ${rest.toLocaleString("en")} more that differ`);
  }
  const left = told.length - mostDifferences;
  if (left > 0) all.push(`and how ${counted(left, "file")} more differ: --json has it`);
  return all;
}

function said(name: string, words: string, columns: number): string[] {
  return [`    ${plainLine(name)}`, ...wrap(plainLine(words), { language: "en", columns, indent: "      " })];
}

function next(words: string, columns: number): string[] {
  return wrap(`next: ${words}`, { language: "en", columns });
}

function more(count: number): string[] {
  return count > mostShown
    ? [`    and ${(count - mostShown).toLocaleString("en")} more: --json has them all`]
    : [];
}
