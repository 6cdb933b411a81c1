// `almanac withdraw`: one published text is taken away, recorded and for good, or comes back.
import { countChanges } from "../../publish/history/past-states.ts";
import type { Publishing } from "../../publish/state/publishing-place.ts";
import { NoSingleText, textOn } from "../../publish/text-on-path.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import { readWithheld, type Withdrawal } from "../../vault/withheld.ts";
import { isFurtherDraw, requestKey, requestOf } from "../../readings/request.ts";
import { pathOf } from "../../site/paths.ts";
import { changeLines } from "../terminal/findings.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { openSite, requireOwnVault } from "../../worker/opened-site.ts";
import { openPublisher, type Publisher } from "../../worker/publisher.ts";
import type { Store } from "../../store/store.ts";
import { wrongWhere, personIn, required, pathIn } from "../terminal/options.ts";
import { type CommandResult, printResult, say } from "../terminal/output.ts";
import { copyLines, keyOnPath, withdrawalLines, undoLines, wordsFor } from "./print.ts";

export const define: Define = (command) => {
  command
    .argument(
      "[path]",
      "of the page or the JSON file of one text, or its address; with --undo also its request, and of a deck's further draw always that",
    )
    .option("--reason <text>", "why it goes, for the record")
    .option("--by <name>", "who says so (the user of this machine unless said)")
    .option("--undo", "bring it back")
    .option("--list", "what is withdrawn")
    .option("--dry-run", "list every path that would change, and change nothing")
    .addHelpText(
      "after",
      `
The text is gone at once and stays away in the nights to come, even if it is gathered again. The other eleven signs of its
sheet stay. Copies in caches live on for a while: the command names the addresses to purge.

Examples: a complaint about today's Leo, then a change of mind:
  almanac withdraw /en/daily/leo/ --reason "complaint of 21 November"
  almanac withdraw --list
  almanac withdraw --undo /en/daily/leo/ --by editor`,
    )
    .action(async (path, { reason, by, undo = false, list = false, dryRun = false, json }) => {
      if (undo && reason !== undefined) throw new WrongUsage("--undo takes no reason: leave --reason out");
      const opening = await openSite();
      if (list) return printResult(json, await listWithdrawn(opening.vault.store));
      await requireOwnVault(opening);
      await using publisher = await openPublisher(opening, "almanac withdraw", say, {
        isTrial: dryRun,
        forgets: false,
      });
      const named = required(path, "name the path or address of a text");
      printResult(
        json,
        undo
          ? await undoWithdrawal(named, by, publisher)
          : await withdrawText(named, { reason, by }, publisher),
      );
    });
};

export async function listWithdrawn(vault: Store): Promise<CommandResult> {
  const { withdrawn, returned = [] } = (await readWithheld(vault)).note;
  return { document: { withdrawn, returned }, lines: withdrawalLines(withdrawn, returned) };
}

interface SaidOfText {
  readonly reason: string | undefined;
  readonly by: string | undefined;
}

/** Takes the text on a path away. */
export async function withdrawText(
  named: string,
  said: SaidOfText,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const dryRun = written !== undefined;
  const { withdrawn } = (await readWithheld(publishing.vault.store)).note;
  const { record, wasThere, result } = await takeAway(named, said, withdrawn, publishing);
  const { site, publishing: keeping } = publishing.configuration;
  const { changes, passedOver } = result;
  const document = { dryRun, undo: false, withdrawal: record, ...result, changes: countChanges(changes) };
  return {
    document: { ...document, plan: dryRun ? changes : undefined },
    lines: [
      written && changeLines(changes, written),
      wordsFor(record, wasThere, result, dryRun),
      !dryRun && copyLines(result, site.url, keeping.keepDays),
    ],
    code: passedOver.length > 0 ? exitCodes.setAside : exitCodes.done,
  };
}

/** Brings a withdrawn text back. */
export async function undoWithdrawal(
  named: string,
  by: string | undefined,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const dryRun = written !== undefined;
  const { withdrawn } = (await readWithheld(publishing.vault.store)).note;
  const record = recorded(named, withdrawn, publishing);
  const request = requestOf(record.key);
  if (request === undefined) throw new WrongUsage(`${record.key} is no request that this version knows`);
  const person = personIn(by);
  const result = await bringBack(request, person, publishing);
  const { changes, passedOver } = result;
  const document = { dryRun, undo: true, withdrawal: record, by: person, ...result };
  return {
    document: { ...document, changes: countChanges(changes), plan: dryRun ? changes : undefined },
    lines: [written && changeLines(changes, written), undoLines(record, result, dryRun)],
    code: passedOver.length > 0 ? exitCodes.setAside : exitCodes.done,
  };
}

async function takeAway(
  named: string,
  said: SaidOfText,
  withdrawn: readonly Withdrawal[],
  publishing: Publishing,
) {
  const draw = drawNamed(named);
  const path = draw?.path ?? pathIn(named, publishing.configuration.site.url);
  const reason = required(said.reason, "say why with --reason: it is kept with the record");
  const by = personIn(said.by);
  const own = draw === undefined ? keyOnPath(path) : named;
  const before = withdrawn.find((one) => one.key === own);
  const request =
    draw?.request ??
    (before && requestOf(before.key)) ??
    (await wrongWhere(NoSingleText, textOn(path, publishing)));
  const key = requestKey(request);
  // What was withdrawn before has its record, which stands.
  const known = withdrawn.find((one) => one.key === key);
  const record = known ?? { key, path, reason, by, at: publishing.now().toISOString() };
  return { record, wasThere: known !== undefined, result: await withdraw(record, request, publishing) };
}

/** A further draw has no path of its own: it is named by its request, and its deck's path stands in the record. */
function drawNamed(named: string) {
  const request = requestOf(named);
  if (request === undefined || !isFurtherDraw(request)) return undefined;
  const { language, operation } = request;
  return { request, path: pathOf({ row: "deckData", language, operation }) };
}

function recorded(named: string, withdrawn: readonly Withdrawal[], publishing: Publishing): Withdrawal {
  const byKey = withdrawn.find(({ key }) => key === named);
  if (byKey !== undefined) return byKey;
  const path = pathIn(named, publishing.configuration.site.url);
  const own = keyOnPath(path);
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
