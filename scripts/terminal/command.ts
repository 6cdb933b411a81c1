// The settings of every command, and the type of a command file: a function that gives the command its arguments and action.
import { Command, type CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { columns, wrapped } from "./output.ts";
import { usageError } from "./usage.ts";

/** A wrong usage is thrown and printed like any failure, as JSON if requested. */
export const output = {
  outputError: () => {},
  writeOut: (text: string) => void process.stdout.write(wrapHelp(text, columns())),
  writeErr: (text: string) => void process.stderr.write(wrapHelp(text, columns(process.stderr))),
  getOutHelpWidth: () => columns(),
  getErrHelpWidth: () => columns(process.stderr),
};

/** Columns of words below which commander would not wrap at all: its own 40 leave out a terminal of 60. */
export const helpFormat = { minWidthToWrap: 20 };

/** Throws commander's errors in the program's words. An end without an error, after help or version, stays as it is. */
export function throwsUsage(command: CommandUnknownOpts): (error: CommanderError) => never {
  return (error) => {
    throw error.exitCode === 0 ? error : usageError(error, command);
  };
}

/** Fills the lines of paragraphs. Indented lines stay: commander has wrapped them, or they are there to be copied. */
export function wrapHelp(text: string, width: number): string {
  return text.replaceAll(/^\S.*(?:\n\S.*)*/gm, (paragraph) =>
    wrapped(paragraph.replaceAll("\n", " "), width).join("\n"),
  );
}

/** A command, or one of its verbs such as `schedule apply`, with the options that all of them take. */
export function newCommand(name: string, about: string) {
  return newSilentCommand(name, about).option("--json", "Print one JSON document on stdout");
}

/** A command that prints nothing on stdout. */
export function newSilentCommand(name: string, about: string) {
  const command = new Command(name);
  return command
    .description(about)
    .option("--verbose", "Print the class and the stack of an error")
    .helpOption("-h, --help", "Show this help")
    .exitOverride(throwsUsage(command))
    .configureOutput({ ...output, writeErr: () => {} })
    .configureHelp(helpFormat);
}

export type NewCommand = ReturnType<typeof newCommand>;

/** Each file in scripts/ that is a command exports this as `define`. It gets all rows, because it cannot import the file that loads it. */
export type Define = (command: NewCommand, rows: CommandRows) => void;

export interface CommandRow {
  readonly about: string;
  /** Set if the command prints no JSON document. */
  readonly silent?: true;
  readonly load: () => Promise<{ readonly define: Define }>;
}

/** The rows of scripts/commands.ts, by the commands' names. */
export type CommandRows = Readonly<Record<string, CommandRow>>;
