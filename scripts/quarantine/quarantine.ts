// `almanac quarantine`: the answers that were set aside, for a person to judge. No Temporal, and no call.
import type { Quarantined } from "../../vault/capture.schema.ts";
import { accept, quarantine, quarantinedAt, withoutBody } from "../../vault/quarantine.ts";
import { type RequestKey, requestOf } from "../../readings/request.ts";
import { nearestName } from "../../worker/settings/nearest-name.ts";
import { type Define, newCommand } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { open, type Opening } from "../../worker/opened-site.ts";
import { personIn, required } from "../terminal/options.ts";
import { columns, printAs } from "../terminal/output.ts";
import { entryLines, quarantineLines } from "./print.ts";
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
          const entry = await entryAt(await open(), key);
          printAs(self.optsWithGlobals().json, entry, entryLines(entry, columns()));
        }),
    )
    .addCommand(
      newCommand("accept", "keep it in spite of the gates; the next turn publishes it with its sheet")
        .argument("<key>")
        .requiredOption("--why <text>", "kept with the capture")
        .option("--by <name>", "who says so (the user of this machine unless said)")
        .action(async (key, { why, by }, self) => {
          const opening = await open();
          const entry = await entryAt(opening, key);
          const accepted = {
            by: personIn(by),
            at: now().toISOString(),
            why: required(why, "--why is empty"),
          };
          await accept(opening.vault, entry, accepted);
          printAs(self.optsWithGlobals().json, { key, accepted }, [
            `${key} is kept, accepted by ${accepted.by}: the next turn publishes it with its sheet`,
          ]);
        }),
    )
    .addCommand(
      newCommand("retry", "let it go, so that it is asked for again")
        .argument("<key>")
        .action(async (key, _, self) => {
          const opening = await open();
          await entryAt(opening, key);
          await opening.vault.release(key);
          const due = await isDueAgain(opening, key);
          printAs(self.optsWithGlobals().json, { key, due }, [dueInWords(key, due)]);
        }),
    )
    .addHelpText(
      "after",
      `
Example: read what was refused, then let it through:
  almanac quarantine list
  almanac quarantine accept daily/2026-11-21/hi/daily-horoscope/leo --why "short, but a whole reading"`,
    );
};

async function entryAt({ vault }: Opening, key: RequestKey): Promise<Quarantined> {
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
