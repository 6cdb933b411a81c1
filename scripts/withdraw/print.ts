// What `almanac withdraw` did, for a person at a terminal.
import { countChanges } from "../../publish/history/past-states.ts";
import type { BroughtBack, Republished } from "../../publish/withdraw.ts";
import type { Returned, Withdrawal } from "../../vault/withheld.ts";
import { Address } from "../../site/address.ts";
import { textOnPath } from "../../site/shown-texts.ts";
import { requestKey, requestOf } from "../../readings/request.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { countsInWords, passedOverLines } from "../terminal/findings.ts";
import { counted, type Lines, plainLine, styled, tableLines } from "../terminal/output.ts";

export function withdrawalLines(withdrawn: readonly Withdrawal[], returned: readonly Returned[]): Lines {
  return [
    withdrawn.length === 0 ? "nothing is withdrawn" : withdrawnTable(withdrawn),
    returned.length > 0 && returnedTable(returned),
  ];
}

function returnedTable(all: readonly Returned[]): Lines {
  const rows = all.map(({ returned: { at, by }, path, key, reason }) => [
    utcMinute(at),
    plainLine(by),
    path,
    key,
    plainLine(reason),
  ]);
  return tableLines(["brought back", "by", "path", "request", "reason of the withdrawal"], rows);
}

function withdrawnTable(withdrawn: readonly Withdrawal[]): Lines {
  const rows = withdrawn.map(({ at, by, path, key, reason }) => [
    utcMinute(at),
    plainLine(by),
    path,
    key,
    plainLine(reason),
  ]);
  return tableLines(["when", "by", "path", "request", "reason"], rows);
}

export function wordsFor(
  { key, path, at, by, reason }: Withdrawal,
  wasThere: boolean,
  { version, changes, passedOver }: Republished,
  dryRun: boolean,
): Lines {
  return [
    wasThere && plainLine(`${key} was withdrawn already, at ${utcMinute(at)} by ${by}: ${reason}`),
    !dryRun && [
      changes.length === 0
        ? `the site shows nothing of it and stays at version ${version}`
        : [
            styled("green", `${key} is withdrawn: version ${version}`),
            `  ${countsInWords(countChanges(changes))}`,
          ],
      passedOverLines(passedOver),
      `to bring it back: almanac withdraw --undo ${keyOnPath(path) === undefined ? key : path}`,
    ],
  ];
}

/** What a publish can't reach. */
export function copyLines({ changes }: Republished, siteUrl: string, keepDays: number): string[] {
  const gone = changes.filter(({ reason }) => reason === "gone");
  if (gone.length === 0) return [];
  const root = siteUrl.replace(/\/?$/, "/");
  return [
    "caches may show these for up to a day: purge them",
    ...gone.map(({ path }) => `  ${Address.own(root, path).href}`),
    `earlier states hold it under its hash until \`almanac gc\` takes them, ${counted(keepDays, "day")} from now`,
  ];
}

export function undoLines({ key }: Withdrawal, result: BroughtBack, dryRun: boolean): Lines {
  const { version, changes, passedOver, isShown } = result;
  const counts = changes.length > 0 && `  ${countsInWords(countChanges(changes))}`;
  const state = changes.length > 0 ? `version ${version}` : `the site stays at version ${version}`;
  return [
    !dryRun && [
      isShown
        ? styled("green", `${key} is back: ${state}`)
        : `${key} is withdrawn no longer, and the site does not show it: ${state}`,
      counts,
      !isShown && `  ${absenceWords(key, result)}`,
    ],
    passedOverLines(passedOver),
  ];
}

function absenceWords(key: string, { isHeld }: BroughtBack): string {
  const language = requestOf(key)?.language ?? "";
  return isHeld
    ? `a rollback holds it: \`almanac press --languages ${language}\` publishes what was taken back`
    : `it shows another text by now, or the vault does not have this one: \`almanac why ${key}\` says which`;
}

/** The key of the text that a path shows for good; a path without a date shows another one tomorrow. */
export function keyOnPath(path: string): string | undefined {
  const shown = textOnPath(path);
  return shown?.kind === "text" && !shown.isAll ? requestKey(shown.request) : undefined;
}
