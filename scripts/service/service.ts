// `almanac service`: this machine runs the site for good, by systemd: a worker and, unless the settings name another, the embedded
// Temporal (docs/one-machine.md).
import { type Define, type NewCommand, newCommand } from "../terminal/command.ts";
import { portIn } from "../terminal/options.ts";
import { installService, removeService } from "./install.ts";
import { runAsService } from "./run.ts";

const rootFlag = "--root <folder>";
const aboutRoot =
  "below this folder in place of the machine's root, and nothing is started: to look at or try";

export const define: Define = (command) => {
  command.addHelpText(
    "after",
    `
Settings lie in /etc/almanac/environment, the credentials beside it in token and api-key. What is lacking is said, each
with the command that makes it, before anything is written. Where TEMPORAL_ADDRESS stands there, that Temporal is used
and none is installed.

Example: in the folder of the site, this machine's service, and again after each change of settings or version:
  sudo npx almanac service install`,
  );
  verb(command, "install", "write the units, and start them now and whenever the machine starts")
    .option("--print", "show the units, and change nothing")
    .option(rootFlag, aboutRoot)
    .option("--port <number>", "of Temporal, on this machine alone (as before, or 7233)", portIn)
    .action((options, self) => installService({ ...options, json: self.optsWithGlobals().json }));
  verb(command, "remove", "take the units away; all data stays, and it says where")
    .option(rootFlag, aboutRoot)
    .action((options, self) => removeService({ ...options, json: self.optsWithGlobals().json }));
  verb(command, "run", "a command with the service's settings, as its user")
    .argument("<words...>", "such as -- check, or -- nightly --wait")
    .option(rootFlag, aboutRoot)
    .action(async (words, options) => {
      process.exitCode = await runAsService(words, options);
    });
};

function verb(parent: NewCommand, name: string, about: string) {
  const made = newCommand(name, about);
  parent.addCommand(made);
  return made;
}
