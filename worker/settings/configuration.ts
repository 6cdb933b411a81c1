// The project of a command, and its almanac.config.ts, if there is one. An error lists all problems of the configuration.
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { longestAttemptMs } from "../../service/limits.ts";
import { UnusableKey } from "../../publish/step/pointer.ts";
import { type Configuration, configurationSchema } from "../../readings/configuration.schema.ts";
import { languagesOf } from "../../readings/tables.ts";
import { explain, explained, WrongConfiguration } from "./configuration-problems.ts";
import { publicKeysOf } from "./credentials.ts";
import type { Environment } from "./environment.ts";

const module = z.object({ default: z.unknown() });

/** `named` comes from ALMANAC_CONFIG and must be there; without it almanac.config.ts may be absent. */
export async function loadConfiguration(named: string | undefined, folder: string): Promise<Configuration> {
  const file = configurationFile(named, folder);
  if (!existsSync(file)) {
    if (named === undefined) return configurationSchema.parse({});
    throw new WrongConfiguration(`ALMANAC_CONFIG names ${file}, which does not exist`, []);
  }
  return parseConfiguration(await importDefault(file), file);
}

export function configurationFile(named: string | undefined, folder: string): string {
  return resolve(folder, named ?? "almanac.config.ts");
}

export function parseConfiguration(given: unknown, file: string): Configuration {
  const { data, error } = configurationSchema.safeParse(given, explained);
  const problems = error === undefined ? problemsBetween(data) : error.issues.map((issue) => explain(issue));
  if (data !== undefined && problems.length === 0) return data;
  throw new WrongConfiguration(`invalid settings in ${file}:`, problems);
}

/** Problems between settings that are right by themselves. */
function problemsBetween(configuration: Configuration) {
  return [deadlineProblems, keyProblems, twinProblems, emptyProblems].flatMap((problemsIn) =>
    problemsIn(configuration),
  );
}

function deadlineProblems(configuration: Configuration) {
  const { deadlineHours } = configuration.schedule;
  const attemptHours = longestAttemptMs(configuration) / 3_600_000;
  if (attemptHours < deadlineHours) return [];
  const enough = Math.ceil(attemptHours * 100 + 1) / 100;
  return [
    `schedule.deadlineHours: ${deadlineHours} is shorter than one attempt of a call. Set it to ${enough} or more, or lower service.answerTimeoutSeconds`,
  ];
}

function keyProblems({ publishing }: Configuration) {
  try {
    publicKeysOf(publishing.publicKeys);
    return [];
  } catch (error) {
    if (error instanceof UnusableKey) return [error.message];
    throw error;
  }
}

/** People with the same id, of whom only one could have a page. */
function twinProblems({ people }: Configuration) {
  const firsts = new Map(people.map(({ id }, index) => [id, index] as const).toReversed());
  return people.flatMap(({ id }, index) => {
    const first = firsts.get(id);
    if (first === index) return [];
    return [`people.${index}.id: "${id}" is already the ID of people.${first}. Give each person a unique ID`];
  });
}

function emptyProblems({ languages, operations }: Configuration) {
  if (operations.some((one) => languagesOf(one).some((language) => languages.includes(language)))) return [];
  return [
    `operations: the service offers none of ${operations.join(", ")} in ${languages.join(", ")}. \`almanac reading --list\` lists its operations`,
  ];
}

async function importDefault(file: string): Promise<unknown> {
  try {
    return module.parse(await import(pathToFileURL(file).href)).default;
  } catch (cause) {
    const why =
      cause instanceof z.ZodError ? "it has no default export" : `${String(cause)}${remedyOf(cause)}`;
    throw new WrongConfiguration(`cannot load ${file}: ${why}`, [], { cause });
  }
}

/** For a configuration that came out of a checkout, where it named one of the checkout's files. */
function remedyOf(cause: unknown) {
  if (!/Cannot find module \S+\/worker\/(?:settings\/)?\w+\.ts\W/.test(String(cause))) return "";
  return `. Outside the checkout, use \`import { defineConfig } from "${packageJson.name}"\``;
}

/** Thrown in a folder that nothing makes a project. Nobody would want a default site. */
export class NoProject extends Error {
  override readonly name = "NoProject";

  constructor(folder: string) {
    super(
      `${folder} has no almanac.config.ts, so there is no project here. Change to a project's folder, or create a project: \`almanac init stars\``,
    );
  }
}

export function requireProject(
  { configPath, vault, site }: Pick<Environment, "configPath" | "vault" | "site">,
  folder: string,
): void {
  if (configPath !== undefined || vault !== undefined || site !== undefined) return;
  // A checkout shows its default site, and a folder with .almanac/ was already used as a project.
  const signs = [configurationFile(undefined, folder), ".almanac", "scripts/almanac.ts"];
  if (signs.some((path) => existsSync(resolve(folder, path)))) return;
  if (!hasOurVariables(resolve(folder, ".env"))) throw new NoProject(folder);
}

/** Other programs also have a `.env`, and Python may have a folder of that name. */
function hasOurVariables(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const names = Object.keys(parseEnv(readFileSync(file, "utf8")));
  return names.some((name) => /^(?:ALMANAC|READING_SERVICE|TEMPORAL)_/.test(name));
}
