// Every command with its words and options, as commander knows them, for docs/command-line.md.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { commands } from "../../scripts/commands.ts";
import { addAttribution, loadCommands, newCommand } from "../../scripts/terminal/command.ts";

/** Options documented once, at the top of the page. */
const common = new Set(["--help", "--json", "--verbose"]);
const ofDecisions = new Set(addAttribution(newCommand("", "")).options.map(({ description }) => description));

export async function commandsText(): Promise<string> {
  const all = await loadCommands(commands);
  const sections = all.flatMap((command) => {
    const verbs = command.commands.map((verb) => sectionOf(verb, `${command.name()} ${verb.name()}`, "####"));
    return [sectionOf(command, command.name(), "###")].concat(verbs);
  });
  return sections.join("\n\n");
}

function sectionOf(command: CommandUnknownOpts, words: string, level: string) {
  const args = command.registeredArguments.map((one) => [
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
    one.description,
  ]);
  const options = command.options
    .filter(
      ({ long, hidden, description }) => !hidden && !common.has(long ?? "") && !ofDecisions.has(description),
    )
    .map(({ flags, description, mandatory }) => [
      flags,
      mandatory ? `${description} (required)` : description,
    ]);
  const items = [...args, ...options].map(([flags = "", about = ""]) =>
    about === "" ? `- \`${flags}\`` : `- \`${flags}\`: ${asText(about)}`,
  );
  const about = `${level} \`almanac ${words}\`\n\n${asText(sentenceOf(command.description()))}`;
  return [about, ...(items.length === 0 ? [] : [items.join("\n")]), ...exampleOf(command)].join("\n\n");
}

function sentenceOf(words: string) {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Escapes characters that Markdown would read as HTML tags or emphasis. */
function asText(words: string) {
  return words.replaceAll(/[<*_]/g, String.raw`\$&`);
}

/** The example at the end of the command's help: its title, and its lines as a code block. */
function exampleOf(command: CommandUnknownOpts) {
  let said = "";
  command.configureOutput({ writeOut: (text) => (said += text) });
  command.outputHelp();
  const [, title, lines] = /\nExample: (.*):\n((?: {2}\S.*\n?)+)/.exec(said) ?? [];
  if (title === undefined || lines === undefined) return [];
  return [
    `Example: ${title}`,
    [
      "```sh",
      lines.replaceAll(/^ {2}(?:almanac )?/gm, (start) => start.trim() && "npx almanac ").trimEnd(),
      "```",
    ].join("\n"),
  ];
}
