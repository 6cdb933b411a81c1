// `almanac quarantine`: the answers that were set aside, for a person to judge. No Temporal, and no call.
import type { Quarantined } from "../../vault/capture.schema.ts";
import {
  accept,
  captureOf,
  quarantine,
  requireReadable,
  quarantinedAt,
  withoutBody,
} from "../../vault/quarantine.ts";
import { type RequestKey, requestOf } from "../../readings/request.ts";
import { nearestName } from "../../worker/settings/nearest-name.ts";
import { type Define, newCommand } from "../terminal/command.ts";
import { Interview, isTerminal } from "../terminal/interview.ts";
import type { Vault } from "../../vault/vault.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { open, type Opening } from "../../worker/opened-site.ts";
import { personIn, required } from "../terminal/options.ts";
import { columns, type CommandResult, printAs, printResult, say } from "../terminal/output.ts";
import { entryLines, offenceLines, quarantineLines } from "./print.ts";
import { isDueAgain } from "./due-again.ts";
import { now } from "../../worker/settings/clock.ts";

export const define: Define = (command) => {
  command
    .addCommand(
      newCommand("list", "every answer that was set aside, and why").action(async (_, self) => {
        const entries = await quarantine((await open()).vault);
        printAs(
          self.optsWithGlobals().json,
          { quarantined: entries.map(withoutBody) },
          quarantineLines(entries),
        );
      }),
    )
    .addCommand(
      newCommand("show", "one of them, with the text as a reader would see it")
        .argument("<key>", "such as daily/2026-11-21/hi/daily-horoscope/leo")
        .action(async (key, _, self) => {
          const entry = await entryAt((await open()).vault, key);
          printAs(self.optsWithGlobals().json, entry, entryLines(entry, columns()));
        }),
    )
    .addCommand(
      newCommand("accept", "show what is wrong with it, ask, and keep it in spite of the rules")
        .argument("<key>")
        .requiredOption("--why <text>", "kept with the capture")
        .option("--by <name>", "who says so (the user of this machine unless said)")
        .option("--yes", "accept it without a question: you have read it with `almanac quarantine show`")
        .action(async (key, { why, by, yes = false }, self) => {
          const { vault } = await open();
          const outcome = await acceptAnswer(vault, key, { why, by, at: now() }, asking(yes));
          printResult(self.optsWithGlobals().json, outcome);
        }),
    )
    .addCommand(
      newCommand("retry", "let it go, so that it is asked for again")
        .argument("<key>")
        .action(async (key, _, self) => {
          printResult(self.optsWithGlobals().json, await retryAnswer(await open(), key, now()));
        }),
    )
    .addHelpText(
      "after",
      `
Example: read what was refused, then let it through:
  almanac quarantine list
  almanac quarantine show daily/2026-11-21/hi/daily-horoscope/leo
  almanac quarantine accept daily/2026-11-21/hi/daily-horoscope/leo --why "short, but a whole reading"`,
    );
};

interface Acceptance {
  readonly why: string;
  readonly by: string | undefined;
  readonly at: Date;
}

/** Asks the person at the terminal; undefined where there is none. */
type Ask = (question: string) => Promise<boolean>;

function asking(yes: boolean): Ask | undefined {
  if (yes) return () => Promise.resolve(true);
  if (!isTerminal()) return undefined;
  return async (question) => {
    using interview = new Interview();
    return await interview.consent(question, false);
  };
}

/** Shows what the rules have against an answer, and keeps it where the person who is asked says so. */
export async function acceptAnswer(
  vault: Vault,
  key: RequestKey,
  { why, by, at }: Acceptance,
  ask: Ask | undefined,
): Promise<CommandResult> {
  const entry = await entryAt(vault, key);
  const accepted = { by: personIn(by), at: at.toISOString(), why: required(why, "--why is empty") };
  requireReadable(captureOf(entry));
  say(offenceLines(entry));
  if (ask === undefined) {
    throw new WrongUsage(
      `${key} is not accepted, because nobody was asked: read it with \`almanac quarantine show ${key}\`, then accept it in a terminal, or with --yes`,
    );
  }
  if (!(await ask("Publish this text, without its markup, in spite of that?"))) {
    return {
      document: { key, accepted: null },
      lines: `${key} is not accepted and stays in quarantine`,
      code: exitCodes.failed,
    };
  }
  await accept(vault, entry, accepted);
  return {
    document: { key, accepted },
    lines: `${key} is kept, accepted by ${accepted.by}: the next turn publishes it with its sheet`,
  };
}

/** Lets an answer go, so that it is asked for again. */
export async function retryAnswer(
  place: Pick<Opening, "configuration" | "vault" | "site">,
  key: RequestKey,
  at: Date,
): Promise<CommandResult> {
  await entryAt(place.vault, key);
  await place.vault.release(key);
  const due = await isDueAgain(place, key, at);
  return { document: { key, due }, lines: dueInWords(key, due) };
}

async function entryAt(vault: Vault, key: RequestKey): Promise<Quarantined> {
  const entry = await quarantinedAt(vault, key);
  if (entry !== undefined) return entry;
  const nearest = nearestName(key, await vault.inQuarantine(""));
  throw new WrongUsage(`"${key}" is not in quarantine`, nearest, {
    allowed: "`almanac quarantine list` shows what is",
  });
}

function dueInWords(key: RequestKey, due: boolean) {
  if (due) return `${key} is due in the next run: \`almanac nightly\` starts one`;
  const request = requestOf(key);
  const wish =
    request === undefined ? "" : ` --languages ${request.language} --operations ${request.operation}`;
  return `${key} is no longer in quarantine, but a night does not want it: while the service still gives it, \`almanac backfill${wish} --from ... --to ...\` asks for it`;
}
