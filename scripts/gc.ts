// `almanac gc`: removes files that no kept state of the site needs.
import {
  bytesOf,
  type FreedFiles,
  cleanUpSite,
  type CleanUpPlan,
  planCleanUp,
} from "../publish/history/clean-up.ts";
import { recordOverride } from "../publish/repair/current-state.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import { unusualRemoval } from "../publish/render/leaving-paths.ts";
import { addAttribution, type Define } from "./terminal/command.ts";
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
import { attributionIn, wholeIn } from "./terminal/options.ts";
import { type Attribution, guards } from "../vault/journal.ts";
import { noteSuccess } from "./terminal/findings.ts";
import { progressOf } from "./terminal/progress.ts";

const hourMs = 60 * 60_000;
/** A publish may take an hour from its first file to its last. */
const leastGraceHours = 2;
const mostGraceHours = 24 * 365;
const unusual =
  "an unusual share of these files was written within publishing.keepDays. To delete them, add --yes";

export const define: Define = (command) => {
  addAttribution(command)
    .option("--dry-run", "List the files with reasons, and delete nothing")
    .option(
      "--yes",
      "Delete even if an unusually large share of the files was written in the last publishing.keepDays days",
    )
    .option(
      "--grace-hours <number>",
      "Keep files that were written within this many hours. Default: 24",
      wholeIn("--grace-hours", { least: leastGraceHours, most: mostGraceHours }),
    )
    .addHelpText(
      "after",
      `
It keeps all versions of the last publishing.keepDays days, so that you can roll back to them. It is safe to run during a publish.

Example: list the files to delete, and their size:
  almanac gc --dry-run`,
    )
    .action(async ({ dryRun = false, yes = false, json, graceHours = 24, ...said }) => {
      const opening = await requireOwnVault(await openSite());
      await using publisher = await openPublisher(opening, "almanac gc", say, {
        isTrial: dryRun,
        signs: false,
      });
      const by = () => attributionIn(said, opening.environment);
      const result = await cleanUp({ yes, dryRun, graceHours, by }, publisher.publishing);
      printResult(json, result);
      if (!dryRun) await noteSuccess(opening, "gc", publisher.publishing.now());
    });
};

interface CleanUpOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly graceHours: number;
  /** Called only if the person overrides the guard. */
  readonly by: () => Attribution;
}

/** Removes or lists the files that no kept state needs. */
export async function cleanUp(
  { yes, dryRun, graceHours, by }: CleanUpOptions,
  publishing: Publishing,
): Promise<CommandResult> {
  const { keepDays, unusualShare } = publishing.configuration.publishing;
  const plan = await planCleanUp(publishing, { keepDays, graceMs: graceHours * hourMs });
  // Garbage older than keepDays counts neither way: no publish and no rollback can need it.
  const needed = plan.all.files - plan.removals.length + plan.recent;
  const refusal = unusualRemoval(plan.recent, needed, unusualShare);
  if (dryRun) {
    return {
      document: { dryRun, ...documentOf(plan), removals: plan.removals },
      lines: [
        plan.removals.map(({ key, sizeBytes, reason }) => `${key}  ${sizeInWords(sizeBytes)}  (${reason})`),
        planLines(plan),
        refusal !== undefined && unusual,
      ],
    };
  }
  if (refusal !== undefined && !yes) throw refusal;
  if (refusal !== undefined) await recordOverride(publishing, guards.removal, by());
  using progress = progressOf("deleted");
  const freed = await cleanUpSite(publishing, plan, (done) => progress.show(done, plan.removals.length));
  return {
    document: { dryRun, ...documentOf(plan), freed },
    lines: [planLines(plan), freedLine(freed)],
  };
}

function documentOf({ removals, all, young, reached }: CleanUpPlan) {
  const states = reached.states.map(({ hash, manifest, supersededAt }) => {
    return { manifest: hash, version: manifest.version, supersededAt: supersededAt?.toISOString() ?? null };
  });
  return { all, planned: { files: removals.length, bytes: bytesOf(removals) }, young, kept: states };
}

function planLines(plan: CleanUpPlan): Lines {
  const { all, planned, young, kept } = documentOf(plan);
  const versions = kept.map(({ version }) => version);
  const [newest, oldest] = [versions[0] ?? 0, versions.at(-1) ?? 0];
  const span = newest === oldest ? `version ${newest}` : `versions ${oldest} to ${newest}`;
  const used = all.files - planned.files - young;
  return [
    `${counted(all.files, "file")}, ${sizeInWords(all.bytes)}: ${counted(used, "file")} in use by ${counted(kept.length, "version")} (${span}), ${counted(young, "file")} unused but too new to delete`,
    `to delete: ${counted(planned.files, "file")}, ${sizeInWords(planned.bytes)}`,
  ];
}

function freedLine({ files, bytes, spared }: FreedFiles) {
  const but =
    spared === 0 ? "" : `; ${counted(spared, "file")} kept: in use, or renewed or deleted in the meantime`;
  return styled("green", `deleted ${counted(files, "file")}, freed ${sizeInWords(bytes)}${but}`);
}
