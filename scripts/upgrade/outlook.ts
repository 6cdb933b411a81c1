// This version's outlook on the project in the current folder: the items that it refuses, its names, and the files that its first
// publish would render again. `almanac upgrade --check` asks two versions for theirs and compares. Nothing is written.
import { existsSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { changedPaths } from "../../insight/page-changes.ts";
import { findUnreadFiles } from "../../insight/unread-files.ts";
import { readState } from "../../publish/state/state.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { tree } from "../../site/tree.ts";
import { checkTheme } from "../../worker/checks/theme/theme.ts";
import { openSite, type Opening, requireOwnVault } from "../../worker/opened-site.ts";
import { openPublisher } from "../../worker/publisher.ts";
import { configurationFile } from "../../worker/settings/configuration.ts";
import { variableNames } from "../../worker/settings/environment.ts";
import { inventedLanguage } from "../preview/invented-language.ts";
import { type CommandRows, loadCommands } from "../terminal/command.ts";

/** A later version may add fields; these stay. */
export const outlookSchema = z.object({
  version: z.string(),
  /** Refusals and warnings about environment, configuration, theme, vault and site. */
  refused: z.array(z.string()),
  /** Commands, options, settings, variables and published paths. */
  names: z.array(z.string()),
  /** Absent if nothing is published, or nothing can be rendered. */
  files: z.array(z.object({ path: z.string(), kind: z.string(), hash: z.string().optional() })).optional(),
});
export type Outlook = z.infer<typeof outlookSchema>;

export async function outlookHere(rows: CommandRows): Promise<Outlook> {
  const names = Object.entries(await stableNames(rows)).flatMap(([of, all]) =>
    all.map((name) => `${of}: ${name}`),
  );
  const refused: string[] = [];
  try {
    const opening = await openSite();
    refused.push(...(await wrongIn(opening)));
    const files = await filesToRender(opening, (line) => void refused.push(line));
    return { version: packageJson.version, refused, names, files };
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).split("\n");
    refused.push(...lines.flatMap((line) => (line.endsWith(":") ? [] : [line.trim()]))); // without headings
    return { version: packageJson.version, refused, names };
  }
}

async function wrongIn(opening: Opening): Promise<string[]> {
  const { configuration, environment, vault } = opening;
  await requireOwnVault(opening);
  const file = configurationFile(environment.configPath, process.cwd());
  const checks = await checkTheme(configuration, file, inventedLanguage);
  const unread = await findUnreadFiles(vault);
  return [
    ...checks.flatMap(({ seen, remedy }) => (remedy === undefined ? [] : [`theme: ${seen}`])),
    ...unread.map((one) => `vault: ${one.file}: ${one.reason}`),
  ];
}

async function filesToRender(opening: Opening, say: (line: string) => void): Promise<Outlook["files"]> {
  if ((await readState(opening.site)) === undefined) return undefined;
  await using publisher = await openPublisher(opening, "almanac upgrade", say, { isTrial: true });
  return await changedPaths(publisher.publishing);
}

type NameKind = "commands" | "settings" | "variables" | "paths";

/** The names that docs/versions.md promises to keep, for people and for programs. */
export async function stableNames(rows: CommandRows): Promise<Record<NameKind, string[]>> {
  const commands = await loadCommands(rows);
  return {
    commands: commands.flatMap((command) => [
      ...takenBy(command, command.name()),
      ...command.commands.flatMap((verb) => takenBy(verb, `${command.name()} ${verb.name()}`)),
    ]),
    settings: settingsIn("", z.toJSONSchema(configurationSchema, { io: "input" })),
    variables: [...variableNames],
    paths: Object.values(tree).map(({ path }) => `/${path}`),
  };
}

/** `schedule pause`, `schedule pause <schedule>`, `schedule pause --reason`. */
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

/**
 * Configuration and theme import Almanac by its name, and would get the installed version. While another version looks at the
 * project, the name means that version. `command` is the path of its command; a checkout is not imported by name.
 */
export function resolveOwnName(command: string): void {
  const root = dirname(dirname(realpathSync(command)));
  if (existsSync(join(root, "scripts/almanac.ts"))) return;
  const parentURL = pathToFileURL(join(root, "package.json")).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      next(
        specifier,
        `${specifier}/`.startsWith(`${packageJson.name}/`) ? { ...context, parentURL } : context,
      ),
  });
}
