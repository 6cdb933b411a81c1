// `almanac rejudge`: today's readers, gates and templates over every answer that was ever kept. Without --apply it only looks.
import { createPartReader } from "../../publish/state/parts.ts";
import type { Publishing } from "../../publish/state/publishing-place.ts";
import { readState } from "../../publish/state/state.ts";
import type { RejudgeProgress, ReadableAgain, Rejudged } from "../../insight/judge.ts";
import { acceptAgain, type AnswerFilter } from "../../insight/rejudge.ts";
import { type PageChanges, type PagesInput, pagesToday, withPaths } from "../../insight/page-changes.ts";
import { addDays } from "../../readings/periods.ts";
import { sayBatch } from "../terminal/findings.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { openSite, requireOwnVault } from "../../worker/opened-site.ts";
import { onTrial, openPublisher } from "../../worker/publisher.ts";
import { figureOf, printAs, say } from "../terminal/output.ts";
import { requirePart, wrongDates, languagesIn, wholeIn } from "../terminal/options.ts";
import { typedDate, pastDates } from "../terminal/dates.ts";
import { progressOf } from "../terminal/progress.ts";
import { rejudgedLines } from "./print.ts";
import { judgeAll } from "./threads.ts";
import { now } from "../../worker/settings/clock.ts";

export const define: Define = (command) => {
  command
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option("--from <date>", "only what begins on this local date or later", typedDate("--from"))
    .option("--to <date>", "and on this one or before", typedDate("--to"))
    .option("--no-pages", "judge the answers alone, which is quick")
    .option(
      "--threads <count>",
      "judge on so many threads; as many as make sense, unless said",
      wholeIn("--threads", { least: 1, most: 64 }),
    )
    .option("--apply", "keep what has become good, press and publish; otherwise nothing is written")
    .addHelpText(
      "after",
      `
Every answer in the vault is read and judged as if it came today: which that are kept would be refused, which that were set
aside would be kept, and which pages of the past would change, with what differs in them. --apply publishes that as
\`almanac press\` does; it takes no text away: \`almanac withdraw\` does, and each line says which page to name. A file that
can't be read is named and passed over (exit code 3). What has no date, a person's text, is judged whatever the dates.

Examples: a rule has changed; a reader was mended for Hindi; the same, published:
  almanac rejudge --no-pages
  almanac rejudge --languages hi --from 2026-11-01
  almanac rejudge --languages hi --from 2026-11-01 --apply`,
    )
    .action(async ({ languages, from, to, threads, pages: withPages, apply = false, json }) => {
      if (apply && !withPages) throw new WrongUsage("--apply publishes pages: leave --no-pages out");
      const opening = await openSite();
      requirePart(opening.configuration, { languages });
      const dates = pastDates(from, to);
      await requireOwnVault(opening);
      await using publisher = await openPublisher(opening, "almanac rejudge", say, { isTrial: !apply });
      const { publishing } = publisher;
      const span = dates && { from: dates.from, to: dates.to ?? tomorrow() };
      const rejudged = await wrongDates(judged({ languages, dates: span }, publishing, threads));
      const first = dates?.from ?? rejudged.first;
      const input: PagesInput = {
        languages: languages ?? opening.configuration.languages,
        ...(first !== undefined && { dates: { from: first, to: dates?.to } }),
        onBatch: sayBatch,
      };
      const pages = withPages ? await pagesOn(input, rejudged.readable, publishing, apply) : undefined;
      printAs(
        json,
        { applied: apply, ...rejudged, pages },
        rejudgedLines(rejudged, pages, { applied: apply, withPages }),
      );
      if (isLeftAside(rejudged, pages)) process.exitCode = exitCodes.setAside;
    });
};

/** Tomorrow's UTC date, which it is already somewhere. */
function tomorrow() {
  return addDays(now().toISOString().slice(0, 10), 1);
}

async function judged(
  wish: AnswerFilter,
  { configuration, vault, site }: Publishing,
  threads: number | undefined,
) {
  using progress = progressOf("judged");
  const onProgress = ({ judged: count, sheet }: RejudgeProgress) =>
    progress.tell(`${figureOf(count)}, at ${sheet}`);
  const manifest = (await readState(site))?.manifest;
  const rejudged = await judgeAll(wish, { configuration, vault, onProgress }, threads);
  return await withPaths(rejudged, { site, manifest, reader: createPartReader(site) }, vault);
}

/** The page changes; a trial, too, sees the readable answers as if they were kept. Undefined where nothing is published yet. */
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

function isLeftAside({ damaged }: Rejudged, pages: PageChanges | undefined) {
  if (damaged.length > 0) return true;
  return pages !== undefined && pages.passedOver.length + pages.left + pages.held.length > 0;
}
