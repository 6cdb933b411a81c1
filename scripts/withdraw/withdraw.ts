// `almanac withdraw`: one published text is taken away, recorded and for good, or comes back.
import { countChanges } from "../../publish/history/past-states.ts";
import type { Publishing } from "../../publish/state/publishing-place.ts";
import { bringBack, NoSingleText, type Republished, textOn, withdraw } from "../../publish/withdraw.ts";
import { readWithheld, type Withdrawal } from "../../vault/withheld.ts";
import { type ReadingRequest, requestKey, requestOf } from "../../readings/request.ts";
import { textOnPath } from "../../site/shown-texts.ts";
import { changeLines } from "../terminal/change-lines.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { openSite } from "../../worker/opened-site.ts";
import { openPublisher } from "../../worker/publisher.ts";
import { personIn, required } from "../terminal/options.ts";
import { print, printAs, printJson, say } from "../terminal/output.ts";
import { pathIn } from "../terminal/published-path.ts";
import { copyLines, withdrawalLines, undoLines, wordsFor } from "./print.ts";

export const define: Define = (command) => {
  command
    .argument(
      "[path]",
      "of the page or the JSON file of one text, or its address; with --undo also its request",
    )
    .option("--reason <text>", "kept with the record")
    .option("--by <name>", "who says so (the user of this machine unless said)")
    .option("--undo", "bring it back")
    .option("--list", "what is withdrawn")
    .option("--dry-run", "list every path that would change, and change nothing")
    .addHelpText(
      "after",
      `
It is gone at once and stays away in the nights to come, also if the text is gathered again. The other eleven signs of its
sheet stay. Copies in caches live on for a while: it says which addresses to purge.

Examples: a complaint about today's Leo, then a change of mind:
  almanac withdraw /en/daily/leo/ --reason "complaint of 21 November"
  almanac withdraw --list
  almanac withdraw --undo /en/daily/leo/`,
    )
    .action(async (path, { reason, by, undo = false, list = false, dryRun = false, json = false }) => {
      if (undo && (reason ?? by) !== undefined)
        throw new WrongUsage("--undo keeps no record: leave --reason and --by out");
      const opening = await openSite();
      const withdrawn = (await readWithheld(opening.vault.store)).note.withdrawn;
      if (list) {
        return printAs(json, { withdrawn }, withdrawalLines(withdrawn));
      }
      const purpose = "almanac withdraw";
      await using publisher = await openPublisher(opening, { purpose, say, isTrial: dryRun });
      const { publishing, written } = publisher;
      const named = required(path, "name the path or address of a text");
      const done = undo
        ? await takeBack(named, withdrawn, publishing)
        : await takeAway(named, { reason, by }, withdrawn, publishing);
      const { record, wasThere, result } = done;
      const { site, publishing: keeping } = opening.configuration;
      if (result.passedOver.length > 0) process.exitCode = exitCodes.setAside;
      if (json) {
        const { changes, ...rest } = result;
        const plan = dryRun ? changes : undefined;
        return printJson({ dryRun, undo, withdrawal: record, ...rest, changes: countChanges(changes), plan });
      }
      print(
        written && changeLines(result.changes, written),
        undo ? undoLines(record, result, dryRun) : wordsFor(record, wasThere, result, dryRun),
        !undo && !dryRun && copyLines(result, site.url, keeping.keepDays),
      );
    });
};

interface Done {
  readonly record: Withdrawal;
  /** Whether it was withdrawn before: then that record stands. */
  readonly wasThere: boolean;
  readonly result: Republished;
}

async function takeAway(
  named: string,
  said: { readonly reason: string | undefined; readonly by: string | undefined },
  withdrawn: readonly Withdrawal[],
  publishing: Publishing,
): Promise<Done> {
  const path = pathIn(named, publishing.configuration.site.url);
  const reason = required(said.reason, "say why with --reason: it is kept with the record");
  const by = personIn(said.by);
  const shown = textOnPath(path);
  const own = shown?.kind === "text" && !shown.isAll ? requestKey(shown.request) : undefined;
  const before = withdrawn.find((one) => one.key === own);
  const request = (before && requestOf(before.key)) ?? (await requestAt(path, publishing));
  const key = requestKey(request);
  const known = withdrawn.find((one) => one.key === key);
  const record = known ?? { key, path, reason, by, at: publishing.now().toISOString() };
  return { record, wasThere: known !== undefined, result: await withdraw(record, request, publishing) };
}

async function requestAt(path: string, publishing: Publishing): Promise<ReadingRequest> {
  try {
    return await textOn(path, publishing);
  } catch (error) {
    if (error instanceof NoSingleText) throw new WrongUsage(error.message);
    throw error;
  }
}

async function takeBack(
  named: string,
  withdrawn: readonly Withdrawal[],
  publishing: Publishing,
): Promise<Done> {
  const record = recorded(named, withdrawn, publishing);
  const request = requestOf(record.key);
  if (request === undefined) throw new WrongUsage(`${record.key} is no request that this version knows`);
  return { record, wasThere: true, result: await bringBack(request, publishing) };
}

function recorded(named: string, withdrawn: readonly Withdrawal[], publishing: Publishing): Withdrawal {
  const byKey = withdrawn.find(({ key }) => key === named);
  if (byKey !== undefined) return byKey;
  const path = pathIn(named, publishing.configuration.site.url);
  const shown = textOnPath(path);
  const own = shown?.kind === "text" && !shown.isAll ? requestKey(shown.request) : undefined;
  const found = withdrawn.filter((one) => one.path === path || one.key === own);
  const [record, other] = found;
  if (record === undefined) {
    throw new WrongUsage(`${path} is not withdrawn: \`almanac withdraw --list\` shows what is`);
  }
  if (other === undefined) return record;
  throw new WrongUsage(
    `${path} was withdrawn ${found.length} times: name one by its request, ${found.map(({ key }) => key).join(" or ")}`,
  );
}
