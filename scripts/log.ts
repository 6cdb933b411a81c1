// `almanac log`: the published states, newest first, each as soon as it is read.
import { history, type PastState } from "../publish/history/past-states.ts";
import { minuteOf, utcMinute } from "../readings/calendar.ts";
import { countsInWords, tellRefusedState } from "./terminal/findings.ts";
import type { Define } from "./terminal/command.ts";
import { unlessDamaged } from "../vault/files.ts";
import { readWithheld } from "../vault/withheld.ts";
import { openSite } from "../worker/opened-site.ts";
import { wholeIn } from "./terminal/options.ts";
import { type Lines, plainLine, print, printAs, sentence, styled } from "./terminal/output.ts";

const usualLimit = 20;

export const define: Define = (command) => {
  command
    .option(
      "--limit <number>",
      `Number of versions. Default: ${usualLimit}`,
      wholeIn("--limit", { least: 1, most: 1_000_000 }),
    )
    .addHelpText(
      "after",
      `
Each line counts the changes since the version before. \`almanac rollback\` accepts a version, or the beginning of its
manifest's hash. Earlier versions are kept for publishing.keepDays days. Then \`almanac gc\` deletes them.

Example: list the last five versions:
  almanac log --limit 5`,
    )
    .action(async ({ limit = usualLimit, json }) => {
      const opening = await openSite();
      const refused = await tellRefusedState(opening);
      const states: PastState[] = [];
      const rollbacks = await unlessDamaged(async () => (await readWithheld(opening.vault.own)).rollbacks());
      for await (const state of history(opening.site, rollbacks)) {
        if (!json) print(states.length === 0 && headLines(state), stateLines(state));
        states.push(state);
        if (states.length === limit) break;
      }
      const older = olderThan(states.at(-1));
      printAs(json, { states, older, refused }, endLines(states.length, older));
    });
};

type Older = "none" | "more" | "removed";

function olderThan(last: PastState | undefined): Older {
  if (last === undefined || last.parent === "none") return "none";
  return last.parent === "removed" ? "removed" : "more";
}

function headLines({ version, publishedAt, expires }: PastState): Lines {
  const since =
    publishedAt === undefined ? "is published" : `has been published since ${utcMinute(publishedAt)}`;
  const until =
    expires === undefined ? "" : `. Clients reject it from ${utcMinute(expires)} unless a worker renews it`;
  return [
    sentence(`version ${version} ${since}${until}`),
    "",
    styled("dim", "version  as of (UTC)       manifest      run"),
  ];
}

const indent = " ".repeat("version  ".length);

function stateLines({ version, asOf, manifest, run, rolledBackTo, changes }: PastState): Lines {
  const when = minuteOf(asOf);
  const by = rolledBackTo === undefined ? run : `${run} to version ${rolledBackTo}`;
  const head = `${styled("bold", String(version).padStart(7))}  ${when}  ${styled("cyan", manifest.slice(0, 12))}  ${plainLine(by)}`;
  const words = changes === undefined ? "its changes are no longer known" : countsInWords(changes);
  return [head, sentence(words, indent)];
}

function endLines(shown: number, older: Older): Lines {
  if (shown === 0) return "nothing is published yet. Run `almanac local` or `almanac nightly`";
  return [
    older === "more" && styled("dim", `older versions: \`almanac log --limit ${shown * 2}\``),
    older === "removed" && styled("dim", "`almanac gc` deleted older versions"),
  ];
}
