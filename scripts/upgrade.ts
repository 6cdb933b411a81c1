// `almanac upgrade --check`: the items of this project that another version would refuse, rename or render again. That version looks
// at the project itself, by its own command in its own process and folder. Nothing is written.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { z } from "zod";
import packageJson from "../package.json" with { type: "json" };
import { changedPaths } from "../insight/page-changes.ts";
import { findUnreadFiles } from "../insight/unread-files.ts";
import { readState } from "../publish/state/state.ts";
import { configurationSchema } from "../readings/configuration.schema.ts";
import { tree } from "../site/tree.ts";
import { checkTheme } from "../worker/checks/theme/theme.ts";
import { openSite, type Opening, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher } from "../worker/publisher.ts";
import { configurationFile } from "../worker/settings/configuration.ts";
import { variableNames } from "../worker/settings/environment.ts";
import { inventedLanguage } from "./preview/invented-language.ts";
import { runNpm } from "./init/npm.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { counted, type Lines, printAs, printJson, say, sentence, styled } from "./terminal/output.ts";
import { type CommandRows, type Define, loadCommands } from "./terminal/command.ts";

/** Thrown if the other version can't be installed, or gives no outlook. */
export class NoOutlook extends Error {
  override readonly name = "NoOutlook";
}

export const define: Define = (command, rows) => {
  command
    .option("--to <version>", "Version to compare: a package file, a checkout or an unpacked package")
    .addOption(new Option("--check", "Accepted for clarity: the command only checks").hideHelp())
    .addOption(new Option("--outlook", "Print this version's own outlook, for another version").hideHelp())
    .addHelpText(
      "after",
      `
The other version checks configuration, theme and vault, and renders the current pages once. It writes nothing to the project, the
vault or the site, and installs nothing. It exits with 3 if that version rejects or warns of something that this version accepts.

Example: check a new version before you install it:
  almanac upgrade --to ../almanac-almanac-0.3.0.tgz`,
    )
    .action(async ({ to, outlook, json }) => {
      if (outlook === true) {
        resolveOwnName(process.argv[1] ?? "");
        return printJson(await outlookHere(rows));
      }
      if (to === undefined)
        throw new WrongUsage(
          "missing option --to. Give the package of the new version, such as `almanac upgrade --to ../almanac-almanac-0.3.0.tgz`, to see its changes. Install it with npm",
        );
      say("checking this project with the other version");
      const { theirs, install } = await readOther(resolve(to));
      const changes = { ...compare(await outlookHere(rows), theirs), install };
      printAs(json, changes, linesOf(changes));
      if (changes.refused.length > 0) process.exitCode = exitCodes.incomplete;
    });
};

const entry = "scripts/almanac.js";

/** The outlook of a version, and the command line that installs it. */
async function readOther(place: string): Promise<{ theirs: Outlook; install: string }> {
  if (existsSync(join(place, entry))) {
    const theirs = await outlookOf(place);
    return { theirs, install: `git checkout v${theirs.version} && npm ci` };
  }
  if (!place.endsWith(".tgz") || !existsSync(place))
    throw new WrongUsage(`--to ${relative("", place)} is neither a package file nor a folder with Almanac`);
  const folder = await mkdtemp(join(tmpdir(), "almanac-upgrade-"));
  try {
    const project = { private: true, dependencies: { [packageJson.name]: `file:${place}` } };
    await writeFile(join(folder, "package.json"), JSON.stringify(project));
    const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    const ended = await runNpm(words, folder);
    if (ended !== 0)
      throw new NoOutlook(`npm could not install ${place} (${String(ended)}). See its messages above`);
    const theirs = await outlookOf(join(folder, "node_modules", packageJson.name));
    return { theirs, install: `npm install --save-exact ${relative("", place)}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const failure = z.object({ error: z.object({ message: z.string() }) });

async function outlookOf(root: string): Promise<Outlook> {
  const words = [join(root, entry), "upgrade", "--outlook", "--json"];
  const { stdout } = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const printed = await text(stdout);
  const document: unknown = printed.startsWith("{") ? JSON.parse(printed) : undefined;
  const { data } = outlookSchema.safeParse(document);
  if (data !== undefined) return data;
  const why = failure.safeParse(document).data?.error.message ?? "it printed no JSON document";
  throw new NoOutlook(`cannot read the changes of ${root}: ${why}`);
}

/** The items that only the other version refuses, names or renders otherwise. */
function compare(own: Outlook, other: Outlook) {
  const without = (all: readonly string[], some: readonly string[]) => [
    ...new Set(all).difference(new Set(some)),
  ];
  const pending = new Map(own.files?.map(({ path, hash }) => [path, hash]));
  const files = other.files?.filter(({ path, hash }) => !pending.has(path) || pending.get(path) !== hash);
  return {
    from: own.version,
    to: other.version,
    refused: without(other.refused, own.refused),
    gone: without(own.names, other.names),
    new: without(other.names, own.names),
    rendered:
      files &&
      [...Map.groupBy(files, ({ kind }) => kind)].map(([kind, all]) => ({ kind, files: all.length })),
  };
}

type Changes = ReturnType<typeof compare> & { readonly install: string };

function linesOf({ from, to, refused, gone, new: added, rendered, install }: Changes): Lines {
  const listed = (heading: string, all: readonly string[]) =>
    all.length === 0 ? `${heading}: nothing` : [`${heading}:`, all.flatMap((one) => sentence(one, "  "))];
  return [
    styled("bold", `from ${from} to ${to}`),
    listed("rejected, or warned of", refused),
    listed("removed names", gone),
    listed("new names", added),
    rendered === undefined
      ? "rendered again: unknown, because nothing is published or nothing can be rendered"
      : listed(
          "rendered again",
          rendered.map(({ kind, files }) => `${kind}: ${counted(files, "file")}`),
        ),
    `next: ${styled("bold", install)}`,
  ];
}

// The outlook of one version on the project in the current folder.

/** A later version may add fields; these stay. */
const outlookSchema = z.object({
  version: z.string(),
  /** Refusals and warnings about environment, configuration, theme, vault and site. */
  refused: z.array(z.string()),
  /** Commands, options, settings, variables and published paths. */
  names: z.array(z.string()),
  /** Absent if nothing is published, or nothing can be rendered. */
  files: z.array(z.object({ path: z.string(), kind: z.string(), hash: z.string().optional() })).optional(),
});
type Outlook = z.infer<typeof outlookSchema>;

async function outlookHere(rows: CommandRows): Promise<Outlook> {
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

async function filesToRender(opening: Opening, note: (line: string) => void): Promise<Outlook["files"]> {
  if ((await readState(opening.site)) === undefined) return undefined;
  await using publisher = await openPublisher(opening, "almanac upgrade", note, { isTrial: true });
  return await changedPaths(publisher.publishing);
}

type NameKind = "commands" | "settings" | "variables" | "paths";

/** The names that docs/versions.md promises to keep, for people and for programs. */
export async function stableNames(rows: CommandRows): Promise<Record<NameKind, string[]>> {
  const commands = await loadCommands(rows);
  return {
    commands: commands.flatMap((command) =>
      takenBy(command, command.name()).concat(
        command.commands.flatMap((verb) => takenBy(verb, `${command.name()} ${verb.name()}`)),
      ),
    ),
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
function resolveOwnName(command: string): void {
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
