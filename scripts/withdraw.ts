// `almanac withdraw`: removes one published text permanently and records why, or restores it.
import { countChanges } from "../publish/history/past-states.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import {
  NoSingleText,
  textOn,
  bringBack,
  type BroughtBack,
  type Republished,
  withdraw,
} from "../publish/withdraw.ts";
import { utcMinute } from "../readings/calendar.ts";
import { type ReadingRequest, requestKey, requestOf } from "../readings/request.ts";
import { Address, isFolder } from "../site/address.ts";
import { dataPathOf, ownPaths, passingPaths, textOnPath } from "../site/paths.ts";
import type { Store } from "../store/store.ts";
import type { Attribution } from "../vault/journal.ts";
import { readWithheld, type Withdrawal } from "../vault/withheld.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher, type Publisher } from "../worker/publisher.ts";
import { addAttribution, type Define } from "./terminal/command.ts";
import { WrongUsage } from "./terminal/errors.ts";
import { changeResult, countsInWords, passedOverLines } from "./terminal/findings.ts";
import { attributionIn, pathIn, required, wrongWhere } from "./terminal/options.ts";
import {
  type CommandResult,
  counted,
  type Lines,
  plainLine,
  printResult,
  say,
  styled,
  tableLines,
} from "./terminal/output.ts";

export const define: Define = (command) => {
  addAttribution(command)
    .argument(
      "[path]",
      "Path or URL of the text's page or JSON file, or its request key (required for extra deck cards). The text need not be published yet",
    )
    .option("--undo", "Restore a withdrawn text")
    .option("--list", "List the withdrawn texts")
    .option("--dry-run", "List the paths that would change, and change nothing")
    .addHelpText(
      "after",
      `
The text is removed at once, and no later run publishes it again. The other eleven signs of its set stay. Caches may show it for a
while: the command lists the URLs to purge. A text that is not published yet is never published.

Examples: withdraw today's Leo; stop a later one; list the withdrawn texts; restore the text:
  almanac withdraw /en/daily/leo/ --reason "complaint of 21 November"
  almanac withdraw /en/daily/leo/2026-11-22/ --reason "wrong tone"
  almanac withdraw --list
  almanac withdraw --undo /en/daily/leo/ --by editor`,
    )
    .action(async (path, { reason, by, undo = false, list = false, dryRun = false, json }) => {
      const opening = await requireOwnVault(await openSite());
      if (list) return printResult(json, await listWithdrawn(opening.vault.own));
      await using publisher = await openPublisher(opening, "almanac withdraw", say, {
        isTrial: dryRun,
        forgets: false,
      });
      const attribution = attributionIn({ by, reason }, opening.environment);
      const named = required(
        path,
        "missing argument <path>. Give the path or URL of a text: `almanac withdraw /en/daily/leo/ --reason ...`",
      );
      printResult(
        json,
        undo
          ? await undoWithdrawal(named, attribution, publisher)
          : await withdrawText(named, attribution, publisher),
      );
    });
};

async function listWithdrawn(vault: Store): Promise<CommandResult> {
  const { withdrawn } = (await readWithheld(vault)).note;
  const rows = withdrawn.map(({ at, by, path, key, reason }) => [
    utcMinute(at),
    plainLine(by),
    path,
    key,
    plainLine(reason),
  ]);
  const head = ["when", "by", "path", "request", "reason"];
  return {
    document: { withdrawn },
    lines: withdrawn.length === 0 ? "no text is withdrawn" : tableLines(head, rows),
  };
}

/** Withdraws the text on a path. */
export async function withdrawText(
  named: string,
  said: Attribution,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const dryRun = written !== undefined;
  const { withdrawn } = (await readWithheld(publishing.vault.own)).note;
  const { record, wasThere, result } = await takeAway(
    named,
    dryRun ? { ...said, reason: said.reason ?? "dry run" } : said,
    withdrawn,
    publishing,
  );
  const { site, publishing: keeping } = publishing.configuration;
  return changeResult({ undo: false, withdrawal: record, ...result }, result, written, [
    withdrawnLines(record, wasThere, result, dryRun),
    !dryRun && copyLines(result, site.url, keeping.keepDays),
  ]);
}

/** Brings a withdrawn text back. */
export async function undoWithdrawal(
  named: string,
  by: Attribution,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const { withdrawn } = (await readWithheld(publishing.vault.own)).note;
  const record = recorded(named, withdrawn, publishing);
  const request = requestOf(record.key);
  if (request === undefined)
    throw new WrongUsage(`this version does not know the request key "${record.key}"`);
  const result = await bringBack(request, by, publishing);
  const lines = broughtBackLines(record, result, written !== undefined);
  return changeResult({ undo: true, withdrawal: record, ...by, ...result }, result, written, lines);
}

async function takeAway(
  named: string,
  said: Attribution,
  withdrawn: readonly Withdrawal[],
  publishing: Publishing,
) {
  const keyed = textNamed(named);
  const path = keyed?.path ?? pathIn(named, publishing.configuration.site.url);
  const reason = required(
    said.reason,
    'missing option --reason. Give a reason for the record, such as --reason "complaint of 21 November"',
  );
  const own = keyed === undefined ? keyOnPath(path) : named;
  const before = withdrawn.find((one) => one.key === own);
  const request =
    (before && requestOf(before.key)) ??
    keyed?.request ??
    (await wrongWhere(NoSingleText, textOn(path, publishing)));
  const key = requestKey(request);
  // A text that is already withdrawn keeps its first record.
  const known = withdrawn.find((one) => one.key === key);
  const record = known ?? { key, path, reason, by: said.by, at: publishing.now().toISOString() };
  const result = await withdraw(record, request, publishing).catch(async (error: unknown) => {
    if (await isRecorded(key, publishing.vault.own)) say(unpublishedWords(named, request));
    throw error;
  });
  return { record, wasThere: known !== undefined, result };
}

/** Names a path with a date, because a page without one may show another text by then. */
function unpublishedWords(named: string, request: ReadingRequest): string {
  const text = dataPathOf(request) ?? named;
  return (
    `the withdrawal of ${requestKey(request)} is recorded, but the site may still show the text. ` +
    `Fix the error, then run \`almanac withdraw ${text} --reason ...\` again`
  );
}

/** False also if the vault cannot be read. */
function isRecorded(key: string, vault: Store): Promise<boolean> {
  return readWithheld(vault).then(
    ({ note }) => note.withdrawn.some((one) => one.key === key),
    () => false,
  );
}

/** The text with this request key. A further draw has no path of its own. Its deck shows it. */
function textNamed(named: string) {
  const request = requestOf(named);
  if (request === undefined) return undefined;
  const own = ownPaths(request);
  return { request, path: own.find(isFolder) ?? own[0] ?? passingPaths(request, false)[0] ?? "" };
}

function recorded(named: string, withdrawn: readonly Withdrawal[], publishing: Publishing): Withdrawal {
  const byKey = withdrawn.find(({ key }) => key === named);
  if (byKey !== undefined) return byKey;
  const path = pathIn(named, publishing.configuration.site.url);
  const own = keyOnPath(path);
  const found = withdrawn.filter((one) => one.path === path || one.key === own);
  const [record, other] = found;
  if (record === undefined) {
    throw new WrongUsage(`${path} is not withdrawn. \`almanac withdraw --list\` lists the withdrawn texts`);
  }
  if (other === undefined) return record;
  throw new WrongUsage(
    `${path} was withdrawn ${found.length} times. Name one by its request key: ${found.map(({ key }) => key).join(" or ")}`,
  );
}

function withdrawnLines(
  { key, path, at, by, reason }: Withdrawal,
  wasThere: boolean,
  { version, changes, passedOver }: Republished,
  dryRun: boolean,
): Lines {
  return [
    wasThere && plainLine(`${key} is already withdrawn, since ${utcMinute(at)} by ${by}: ${reason}`),
    dryRun && changes.length === 0 && "no path would change: the site does not show the text",
    !dryRun && [
      changes.length === 0
        ? `${key} withdrawn: the site does not show it and stays at version ${version}`
        : [
            styled("green", `${key} withdrawn: published version ${version}`),
            `  ${countsInWords(countChanges(changes))}`,
          ],
      passedOverLines(passedOver),
      `to restore it: \`almanac withdraw --undo ${keyOnPath(path) === undefined ? key : path}\``,
    ],
  ];
}

/** Copies that a publish can't remove: in caches, and in earlier states. */
export function copyLines({ changes }: Republished, siteUrl: string, keepDays: number): string[] {
  const gone = changes.filter(({ reason }) => reason === "gone");
  if (gone.length === 0) return [];
  const root = siteUrl.replace(/\/?$/, "/");
  return [
    "purge these URLs, because caches may show them for up to a day:",
    ...gone.map(({ path }) => `  ${Address.own(root, path).href}`),
    "caches may show the other changed pages for five minutes",
    `earlier versions contain the text until \`almanac gc\` deletes them, ${counted(keepDays, "day")} from now`,
  ];
}

function broughtBackLines({ key }: Withdrawal, result: BroughtBack, dryRun: boolean): Lines {
  const { version, changes, passedOver, isShown } = result;
  const counts = changes.length > 0 && `  ${countsInWords(countChanges(changes))}`;
  const state = changes.length > 0 ? `published version ${version}` : `the site stays at version ${version}`;
  return [
    !dryRun && [
      isShown
        ? styled("green", `${key} restored: ${state}`)
        : `${key} is no longer withdrawn, but the site does not show it: ${state}`,
      counts,
      !isShown && `  ${absenceWords(key, result)}`,
    ],
    passedOverLines(passedOver),
  ];
}

function absenceWords(key: string, { isPinned }: BroughtBack): string {
  const language = requestOf(key)?.language ?? "";
  return isPinned
    ? `a rollback pins its set. To publish it: \`almanac render --languages ${language}\``
    : `the site shows another text, or the vault does not contain this one. \`almanac why ${key}\` reports which`;
}

/** The key of the text that a path shows permanently; a path without a date shows another text tomorrow. */
function keyOnPath(path: string): string | undefined {
  const shown = textOnPath(path);
  return shown?.kind === "text" && !shown.isAll ? requestKey(shown.request) : undefined;
}
