// `almanac init`: creates a project for your site from its options.
import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { languageNames } from "../../readings/tables.ts";
import { siblingVault } from "../../worker/opened-site.ts";
import { explain, explained } from "../../worker/settings/configuration-problems.ts";
import type { Define, NewCommand } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { firstLanguages, languagesIn, oneOf, systemLocale } from "../terminal/options.ts";
import { plainLine, printAs, say, styled } from "../terminal/output.ts";
import { installPackages, packageSpec } from "./npm.ts";
import { alertKinds, type ProjectAnswers, projectFiles, writeProjectFile } from "./project-files.ts";

const withOptions = (command: NewCommand) =>
  command
    .argument("[folder]", "Folder of the project. Default: the current folder")
    .option("--name <name>", "Name of the site. Default: the folder's name", (text) => plainLine(text).trim())
    .option("--id <id>", "ID of the site, unique in its Temporal namespace. Default: made from the name")
    .option("--languages <codes>", "Languages, such as en,hi. Default: the system's", languagesIn)
    .option("--url <url>", "URL of the site, such as https://stars.example")
    .option("--site <location>", "Site storage: `folder` or s3://bucket/prefix. Default: `folder`", storage)
    .option(
      "--alerts <kind>",
      "Alert channel: none, webhook, slack or mail. Default: none",
      oneOf("kind of alerts", alertKinds),
    )
    .option(
      "--package <spec>",
      "Almanac package to install: a .tgz file or an npm version. Default in a checkout: a package built from it",
    )
    .option("--no-install", "Write the files, but do not install packages");

function storage(text: string): string {
  const site = text.trim().replace(/\/+$/, "");
  if (site === "folder" || siblingVault(site) !== undefined) return site;
  throw new WrongUsage("--site must be `folder`, or a bucket such as s3://my-stars/site");
}

export const define: Define = (command) => {
  withOptions(command)
    .addHelpText(
      "after",
      `
You can change every value later, in almanac.config.ts and .env. Put secrets in .env. The file .env.example lists the names.
Existing files are kept and listed, and the exit code is then 3. A folder with a project is refused.

Example: create a site in two languages, stored in a bucket:
  almanac init stars --name "Morning Stars" --languages en,hi --site s3://stars/site`,
    )
    .action(async (folder = ".", options) => {
      process.exitCode = await init(resolve(folder), options);
    });
};

type InitOptions = ReturnType<ReturnType<typeof withOptions>["opts"]>;

async function init(folder: string, options: InitOptions) {
  const answers = projectAnswers(folder, options);
  const there = ["almanac.config.ts", "package.json"].find((path) => existsSync(join(folder, path)));
  if (there !== undefined)
    throw new WrongUsage(
      `${join(folder, there)} exists. Name a new folder, such as \`almanac init ../stars\``,
    );
  const files = projectFiles(answers, await packageSpec(options.package, folder));
  const written: string[] = [];
  for (const file of files) if (await writeProjectFile(folder, file)) written.push(file.path);
  const kept = files.map(({ path }) => path).filter((path) => !written.includes(path));
  if (options.install) {
    say("installing packages with npm");
    await installPackages(folder);
  }
  const next = nextSteps(folder, options.install);
  printAs(options.json, { folder, written, kept, installed: options.install, next }, [
    written.map((path) => `${styled("green", "written")}  ${path}`),
    kept.map((path) => `${styled("yellow", "kept")}     ${path}`),
    `next: ${styled("bold", next)}`,
  ]);
  return kept.length > 0 ? exitCodes.incomplete : exitCodes.done;
}

function nextSteps(folder: string, isInstalled: boolean) {
  const way = relative(process.cwd(), folder);
  const quoted = /^[\w./-]*$/.test(way) ? way : JSON.stringify(way);
  const steps = [way !== "" && `cd ${quoted}`, !isInstalled && "npm install", "npm run local"];
  return steps.filter((step) => step !== false).join(" && ");
}

/** The given answers. The others are the folder's name, the languages of this system, and whatever needs no account. */
export function projectAnswers(folder: string, given: Partial<ProjectAnswers> = {}): ProjectAnswers {
  const { site: usual } = configurationSchema.parse({});
  const name = given.name ?? (nameFrom(basename(folder)) || usual.name);
  const { id = idFrom(name) || usual.id, url = usual.url } = given;
  const checked = { site: { name, id, url } };
  const [issue] = configurationSchema.safeParse(checked, explained).error?.issues ?? [];
  if (issue !== undefined) {
    const problem = explain(issue).replace(/^[\w.]+: /, "");
    throw new WrongUsage(`--${String(issue.path.at(-1))}: ${problem}`);
  }
  const {
    languages = firstLanguages(languageNames, systemLocale()),
    site = "folder",
    alerts = "none",
  } = given;
  return { name, id, url, languages, site, alerts };
}

/** `Étoiles du matin` is `etoiles-du-matin`; empty for a name without Latin letters. */
function idFrom(name: string): string {
  const letters = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const id = letters.replaceAll(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+/, "");
  return id.slice(0, 32).replace(/-+$/, "");
}

/** `morning-stars` is Morning Stars. */
function nameFrom(folder: string) {
  const words = folder.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
  return words.map((word) => word.replace(/^./u, (letter) => letter.toUpperCase())).join(" ");
}
