// The settings of every command, the type of a command file (a function that gives the command its arguments and action), and
// the words for commander's errors of usage: one line with the problem and the correction.
import { Command, type CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { nearestName } from "../../worker/settings/nearest-name.ts";
import { WrongUsage } from "./errors.ts";
import { columns, wrapped } from "./output.ts";

/** A wrong usage is thrown and printed like any failure, as JSON if requested. */
export const output = {
  outputError: () => {},
  writeOut: (text: string) => void process.stdout.write(wrapHelp(text, columns())),
  writeErr: (text: string) => void process.stderr.write(wrapHelp(text, columns(process.stderr))),
  getOutHelpWidth: () => columns(),
  getErrHelpWidth: () => columns(process.stderr),
};

/** The words of the subcommand `help`, instead of commander's own. */
export const helpCommand = ["help [command]", "Show the help of a command"] as const;

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

/** Adds a subcommand, such as `schedule apply`. */
export function addSubcommand(parent: CommandUnknownOpts, name: string, about: string): NewCommand {
  const command = newCommand(name, about);
  parent.addCommand(command).helpCommand(...helpCommand);
  return command;
}

/** Adds the options of every decision that the journal records. */
export function addAttribution(command: NewCommand) {
  return command
    .option("--reason <text>", "Reason, for the journal")
    .option("--by <name>", "Name for the journal. Default: ALMANAC_OPERATOR, or this machine's user");
}

/** A command that prints nothing on stdout. */
function newSilentCommand(name: string, about: string) {
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

interface CommandRow {
  readonly about: string;
  /** Set if the command prints no JSON document. */
  readonly silent?: true;
  readonly load: () => Promise<{ readonly define: Define }>;
}

/** The rows of scripts/commands.ts, by the commands' names. */
export type CommandRows = Readonly<Record<string, CommandRow>>;

/** The command without arguments and options, which its file adds. */
export function newCommandOf(name: string, { about, silent }: CommandRow): NewCommand {
  return silent === true ? newSilentCommand(name, about) : newCommand(name, about);
}

/** The commands with their arguments, options and subcommands. */
export function loadCommands(rows: CommandRows): Promise<NewCommand[]> {
  return Promise.all(
    Object.entries(rows).map(async ([name, row]) => {
      const command = newCommandOf(name, row);
      (await row.load()).define(command, rows);
      return command;
    }),
  );
}

/** The error of wrong usage for commander's own. The text of a full name is never repeated. */
function usageError(error: CommanderError, command: CommandUnknownOpts): WrongUsage {
  const name = nameOf(command);
  const [, quoted = ""] = /'(.*)'/s.exec(error.message) ?? [];
  switch (error.code) {
    case "commander.help":
      return missingCommand(command);
    case "commander.unknownCommand":
      return unknownCommand(quoted, command);
    case "commander.excessArguments":
      return excessArgument(command);
    case "commander.unknownOption":
      return unknownOption(quoted.replace(/=.*/s, ""), command);
    case "commander.missingArgument":
      return new WrongUsage(`missing argument <${quoted}>. Usage: ${name} ${command.usage()}`);
    case "commander.optionMissingArgument":
      return new WrongUsage(`option ${quoted} needs a value`);
    default:
      return new WrongUsage(error.message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " "));
  }
}

function nameOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function subcommandNames(command: CommandUnknownOpts) {
  return command.commands.map((one) => one.name());
}

function missingCommand(command: CommandUnknownOpts) {
  if (command.parent === null) return new WrongUsage("missing command. `almanac --help` lists them");
  const names = subcommandNames(command);
  const example = names.find((one) => one === "list" || one === "show");
  const shown = example === undefined ? "" : `. Example: \`${nameOf(command)} ${example}\``;
  return new WrongUsage(`missing subcommand. ${choice(command)}${shown}`);
}

function choice(command: CommandUnknownOpts) {
  const [only, other] = command.commands;
  if (only !== undefined && other === undefined) return `Usage: ${nameOf(only)} ${only.usage()}`;
  return `Choose ${subcommandNames(command).join(", ")}`;
}

function unknownCommand(word: string, command: CommandUnknownOpts) {
  const meant = nearestName(word, subcommandNames(command));
  if (command.parent !== null)
    return new WrongUsage(`unknown subcommand "${word}"`, meant, { allowed: choice(command) });
  const allowed = meant === undefined ? "`almanac --help` lists the commands" : undefined;
  return new WrongUsage(`unknown command "${word}"`, meant, { allowed });
}

function unknownOption(flag: string, command: CommandUnknownOpts) {
  const known = command.options.flatMap(({ long }) => long ?? []);
  const meant = nearestName(flag, known);
  const allowed = meant === undefined ? `\`${nameOf(command)} --help\` lists the options` : undefined;
  return new WrongUsage(`unknown option "${flag}"`, meant, { allowed });
}

/** An argument too many is often a value with blanks and without quotes, or a list that is not joined by commas. */
function excessArgument(command: CommandUnknownOpts) {
  if (command.options.some(({ long }) => long === "--full-name"))
    return new WrongUsage("unexpected argument. Put quotes around a value with spaces, such as a full name");
  const takes = command.registeredArguments.map((one) => `<${one.name()}>`).join(" and ");
  const word = command.args[command.registeredArguments.length] ?? "";
  const what = `unexpected argument "${word}"`;
  const given = process.argv.slice(2);
  const at = given.indexOf(word);
  const list = command.options.find(({ long }) => long === given[at - 2]);
  if (list !== undefined && /<(?:codes|names|list)>/.test(list.flags)) {
    return new WrongUsage(
      `${what}. Separate ${list.name()} with commas: \`${list.long} ${given[at - 1]},${word}\``,
    );
  }
  return new WrongUsage(
    `${what}. \`${nameOf(command)}\` takes ${takes === "" ? "no arguments" : `only ${takes}`}`,
  );
}
