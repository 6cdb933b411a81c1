// `almanac upgrade --check`: the items of this project that another version would refuse, rename or render again. That version looks
// at the project itself, by its own command in its own process and folder.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Option } from "@commander-js/extra-typings";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { runNpm } from "../init/npm.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { counted, type Lines, printAs, printJson, say, sentence, styled } from "../terminal/output.ts";
import { type Outlook, outlookHere, outlookSchema, resolveOwnName } from "./outlook.ts";

/** Thrown if the other version can't be installed, or gives no outlook. */
export class NoOutlook extends Error {
  override readonly name = "NoOutlook";
}

export const define: Define = (command, rows) => {
  command
    .option("--to <version>", "Package file of the version, or a folder with its checkout or package")
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
