// What every command has, and what a command file is: a function that gives the command its arguments and action.
import { Command } from "@commander-js/extra-typings";

/** A command, or one of its verbs such as `schedule apply`, with the options that all of them take. */
export function newCommand(name: string, about: string) {
  return newSilentCommand(name, about).option("--json", "one JSON document on stdout");
}

/** One that has nothing to print on stdout. */
export function newSilentCommand(name: string, about: string) {
  return (
    new Command(name)
      .description(about)
      .option("--verbose", "with an error, say where in the code it arose")
      .helpOption("--help", "show this help")
      // A wrong usage is thrown, and printed like any failure: as JSON where that was asked for.
      .exitOverride()
      .configureOutput({ outputError: () => {} })
  );
}

export type NewCommand = ReturnType<typeof newCommand>;

/** Each file in scripts/ that is a command exports this as `define`. */
export type Define = (command: NewCommand) => void;
