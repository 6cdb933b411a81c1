// What `almanac rejudge` found, for a person at a terminal: counts first, then each answer with what to do about it, then
// what differs in the pages.
import { countChanges } from "../../publish/history/past-states.ts";
import type { ReadableAgain, RefusedAnswer, Rejudged } from "../../insight/judge.ts";
import type { Damaged } from "../../vault/json.ts";
import type { FileDifference } from "../../insight/file-difference.ts";
import type { PageChanges } from "../../insight/page-changes.ts";
import { isFurtherDraw, requestOf } from "../../readings/request.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { countsInWords, passedOverLines } from "../terminal/findings.ts";
import {
  counted,
  figureOf,
  type Lines,
  plainLine,
  sentence,
  styled,
  tableLines,
} from "../terminal/output.ts";
import { addressOf } from "../../site/address.ts";

/** More lines would scroll the first ones away; --json has them all. */
const mostShown = 30;
/** The most differences to show, each of which has some lines. */
const mostDifferences = 12;

export interface Showing {
  readonly applied: boolean;
  readonly withPages: boolean;
}

export function rejudgedLines(rejudged: Rejudged, pages: PageChanges | undefined, showing: Showing): Lines {
  const { captures, standIns, setAside, refused, readable, damaged } = rejudged;
  const others = standIns === 0 ? "" : `, ${figureOf(standIns)} that stand in`;
  return [
    `judged: ${counted(captures, "answer")} kept${others}, ${figureOf(setAside)} set aside`,
    refusedLines(refused),
    readableLines(readable, showing),
    damaged.length > 0 && damagedLines(damaged),
    pages === undefined
      ? showing.withPages && "pages: none, for nothing is published yet"
      : pageLines(pages, showing),
  ];
}

/** The refused answers grouped by rule, because a person wants to know what a new rule refuses. */
function refusedLines(refused: readonly RefusedAnswer[]): Lines {
  if (refused.length === 0) return "would be refused today: none";
  const open = refused.filter(({ accepted }) => accepted === undefined);
  const shown = open.find(({ path }) => path !== undefined);
  const accepted = refused.length - open.length;
  return [
    styled("bold", `would be refused today: ${counted(open.length, "answer")}`),
    [...Map.groupBy(open, ({ rule }) => rule)].map(([rule, all]) => [
      `  ${styled("red", rule)}: ${figureOf(all.length)}`,
      firstOf(all, ({ key, reason, receivedAt, path }) => {
        const place = path === undefined ? "not on the site" : `on /${addressOf(path)}`;
        return said(key, `${reason}; received ${utcMinute(receivedAt)}, ${place}`);
      }),
    ]),
    accepted > 0 && `${counted(accepted, "answer")} more, which a person accepted: that stands`,
    shown !== undefined &&
      sentence(
        `next: they stay where they are shown: \`almanac withdraw ${nameOf(shown)} --reason ...\` takes one away`,
      ),
  ];
}

/** What `almanac withdraw` takes: a deck's page has many texts, so that a further draw goes by its request. */
function nameOf({ key, path }: RefusedAnswer): string {
  const request = requestOf(key);
  const isDraw = request !== undefined && isFurtherDraw(request);
  return isDraw || path === undefined ? key : `/${addressOf(path)}`;
}

function readableLines(readable: readonly ReadableAgain[], { applied, withPages }: Showing): Lines {
  const [first] = readable;
  if (first === undefined) return "would be kept today: none of those set aside";
  const head = applied ? "were set aside and are kept now" : "were set aside and would be kept today";
  return [
    styled("bold", `${head}: ${counted(readable.length, "answer")}`),
    firstOf(readable, ({ key, reason }) => said(key, `set aside as ${reason}`)),
    !applied &&
      withPages &&
      sentence(
        `next: with --apply they are kept; one alone: \`almanac quarantine accept ${first.key} --why ...\``,
      ),
  ];
}

function damagedLines(damaged: readonly Damaged[]): Lines {
  return [
    styled("yellow", `can't be read, and passed over: ${counted(damaged.length, "file")}`),
    firstOf(damaged, ({ file, reason }) => said(file, reason)),
  ];
}

function pageLines(pages: PageChanges, { applied }: Showing): Lines {
  const { changes, files, version, passedOver, left, held, kinds, differences } = pages;
  const head = applied
    ? styled("green", `version ${version} is published`)
    : styled("bold", "pages that would change");
  const kindRows = kinds.slice(0, mostShown).map(({ kind, files: count }) => [`  ${kind}`, count]);
  return [
    changes.length === 0
      ? `pages: ${counted(files, "file")} pressed, none of them different`
      : `${head}: ${countsInWords(countChanges(changes))}`,
    tableLines(["", ""], kindRows).slice(1),
    more(kinds.length),
    differenceLines(differences.filter(({ lines }) => lines.length > 0)),
    passedOverLines(passedOver),
    held.map(
      ({ language, at }) =>
        `${language} was rolled back at ${utcMinute(at)} and left out: \`almanac press --languages ${language}\` lets go of that`,
    ),
    left > 0 &&
      `${counted(left, "file")} that the configuration has dropped: \`almanac press --yes\` takes them away`,
    !applied && changes.length > 0 && sentence("next: nothing was written: --apply publishes this"),
  ];
}

function differenceLines(differences: readonly FileDifference[]): Lines {
  const left = differences.length - mostDifferences;
  return [
    differences
      .slice(0, mostDifferences)
      .map(({ path, lines, more: rest }) => [
        styled("bold", path),
        lines.map((line) => styled(line.startsWith("-") ? "red" : "green", `  ${plainLine(line)}`)),
        rest > 0 && `  and ${figureOf(rest)} more that differ`,
      ]),
    left > 0 && `and how ${counted(left, "file")} more differ: --json has it`,
  ];
}

function said(name: string, words: string): Lines {
  return [`    ${plainLine(name)}`, sentence(words, "      ")];
}

function firstOf<One>(all: readonly One[], linesFor: (one: One) => Lines): Lines {
  return [all.slice(0, mostShown).map(linesFor), more(all.length)];
}

function more(count: number): Lines {
  return count > mostShown && `    and ${figureOf(count - mostShown)} more: --json has them all`;
}
