// The names that docs/versions.md promises to keep: what an owner, a script or a reader's program says to get something of us.
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { z } from "zod";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { tree } from "../../site/tree.ts";
import { variableNames } from "../../worker/settings/environment.ts";
import { type CommandRow, type CommandRows, newCommand, newSilentCommand } from "../terminal/command.ts";

type NameKind = "commands" | "settings" | "variables" | "paths";

export async function stableNames(rows: CommandRows): Promise<Record<NameKind, string[]>> {
  return {
    commands: (await Promise.all(Object.entries(rows).map(([name, row]) => wordsOf(name, row, rows)))).flat(),
    settings: settingsIn("", z.toJSONSchema(configurationSchema, { io: "input" })),
    variables: [...variableNames],
    paths: Object.values(tree).map(({ path }) => `/${path}`),
  };
}

/** `plan`, `plan --all`, `schedule pause`, `schedule pause <schedule>`. */
async function wordsOf(name: string, { silent, load }: CommandRow, rows: CommandRows): Promise<string[]> {
  const command = silent === true ? newSilentCommand(name, "") : newCommand(name, "");
  (await load()).define(command, rows);
  const verbs = command.commands.map((verb) => takenBy(verb, `${name} ${verb.name()}`));
  return [...takenBy(command, name), ...verbs.flat()];
}

function takenBy({ registeredArguments, options }: CommandUnknownOpts, words: string): string[] {
  const shown = options.filter(({ hidden }) => !hidden).map(({ long }) => `${words} ${long ?? ""}`);
  return [words, ...registeredArguments.map((one) => `${words} <${one.name()}>`), ...shown];
}

const node = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
});

/** Each setting with those within it, such as `site.name` and `people.*.id`. */
function settingsIn(within: string, schema: unknown): string[] {
  const { properties = {}, items, additionalProperties } = node.safeParse(schema).data ?? {};
  const own = Object.entries(properties).flatMap(([name, one]) => {
    const path = within === "" ? name : `${within}.${name}`;
    return [path].concat(settingsIn(path, one));
  });
  const each = items ?? additionalProperties;
  return each === undefined ? own : [...own, ...settingsIn(`${within}.*`, each)];
}
