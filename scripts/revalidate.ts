// `almanac revalidate`: applies today's parsers, rules and templates to every stored answer. Without --apply it changes nothing.
import { countChanges } from "../publish/history/past-states.ts";
import { createPartReader } from "../publish/state/parts.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import { readState } from "../publish/state/state.ts";
import { utcMinute, addDays } from "../readings/calendar.ts";
import { isFurtherDraw, requestOf } from "../readings/request.ts";
import { addAttribution, type Define } from "./terminal/command.ts";
import { typedDate, pastDates } from "./terminal/dates.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { sayBatch, countsInWords, lackingIn, passedOverLines } from "./terminal/findings.ts";
import { attributionIn, requirePart, wrongDates, languagesIn } from "./terminal/options.ts";
import {
  figureOf,
  printAs,
  say,
  counted,
  firstLines,
  type Lines,
  plainLine,
  sentence,
  styled,
  tableLines,
} from "./terminal/output.ts";
import { progressOf } from "./terminal/progress.ts";
import { addressOf } from "../site/address.ts";
import type { Damaged } from "../vault/files.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { onTrial, openPublisher } from "../worker/publisher.ts";
import { now } from "../worker/settings/environment.ts";
import type { FileDifference } from "../insight/file-difference.ts";
import type { RevalidateProgress, ReadableAgain, Revalidated, RefusedAnswer } from "../insight/judge.ts";
import { type PageChanges, type PagesInput, pagesToday, withPaths } from "../insight/page-changes.ts";
import { acceptAgain, type AnswerFilter, revalidate } from "../insight/revalidate.ts";

export const define: Define = (command) => {
  addAttribution(command)
    .option("--languages <codes>", "Limit to these languages, such as en,hi", languagesIn)
    .option("--from <date>", "Limit to readings that begin on this local date or later", typedDate("--from"))
    .option("--to <date>", "Limit to readings that begin on this local date or earlier", typedDate("--to"))
    .option("--no-pages", "Validate only the responses, not the pages (faster)")
    .option("--apply", "Store responses that now pass, render and publish. Without it, nothing is written")
    .addHelpText(
      "after",
      `
It validates every stored response as if it arrived today, and lists stored responses that would be rejected, quarantined
responses that would be accepted, and the published pages that would change. --apply publishes these pages as \`almanac render\`
does, but removes no text. To remove one, run \`almanac withdraw\` with the listed page. Unreadable files are listed and skipped
(exit code 3). Readings of persons have no date and are always included.

Examples: test a changed rule; test Hindi since 1 November; publish the result:
  almanac revalidate --no-pages
  almanac revalidate --languages hi --from 2026-11-01
  almanac revalidate --languages hi --from 2026-11-01 --apply`,
    )
    .action(async ({ languages, from, to, pages: withPages, apply = false, by, reason, json }) => {
      if (apply && !withPages)
        throw new WrongUsage("--apply publishes pages and excludes --no-pages. Remove one of them");
      const opening = await requireOwnVault(await openSite());
      requirePart(opening.configuration, { languages });
      const dates = pastDates(from, to);
      await using publisher = await openPublisher(opening, "almanac revalidate", say, { isTrial: !apply });
      const { publishing } = publisher;
      const span = dates && {
        from: dates.from,
        to: dates.to ?? addDays(now().toISOString().slice(0, 10), 1),
      };
      const revalidated = await wrongDates(judged({ languages, dates: span }, publishing));
      const first = dates?.from ?? revalidated.first;
      const input: PagesInput = {
        languages: languages ?? opening.configuration.languages,
        ...(first !== undefined && { dates: { from: first, to: dates?.to } }),
        by: apply ? attributionIn({ by, reason }, opening.environment) : undefined,
        onBatch: sayBatch,
      };
      const pages = withPages ? await pagesOn(input, revalidated.readable, publishing, apply) : undefined;
      printAs(
        json,
        { applied: apply, ...revalidated, pages },
        revalidatedLines(revalidated, pages, { applied: apply, withPages }),
      );
      if (isIncomplete(revalidated, pages)) process.exitCode = exitCodes.incomplete;
    });
};

async function judged(wish: AnswerFilter, { configuration, vault, site }: Publishing) {
  using progress = progressOf("judged");
  const onProgress = ({ judged: count, set }: RevalidateProgress) =>
    progress.tell(`${figureOf(count)}, at ${set}`);
  const manifest = (await readState(site))?.manifest;
  const revalidated = await revalidate(wish, { configuration, vault, onProgress });
  return await withPaths(revalidated, { site, manifest, reader: createPartReader(site) }, vault);
}

/** The page changes. A trial also treats the answers that are readable again as stored. Undefined if nothing is published yet. */
async function pagesOn(
  input: PagesInput,
  readable: readonly ReadableAgain[],
  publishing: Publishing,
  apply: boolean,
): Promise<PageChanges | undefined> {
  if ((await readState(publishing.site)) === undefined) return undefined;
  const seen = apply ? publishing : onTrial(publishing, false).publishing;
  await acceptAgain(readable, seen.vault);
  return pagesToday(input, apply ? seen : onTrial(seen).publishing);
}

function isIncomplete({ damaged }: Revalidated, pages: PageChanges | undefined) {
  if (damaged.length > 0) return true;
  return pages !== undefined && lackingIn(pages.passedOver).length + pages.left + pages.pinned.length > 0;
}

/** Indentation of the line that counts the hidden items. */
const shownFirst = { indent: "    " };
/** Number of differences to show; each takes several lines. */
const mostDifferences = 12;

interface Showing {
  readonly applied: boolean;
  readonly withPages: boolean;
}

/** Counts first, then each answer with what to do about it, then what differs in the pages. */
export function revalidatedLines(
  revalidated: Revalidated,
  pages: PageChanges | undefined,
  showing: Showing,
): Lines {
  const { responses, superseded, quarantined, refused, readable, damaged } = revalidated;
  const others = superseded === 0 ? "" : `, ${figureOf(superseded)} superseded`;
  return [
    `validated: ${counted(responses, "stored response")}${others}, ${figureOf(quarantined)} in quarantine`,
    refusedLines(refused),
    readableLines(readable, showing),
    damaged.length > 0 && damagedLines(damaged),
    pages === undefined
      ? showing.withPages && "pages: none, because nothing is published yet"
      : pageLines(pages, showing),
  ];
}

/** Groups the refused answers by rule, because the question is what a new rule refuses. */
function refusedLines(refused: readonly RefusedAnswer[]): Lines {
  if (refused.length === 0) return "would be rejected today: none";
  const open = refused.filter(({ accepted }) => accepted === undefined);
  const shown = open.find(({ path }) => path !== undefined);
  const accepted = refused.length - open.length;
  return [
    styled("bold", `would be rejected today: ${counted(open.length, "response")}`),
    [...Map.groupBy(open, ({ rule }) => rule)].map(([rule, all]) => [
      `  ${styled("red", rule)}: ${figureOf(all.length)}`,
      firstLines(
        all,
        ({ key, reason, receivedAt, path }) => {
          const place = path === undefined ? "not on the site" : `on /${addressOf(path)}`;
          return said(key, `${reason}; received ${utcMinute(receivedAt)}, ${place}`);
        },
        shownFirst,
      ),
    ]),
    accepted > 0 &&
      `${counted(accepted, "accepted response")} would be rejected too, but ${accepted === 1 ? "stays" : "stay"} accepted`,
    shown !== undefined &&
      sentence(
        `next: published texts stay. To remove one: \`almanac withdraw ${nameOf(shown)} --reason ...\``,
      ),
  ];
}

/** Argument for `almanac withdraw`: the page's URL, or the request key of a further draw, because a deck's page has many texts. */
function nameOf({ key, path }: RefusedAnswer): string {
  const request = requestOf(key);
  const isDraw = request !== undefined && isFurtherDraw(request);
  return isDraw || path === undefined ? key : `/${addressOf(path)}`;
}

function readableLines(readable: readonly ReadableAgain[], { applied, withPages }: Showing): Lines {
  const [first] = readable;
  if (first === undefined) return "would be accepted today: none in quarantine";
  const head = applied ? "accepted from quarantine" : "in quarantine that would be accepted today";
  return [
    styled("bold", `${head}: ${counted(readable.length, "response")}`),
    firstLines(readable, ({ key, reason }) => said(key, `quarantined: ${reason}`), shownFirst),
    !applied &&
      withPages &&
      sentence(
        `next: --apply accepts all. To accept one: \`almanac quarantine accept ${first.key} --reason ...\``,
      ),
  ];
}

function damagedLines(damaged: readonly Damaged[]): Lines {
  return [
    styled("yellow", `skipped because unreadable: ${counted(damaged.length, "file")}`),
    firstLines(damaged, ({ file, reason }) => said(file, reason), shownFirst),
  ];
}

function pageLines(pages: PageChanges, { applied }: Showing): Lines {
  const { changes, files, version, passedOver, left, pinned, kinds, differences } = pages;
  const head = applied
    ? styled("green", `published version ${version}`)
    : styled("bold", "pages that would change");
  const [, ...kindLines] = tableLines(
    ["", ""],
    kinds.map(({ kind, files: count }) => [`  ${kind}`, count]),
  );
  return [
    changes.length === 0
      ? `pages: ${files === 0 ? "nothing to render" : `${counted(files, "file")} rendered without changes`}`
      : `${head}: ${countsInWords(countChanges(changes))}`,
    firstLines(kindLines, (line) => line, shownFirst),
    differenceLines(differences.filter(({ lines }) => lines.length > 0)),
    passedOverLines(passedOver),
    pinned.map(
      ({ language, at }) =>
        `${language} was skipped, because the rollback of ${utcMinute(at)} pins it. To remove the pin: \`almanac render --languages ${language}\``,
    ),
    left > 0 &&
      `${counted(left, "file")} left that the configuration no longer contains. To remove them: \`almanac render --yes\``,
    !applied &&
      changes.length > 0 &&
      sentence("next: nothing was written. To publish the changes, add --apply"),
  ];
}

function differenceLines(differences: readonly FileDifference[]): Lines {
  return firstLines(
    differences,
    ({ path, lines, more: rest }) => [
      styled("bold", path),
      lines.map((line) => styled(line.startsWith("-") ? "red" : "green", `  ${plainLine(line)}`)),
      rest > 0 && `  and ${figureOf(rest)} more`,
    ],
    { most: mostDifferences },
  );
}

function said(name: string, words: string): Lines {
  return [`    ${plainLine(name)}`, sentence(words, "      ")];
}
