// `almanac init`: creates a folder for your site from six answers. In an existing project it lists the files that this version
// would write differently, and with --yes adds the missing ones.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { languageNames } from "../../readings/tables.ts";
import { siblingVault } from "../../worker/opened-site.ts";
import { explain } from "../../worker/settings/configuration-problems.ts";
import type { Define, NewCommand } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { firstLanguages, languagesIn, oneOf, systemLocale } from "../terminal/options.ts";
import { plainLine, printAs, say, styled } from "../terminal/output.ts";
import { Interview, isTerminal } from "../terminal/interview.ts";
import { installPackages, packageSource } from "./npm.ts";
import {
  alertKinds,
  answersIn,
  type ComparedFile,
  compareProject,
  installedSpec,
  type ProjectAnswers,
  projectFiles,
  readIfThere,
  writeProjectFile,
} from "./project-files.ts";

const answerNames = ["name", "id", "languages", "url", "site", "alerts"] as const;

/** The descriptions of the options, which are also the questions. */
const abouts = {
  name: "Name of the site",
  id: "ID of the site, unique in its Temporal namespace",
  languages: "Languages, such as en,hi",
  url: "URL of the site, such as https://stars.example",
  site: "Site storage: `folder` or s3://bucket/prefix",
  alerts: "Alert channel: none, webhook, slack or mail",
} as const;

/** Parsers of the answers. Each throws if the text is invalid. */
const readers = {
  name: (text: string) => setting("name", plainLine(text).trim()),
  id: (text: string) => setting("id", text.trim()),
  languages: languagesIn,
  url: (text: string) => setting("url", text.trim()),
  site: (text: string) => {
    const site = text.trim().replace(/\/+$/, "");
    if (site === "folder" || siblingVault(site) !== undefined) return site;
    throw new WrongUsage("--site must be `folder`, or a bucket such as s3://my-stars/site");
  },
  alerts: oneOf("kind of alerts", alertKinds),
};

function setting(name: "name" | "id" | "url", value: string): string {
  const given = { site: { [name]: value } };
  const [issue] = configurationSchema.safeParse(given).error?.issues ?? [];
  if (issue === undefined) return value;
  throw new WrongUsage(`--${name}: ${explain(issue, given).replace(/^[\w.]+: /, "")}`);
}

const withOptions = (command: NewCommand) =>
  command
    .argument("[folder]", "Folder of the project. Default: the current folder")
    .option("--name <name>", abouts.name, readers.name)
    .option("--id <id>", abouts.id, readers.id)
    .option("--languages <codes>", abouts.languages, readers.languages)
    .option("--url <url>", abouts.url, readers.url)
    .option("--site <location>", abouts.site, readers.site)
    .option("--alerts <kind>", abouts.alerts, readers.alerts)
    .option("--yes", "Accept all defaults")
    .option(
      "--package <spec>",
      "Almanac package to install: a .tgz file or an npm version. Default in a checkout: a package built from it",
    )
    .option("--no-install", "Write the files, but do not install packages");

export const define: Define = (command) => {
  withOptions(command)
    .addHelpText(
      "after",
      `
In a terminal, it asks for values that no option sets. In the folder of an existing site, it lists missing and different files,
changes nothing and exits with 3. With --yes, it writes the missing ones. To get the new version of a file, remove it first. It
never asks for secrets: put them in .env. The file .env.example lists the names.

Example: create a site in two languages, stored in a bucket:
  almanac init stars --name "Morning Stars" --languages en,hi --site s3://stars/site`,
    )
    .action(async (folder = ".", options) => {
      process.exitCode = await init(resolve(folder), options);
    });
};

type InitOptions = ReturnType<ReturnType<typeof withOptions>["opts"]>;

async function init(folder: string, options: InitOptions) {
  const installed = installedSpec(await readIfThere(join(folder, "package.json")));
  const spec = installed === undefined ? packageSource(options.package, folder) : async () => installed;
  const { compared, written } = await writeProject(folder, spec, options);
  const installs = options.install && written.some(({ path }) => path === "package.json");
  if (installs) {
    say("installing packages with npm");
    await installPackages(folder);
  }
  const left = compared.filter((file) => file.state !== "same" && !written.includes(file));
  const isInstalled = installs || existsSync(join(folder, "node_modules", packageJson.name));
  const next = nextSteps(folder, isInstalled);
  const document = {
    folder,
    written: written.map(({ path }) => path),
    left: left.map(({ path, state }) => ({ path, state })),
    installed: isInstalled,
    next,
  };
  const width = Math.max(0, ...left.map(({ state }) => state.length));
  printAs(options.json, document, [
    written.map(({ path }) => `${styled("green", "written")}  ${path}`),
    left.map(({ path, state }) => `${styled("yellow", `kept, ${state.padEnd(width)}`)}  ${path}`),
    written.length + left.length === 0 && "nothing to write: all files are up to date",
    `next: ${styled("bold", next)}`,
  ]);
  return left.length > 0 ? exitCodes.incomplete : exitCodes.done;
}

function nextSteps(folder: string, isInstalled: boolean) {
  const way = relative(process.cwd(), folder);
  const quoted = /^[\w./-]*$/.test(way) ? way : JSON.stringify(way);
  const steps = [way !== "" && `cd ${quoted}`, !isInstalled && "npm install", "npm run local"];
  return steps.filter((step) => step !== false).join(" && ");
}

async function writeProject(folder: string, spec: () => Promise<string>, options: InitOptions) {
  const isNew = !existsSync(join(folder, "almanac.config.ts"));
  const answers = isNew ? await newAnswers(folder, options) : await knownAnswers(folder, options);
  const files = projectFiles(answers, await spec());
  await mkdir(folder, { recursive: true });
  const compared = await compareProject(folder, files);
  const isLossless = ({ state }: ComparedFile) => state === "missing" || state === "lacking";
  const written = isNew || options.yes === true ? compared.filter(isLossless) : [];
  for (const file of written) await writeProjectFile(folder, file);
  return { compared, written };
}

/** The answers for a new site. */
async function newAnswers(folder: string, options: InitOptions) {
  const usual = usualAnswers(folder);
  if (options.yes !== true && isTerminal()) {
    using interview = new Interview();
    return await completeAnswers(options, usual, interview);
  }
  if (options.yes === true || answerNames.some((one) => options[one] !== undefined))
    return completeAnswers(options, usual, undefined);
  throw new WrongUsage(
    "cannot ask questions without a terminal. Set --name, --id, --languages, --url, --site or --alerts, or accept all defaults with --yes",
  );
}

/** The answers for a site that is there, whose configuration is its owner's and is changed there. */
async function knownAnswers(folder: string, options: InitOptions) {
  const fixed = (["name", "id", "languages", "url"] as const).find((one) => options[one] !== undefined);
  if (fixed !== undefined) {
    throw new WrongUsage(`cannot set --${fixed}, because the site exists. Change it in almanac.config.ts`);
  }
  const environment = (await readIfThere(join(folder, ".env.example"))) ?? "";
  const usual = { ...usualAnswers(folder), ...answersIn(environment) };
  return completeAnswers(options, usual, undefined);
}

// The answers that no option gives.

/** The defaults: the folder's name, the languages of this system, and whatever needs no account. */
export function usualAnswers(folder: string): ProjectAnswers {
  const name = nameFrom(basename(folder));
  return {
    name,
    id: idFrom(name),
    languages: firstLanguages(languageNames, systemLocale()),
    url: configurationSchema.parse({}).site.url,
    site: "folder",
    alerts: "none",
  };
}

/** The answers given as options; the others come from the person at the terminal, or are the defaults. */
async function completeAnswers(
  given: Partial<ProjectAnswers>,
  usual: ProjectAnswers,
  interview: Interview | undefined,
): Promise<ProjectAnswers> {
  const answer = async <T>(one: keyof ProjectAnswers, usualText: string, read: (text: string) => T) =>
    interview === undefined ? read(usualText) : interview.answer(`${abouts[one]}:`, usualText, read);
  const name = given.name ?? (await answer("name", usual.name, readers.name));
  return {
    name,
    id: given.id ?? (await answer("id", idFrom(name), readers.id)),
    languages: given.languages ?? (await answer("languages", usual.languages.join(","), readers.languages)),
    url: given.url ?? (await answer("url", usual.url, readers.url)),
    site: given.site ?? (await answer("site", usual.site, readers.site)),
    alerts: given.alerts ?? (await answer("alerts", usual.alerts, readers.alerts)),
  };
}

/** `Étoiles du matin` is `etoiles-du-matin`. A name without Latin letters has the default. */
function idFrom(name: string): string {
  const letters = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const id = letters.replaceAll(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+/, "");
  return id.slice(0, 32).replace(/-+$/, "") || configurationSchema.parse({}).site.id;
}

/** `morning-stars` is Morning Stars. */
function nameFrom(folder: string) {
  const words = folder.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
  const name = words.map((word) => word.replace(/^./u, (letter) => letter.toUpperCase())).join(" ");
  const { site } = configurationSchema.parse({});
  return configurationSchema.safeParse({ site: { name } }).success ? name : site.name;
}
