// `almanac upgrade --check`: what another version would change for this project, before it is installed. That version looks at the
// project itself, from a folder of its own; here stands only what it says.
import { Option } from "@commander-js/extra-typings";
import type { Define } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { printAs, printJson, say } from "../terminal/output.ts";
import { compareOutlooks } from "./comparison.ts";
import { outlookHere } from "./outlook.ts";
import { otherVersion } from "./other-version.ts";
import { answerToOwnName } from "./own-name.ts";
import { upgradeLines } from "./print.ts";

export const define: Define = (command, rows) => {
  command
    .option("--check", "say what would change, and install nothing")
    .option(
      "--to <version>",
      "a version, a package file, or a folder with Almanac. Default: the newest version",
    )
    .addOption(new Option("--outlook", "how a version is asked by another one").hideHelp())
    .addHelpText(
      "after",
      `
That version is fetched into a folder of its own, looks at configuration, theme and vault, and presses the current pages once. Nothing
is written in the project, the vault or the site. It exits with 3 where that version refuses or warns of something that this one
takes.

Example: before a new version is installed
  almanac upgrade --check --to ../almanac-almanac-0.3.0.tgz`,
    )
    .action(async ({ check, to, outlook, json }) => {
      if (check !== true) {
        throw new WrongUsage(
          "npm installs versions: `almanac upgrade --check` says what a new one would change, and the line that installs it",
        );
      }
      if (outlook === true) {
        answerToOwnName(process.argv[1] ?? "");
        return printJson(await outlookHere(rows));
      }
      say("fetching it, and letting it look at this project");
      await using other = await otherVersion(to);
      const theirs = await other.outlook();
      const comparison = compareOutlooks(await outlookHere(rows), theirs);
      const install = other.install(comparison.to);
      printAs(json, { ...comparison, install }, upgradeLines(comparison, install));
      if (comparison.problems.length > 0) process.exitCode = exitCodes.setAside;
    });
};
