// `almanac repair`: repairs the published site, and reports damage that it could not repair.
import { acceptState, recordOverride, StateNotAccepted } from "../publish/repair/current-state.ts";
import { type Repaired, repair } from "../publish/repair/repair.ts";
import { attributionIn, wrongWhere } from "./terminal/options.ts";
import { addAttribution, type Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { counted, type Lines, type CommandResult, printResult, say, styled } from "./terminal/output.ts";
import { findingLines } from "./terminal/findings.ts";
import { type Attribution, guards } from "../vault/journal.ts";
import { reidentify } from "../vault/installation.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher, type Publisher } from "../worker/publisher.ts";

export const define: Define = (command) => {
  addAttribution(command)
    .option("--dry-run", "List the repairs, and change nothing")
    .option("--yes", "Also delete orphaned files if they are an unusually large share of the site")
    .option(
      "--accept <manifest>",
      "Accept the published manifest with this hash, if the vault was restored from a copy older than the site",
    )
    .option("--new-vault", "Assign this vault to the site, if the previous vault is lost")
    .addHelpText(
      "after",
      `
It finishes an interrupted publish, restores missing and damaged files from copies or from the vault, and deletes orphaned
files under the site's paths. If something else changed the site, it continues from the version that this vault published last.
It makes no call, and changes nothing on a sound site.

Example: list the repairs:
  almanac repair --dry-run`,
    )
    .action(async ({ dryRun = false, yes = false, accept, newVault = false, json, ...said }) => {
      const opening = await openSite();
      const by = () => attributionIn(said, opening.environment);
      await using publisher = await openPublisher(opening, "almanac repair", say, {
        isTrial: dryRun,
        forgets: false,
      });
      const { publishing } = publisher;
      const { vault, site } = publishing;
      if (newVault) {
        const person = by();
        await reidentify({ vault, site });
        // A vault with a record would not be a lost one any more, so the record comes second.
        await recordOverride(publishing, guards.vault, person);
      }
      if (accept !== undefined) {
        await requireOwnVault(opening);
        await wrongWhere(StateNotAccepted, acceptState(publishing, accept, by()));
      }
      printResult(json, await repairSite(yes, publisher, by));
    });
};

/** Repairs the published site. */
export async function repairSite(
  evenMany: boolean,
  { publishing, written }: Publisher,
  by: () => Attribution,
): Promise<CommandResult> {
  const dryRun = written !== undefined;
  const repaired = await repair(publishing, evenMany, by);
  const { lost, unusual } = repaired;
  return {
    document: { ...repaired, dryRun, unusual: unusual?.message ?? null },
    lines: repairLines(repaired, dryRun),
    said: unusual?.message,
    code: lost.length === 0 && unusual === undefined ? exitCodes.done : exitCodes.failed,
  };
}

function repairLines({ version, repairs, lost }: Repaired, dryRun: boolean): Lines {
  const deeds = repairs.map(({ path, deed, reason }) => `${deed.padEnd(9)}  ${path}  (${reason})`);
  const would = dryRun ? "would be repaired" : "repaired";
  const count = repairs.length === 0 ? "nothing to repair" : `${counted(repairs.length, "file")} ${would}`;
  const end = `version ${version}: ${count}`;
  if (lost.length === 0) return [deeds, styled("green", end)];
  const verdict = styled("red", `${counted(lost.length, "file")} could not be repaired`);
  return [deeds, findingLines(lost), "", end, verdict];
}
