// `almanac gc`: removes files that no kept state of the site needs.
import {
  bytesOf,
  type FreedFiles,
  cleanUpSite,
  type CleanUpPlan,
  planCleanUp,
} from "../publish/history/clean-up.ts";
import type { Publishing } from "../publish/state/publishing-place.ts";
import { requireUsual } from "../publish/render/unusual-removal.ts";
import type { Define } from "./terminal/command.ts";
import {
  counted,
  sizeInWords,
  type Lines,
  type CommandResult,
  printResult,
  say,
  styled,
} from "./terminal/output.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher } from "../worker/publisher.ts";
import { wholeIn } from "./terminal/options.ts";
import { noteSuccess } from "./terminal/findings.ts";
import { progressOf } from "./terminal/progress.ts";

const hourMs = 60 * 60_000;
/** A publish may take an hour from its first file to its last. */
const leastGraceHours = 2;
const mostGraceHours = 24 * 365;
const unusual = "an unusual share of these was written within publishing.keepDays: without --yes, gc refuses";

export const define: Define = (command) => {
  command
    .option("--dry-run", "list what would be removed, with the reason of each, and remove nothing")
    .option("--yes", "remove files even if an unusual share of them was written within keepDays")
    .option(
      "--grace-hours <number>",
      "leave alone what was written within so many hours (24 unless said)",
      wholeIn("--grace-hours", { least: leastGraceHours, most: mostGraceHours }),
    )
    .addHelpText(
      "after",
      `
States that were superseded within publishing.keepDays are kept whole, to be rolled back to. It is safe beside a publish.

Example: see what would go, and how much room that makes:
  almanac gc --dry-run`,
    )
    .action(async ({ dryRun = false, yes = false, json, graceHours = 24 }) => {
      const opening = await openSite();
      await requireOwnVault(opening);
      await using publisher = await openPublisher(opening, "almanac gc", say, {
        isTrial: dryRun,
        signs: false,
      });
      const result = await cleanUp({ yes, dryRun, graceHours }, publisher.publishing);
      printResult(json, result);
      if (!dryRun) await noteSuccess(opening, "gc", publisher.publishing.now());
    });
};

interface CleanUpOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly graceHours: number;
}

/** Removes or lists the files that no kept state needs. */
export async function cleanUp(
  { yes, dryRun, graceHours }: CleanUpOptions,
  publishing: Publishing,
): Promise<CommandResult> {
  const { keepDays, unusualShare } = publishing.configuration.publishing;
  const plan = await planCleanUp(publishing, { keepDays, graceMs: graceHours * hourMs });
  // Garbage older than keepDays counts neither way: no publish and no rollback can need it.
  const needed = plan.all.files - plan.removals.length + plan.recent;
  const isUsual = plan.recent <= needed * unusualShare;
  if (dryRun) {
    return {
      document: { dryRun, ...documentOf(plan), removals: plan.removals },
      lines: [plan.removals.map(lineOf), planLines(plan), !isUsual && unusual],
    };
  }
  if (!yes) requireUsual(plan.recent, needed, unusualShare);
  const freed = await removed(plan, publishing);
  return {
    document: { dryRun, ...documentOf(plan), freed },
    lines: [planLines(plan), freedLine(freed)],
  };
}

async function removed(plan: CleanUpPlan, publishing: Publishing) {
  using progress = progressOf("removed");
  return await cleanUpSite(publishing, plan, (done) => progress.show(done, plan.removals.length));
}

function documentOf({ removals, all, young, reached }: CleanUpPlan) {
  const states = reached.states.map(({ hash, manifest, supersededAt }) => {
    return { manifest: hash, version: manifest.version, supersededAt: supersededAt?.toISOString() ?? null };
  });
  return { all, planned: { files: removals.length, bytes: bytesOf(removals) }, young, kept: states };
}

function lineOf({ key, sizeBytes, reason }: CleanUpPlan["removals"][number]) {
  return `${key}  ${sizeInWords(sizeBytes)}  (${reason})`;
}

function planLines(plan: CleanUpPlan): Lines {
  const { all, planned, young, kept } = documentOf(plan);
  const versions = kept.map(({ version }) => version);
  const [newest, oldest] = [versions[0] ?? 0, versions.at(-1) ?? 0];
  const span = newest === oldest ? `version ${newest}` : `versions ${oldest} to ${newest}`;
  const used = all.files - planned.files - young;
  return [
    `${counted(all.files, "file")}, ${sizeInWords(all.bytes)}: ${counted(used, "file")} in use by ${counted(kept.length, "state")} (${span}), ${counted(young, "file")} unused but young`,
    `to remove: ${counted(planned.files, "file")}, ${sizeInWords(planned.bytes)}`,
  ];
}

function freedLine({ files, bytes, spared }: FreedFiles) {
  const but = spared === 0 ? "" : `; ${counted(spared, "file")} spared: in use, renewed or gone by then`;
  return styled("green", `removed ${counted(files, "file")}, ${sizeInWords(bytes)} freed${but}`);
}
