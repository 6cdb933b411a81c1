// `almanac correct`: replaces one text, or one paragraph of it, and records by whom and why. The stored response stays as it is.
import { readFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { text as textIn } from "node:stream/consumers";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { differenceOf } from "../insight/file-difference.ts";
import { changeTo, correctableText, publishCorrection, recordCorrection, undo } from "../publish/correct.ts";
import { countChanges } from "../publish/history/past-states.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import { NoSingleText, textOn } from "../publish/withdraw.ts";
import { areSame } from "../readings/corrections.ts";
import { type ReadingRequest, requestOf, setName } from "../readings/request.ts";
import { reviewOf } from "../readings/review.ts";
import { textOnPath } from "../site/paths.ts";
import type { Attribution } from "../vault/journal.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher, type Publisher } from "../worker/publisher.ts";
import { addAttribution, type Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { changeResult, countsInWords, passedOverLines } from "./terminal/findings.ts";
import { type Ask, asking, isTerminal } from "./terminal/interview.ts";
import { attributionIn, pathIn, required, wholeIn, wrongWhere } from "./terminal/options.ts";
import { type CommandResult, type Lines, printResult, say, styled } from "./terminal/output.ts";

export const define: Define = (command) => {
  addAttribution(command)
    .argument("<text>", "Request key, or path or URL of the text's page or JSON file")
    .option("--field <name>", "Text to replace, such as personal or past.summary, if there are several")
    .option(
      "--paragraph <number>",
      "Replace only this paragraph",
      wholeIn("--paragraph", { least: 1, most: 999 }),
    )
    .option("--from <file>", "Read the new text from a file; - reads stdin. Default: open $EDITOR")
    .option("--undo", "Publish the original text again")
    .option("--override", "Publish the new text although it breaks a validation rule")
    .option("--dry-run", "Show the difference and the paths that would change, and change nothing")
    .option("--yes", "Don't ask for confirmation")
    .addHelpText(
      "after",
      `
Each line of the new text is a paragraph. The text is published at once, and no later run changes it. The vault keeps the original. If
the service sends another text for the same request, the correction no longer applies, and \`almanac status\` lists it.

Examples: correct a section of today's Leo in the editor; undo that:
  almanac correct /en/daily/leo/ --field personal --reason "wrong gender"
  almanac correct --undo /en/daily/leo/ --field personal --reason "was right"`,
    )
    .action(async (named, { reason, by, dryRun = false, yes = false, json, ...options }) => {
      const opening = await requireOwnVault(await openSite());
      const said = attributionIn({ by, reason }, opening.environment);
      await using publisher = await openPublisher(opening, "almanac correct", say, {
        isTrial: dryRun,
        forgets: false,
      });
      const wish = { ...options, write: (text: string) => newWords(options.from, text) };
      printResult(json, await correctText(named, wish, said, asking(yes || dryRun), publisher));
    });
};

interface CorrectOptions {
  readonly field?: string | undefined;
  readonly paragraph?: number | undefined;
  readonly undo?: boolean | undefined;
  readonly override?: boolean | undefined;
  /** The new text in place of this one. */
  readonly write: (text: string) => Promise<string>;
}

/** Corrects a text, or undoes that, after the person has confirmed the difference. */
export async function correctText(
  named: string,
  options: CorrectOptions,
  { by, reason: given }: Attribution,
  ask: Ask | undefined,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const reason = required(given, 'missing option --reason. Give a reason, such as --reason "wrong gender"');
  const request = await requestNamed(named, publishing);
  const look = () => correctableText(request, options.field, publishing);
  const text = await look();
  const { key, field, paragraphs } = text;
  const { paragraph: place, undo: isUndo = false, write } = options;
  const before = place === undefined ? paragraphs.join("\n") : (paragraphs[place - 1] ?? "");
  const { rules } = publishing.configuration.quality;
  const change = isUndo ? undo(text) : await changeTo(await write(before), place, text, rules);
  const { kind, problems } = change;
  const about = { key, field, ...change, before: paragraphs, by, reason };
  const unchanged = { document: { ...about, version: null }, lines: `${field} of ${key} stays as it is` };
  if (kind === "correct" && areSame(change.text, paragraphs)) return unchanged;
  const { lines, more } = differenceOf(paragraphs.join("\n"), change.text.join("\n"), field);
  say(field, lines, more > 0 && `and ${more} more`);
  const reasons = problems.map((one) => one.reason).join("; ");
  if (reasons !== "" && options.override !== true)
    throw new WrongUsage(
      `the new text breaks a validation rule: ${reasons}. Change the text, or add --override`,
    );
  if (ask === undefined)
    throw new WrongUsage("cannot ask for confirmation without a terminal. Use --dry-run first, then --yes");
  if (!(await ask("Publish this text?"))) return { ...unchanged, code: exitCodes.failed };
  if (!areSame((await look()).paragraphs, paragraphs))
    throw new WrongUsage(`${field} of ${key} was changed while you edited it. Run the command again`);
  await recordCorrection(change, text, { by, reason }, publishing);
  const result = await publishCorrection(change, request, publishing).catch((error: unknown) => {
    say(`the decision on ${key} is recorded. Fix the error, then run \`almanac publish\``);
    throw error;
  });
  const { version, changes, passedOver } = result;
  const done = `${field} of ${key} ${kind === "correct" ? "corrected" : "has its original text again"}`;
  const unshown = changes.length === 0 && "no path would change: the site does not show the text";
  const said: Lines = [
    changes.length === 0
      ? `${done}. The site does not show it yet and stays at version ${version}`
      : [
          styled("green", `${done}: published version ${version}`),
          `  ${countsInWords(countChanges(changes))}`,
        ],
    changes.length > 0 && "caches may show the previous text for up to a day",
    passedOverLines(passedOver),
    kind === "correct" &&
      reviewOf(request, publishing.configuration).mode !== "none" &&
      `its set needs approval again: \`almanac review approve ${setName(request)}\``,
    kind === "correct" && `to undo it: \`almanac correct --undo ${key} --field ${field} --reason ...\``,
  ];
  return changeResult({ ...about, ...result }, result, written, written === undefined ? said : unshown);
}

async function newWords(from: string | undefined, text: string): Promise<string> {
  if (from === "-") return textIn(process.stdin);
  if (from === undefined) {
    if (isTerminal()) return edited(text);
    throw new WrongUsage("there is no terminal for an editor. Pass the new text with --from");
  }
  return readFile(from, "utf8").catch(() => {
    throw new WrongUsage(`cannot read ${from}. Pass a text file with --from`);
  });
}

async function requestNamed(named: string, publishing: Publishing): Promise<ReadingRequest> {
  const path = pathIn(named, publishing.configuration.site.url);
  const shown = textOnPath(path);
  // The text of a date may be corrected before it is published.
  const own = shown?.kind === "text" && !shown.isAll ? shown.request : undefined;
  return requestOf(named) ?? own ?? wrongWhere(NoSingleText, textOn(path, publishing));
}

/** The text as the person saves it in an editor. The shell finds the editor, which may be a command with arguments. */
export async function edited(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-"));
  try {
    const file = join(folder, "text.txt");
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    // stdout is for the result of the command.
    const stdio = ["inherit", process.stderr, "inherit"] as const;
    const editor = spawn("sh", ["-c", '${VISUAL:-${EDITOR:-vi}} "$1"', "sh", file], { stdio: [...stdio] });
    const [code] = await once(editor, "exit");
    if (code !== 0)
      throw new WrongUsage(
        "the editor failed. Nothing was changed. Set EDITOR, or pass the text with --from",
      );
    return await readFile(file, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
