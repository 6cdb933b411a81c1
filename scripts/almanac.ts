// Command-line entry point. scripts/commands.ts lists the commands. A command's file is loaded only if it is used, so that --help is fast.
import { Command } from "@commander-js/extra-typings";
import packageJson from "../package.json" with { type: "json" };
import { commands } from "./commands.ts";
import { helpCommand, helpFormat, newCommandOf, output, throwsUsage } from "./terminal/command.ts";
import { isDone } from "./terminal/errors.ts";
import { printFailure, sayWaits } from "./terminal/output.ts";

// Commander gives an option one letter.
const words = process.argv.slice(2).map((word, index) => (index === 0 && word === "-v" ? "--version" : word));

// `almanac reading --list | head` closes the pipe early, which is no fault. What has more to close than itself, such as
// `almanac local 2>&1 | head`, is stopped as by a signal.
let isReadOn = true;
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (isReadOn && !process.emit("SIGTERM", "SIGTERM")) process.exit();
    isReadOn = false;
  });
}

try {
  const program = await programFor(words);
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  if (!isDone(error)) {
    process.exitCode = printFailure(error, {
      json: words.includes("--json"),
      verbose: words.includes("--verbose"),
    });
  }
}

/** Registers all commands for --help, and loads the options of the one that the arguments name. */
async function programFor(given: readonly string[]) {
  const program = new Command("almanac");
  program
    .description(packageJson.description)
    .version(packageJson.version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show this help, or the help of a command")
    .exitOverride(throwsUsage(program))
    .configureOutput(output)
    .configureHelp(helpFormat)
    .helpCommand(...helpCommand)
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 done, with something skipped or quarantined",
    );
  const [first, second] = given.filter((word) => !word.startsWith("-"));
  const named = first === "help" ? second : first;
  for (const [name, row] of Object.entries(commands)) {
    const command = newCommandOf(name, row);
    if (name === named) {
      if (row.silent !== true) sayWaits();
      (await row.load()).define(command, commands);
    }
    program.addCommand(command);
  }
  return program;
}
