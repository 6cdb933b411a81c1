// Words commander's errors of usage: one line with the problem and the correction.
import type { CommanderError, CommandUnknownOpts } from "@commander-js/extra-typings";
import { nearestName } from "../../worker/settings/nearest-name.ts";
import { WrongUsage } from "./errors.ts";

/** Commands by the names that other programs give them. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  add: ["init"],
  build: ["render", "preview"],
  clean: ["gc"],
  config: ["check"],
  create: ["init"],
  dev: ["preview", "local"],
  doctor: ["check"],
  export: ["deploy", "pull"],
  fetch: ["nightly", "reading"],
  gather: ["nightly", "backfill"],
  generate: ["render"],
  history: ["log"],
  install: ["service", "init"],
  new: ["init"],
  press: ["render"],
  rebuild: ["render"],
  remove: ["withdraw"],
  rerun: ["nightly", "backfill"],
  revert: ["rollback", "withdraw"],
  run: ["nightly", "local"],
  start: ["local", "nightly"],
  stop: ["schedule"],
  sync: ["nightly", "pull"],
  turn: ["publish"],
  test: ["check", "rehearse"],
  undo: ["rollback", "withdraw"],
  update: ["upgrade", "nightly"],
  validate: ["check", "verify"],
  watch: ["status", "preview"],
};

/** The error of wrong usage for commander's own. The text of a full name is never repeated. */
export function usageError(error: CommanderError, command: CommandUnknownOpts): WrongUsage {
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
  if (command.parent !== null) {
    return new WrongUsage(`unknown subcommand "${word}"`, meant, { allowed: choice(command) });
  }
  const others = Object.hasOwn(synonyms, word) ? (synonyms[word] ?? []) : [];
  if (meant !== undefined || others.length === 0) {
    const allowed = meant === undefined ? "`almanac --help` lists the commands" : undefined;
    return new WrongUsage(`unknown command "${word}"`, meant, { allowed });
  }
  const shown = others.map((name) => {
    const about = command.commands.find((one) => one.name() === name)?.description() ?? "";
    return `\`almanac ${name}\` (${about.charAt(0).toLowerCase()}${about.slice(1)})`;
  });
  return new WrongUsage(`unknown command "${word}"`, others[0], { shown: shown.join(" or ") });
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
