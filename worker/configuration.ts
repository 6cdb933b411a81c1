// Loads almanac.config.ts, if there is one, and says all at once what is wrong with it.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { longestAttemptMs } from "../activities/limits.ts";
import { UnusableKey } from "../activities/publish/signature.ts";
import {
  type Configuration,
  type ConfigurationInput,
  configurationSchema,
} from "../readings/configuration.schema.ts";
import { guessLanguage } from "../readings/languages.ts";
import { contrastProblems } from "../site/palette.ts";
import { nearestName } from "./nearest.ts";
import { publicKeysOf } from "./signer.ts";
import { UnusableStylesheet, withStylesheet } from "./stylesheet.ts";

const module = z.object({ default: z.unknown() });

/** The configuration is not usable; the message names every setting that is wrong. */
export class WrongConfiguration extends Error {
  override readonly name = "WrongConfiguration";
}

/** For almanac.config.ts: `export default defineConfig({ ... })` knows every setting. */
export function defineConfig(configuration: ConfigurationInput): ConfigurationInput {
  return configuration;
}

/** `named` comes from ALMANAC_CONFIG and must be there; without it almanac.config.ts may be absent. */
export async function loadConfiguration(named: string | undefined, folder: string): Promise<Configuration> {
  const file = resolve(folder, named ?? "almanac.config.ts");
  if (!existsSync(file)) {
    if (named === undefined) return configurationSchema.parse({});
    throw new WrongConfiguration(`ALMANAC_CONFIG names ${file}, and there is no such file`);
  }
  const configuration = parseConfiguration(await importDefault(file), file);
  try {
    return withStylesheet(configuration, file);
  } catch (error) {
    if (!(error instanceof UnusableStylesheet)) throw error;
    throw new WrongConfiguration(`${file} is not right:\n  ${error.message}`, { cause: error });
  }
}

export function parseConfiguration(given: unknown, file: string): Configuration {
  const parsed = configurationSchema.safeParse(given);
  const problems = parsed.success
    ? [...deadlineProblems(parsed.data), ...keyProblems(parsed.data), ...colorProblems(parsed.data)]
    : parsed.error.issues.map(
        (issue) => `  ${issue.path.join(".") || "(all of it)"}: ${explain(issue, given)}`,
      );
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new WrongConfiguration([`${file} is not right:`, ...problems].join("\n"));
}

function deadlineProblems(configuration: Configuration): string[] {
  const { deadlineHours } = configuration.schedule;
  const attemptHours = longestAttemptMs(configuration) / 3_600_000;
  if (attemptHours < deadlineHours) return [];
  const enough = Math.ceil(attemptHours * 100 + 1) / 100;
  return [
    `  schedule.deadlineHours: ${deadlineHours} is over before one attempt at a call need be: give it ${enough} or more, or lower service.answerTimeoutSeconds`,
  ];
}

function keyProblems({ publishing }: Configuration): string[] {
  try {
    publicKeysOf(publishing.publicKeys);
    return [];
  } catch (error) {
    if (error instanceof UnusableKey) return [`  ${error.message}`];
    throw error;
  }
}

function colorProblems({ site }: Configuration): string[] {
  return contrastProblems(site.colors).map((problem) => `  ${problem}`);
}

async function importDefault(file: string): Promise<unknown> {
  try {
    return module.parse(await import(pathToFileURL(file).href)).default;
  } catch (cause) {
    const why = cause instanceof z.ZodError ? "it has no default export" : String(cause);
    throw new WrongConfiguration(`${file} can't be loaded: ${why}`, { cause });
  }
}

function explain(issue: z.core.$ZodIssue, given: unknown): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys
        .map((key) => `"${key}" is no setting${meant(nearestName(key, knownKeys(issue.path)))}`)
        .join("; ");
    case "invalid_value": {
      const seen = valueAt(given, issue.path);
      const text = typeof seen === "string" ? seen : "";
      const known = issue.values.map(String);
      const language = known.includes("el") ? guessLanguage(text) : undefined;
      return `${JSON.stringify(seen)} is none of ${known.join(", ")}${meant(language ?? nearestName(text, known))}`;
    }
    default: {
      const seen = valueAt(given, issue.path);
      const shown = typeof seen === "object" ? "" : `, not ${JSON.stringify(seen)}`;
      return `${issue.message}${shown}`;
    }
  }
}

function meant(guess: string | undefined): string {
  return guess === undefined ? "" : `; did you mean "${guess}"?`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** What has no default is in no parsed configuration. */
const optionalKeys: Readonly<Record<string, readonly string[]>> = {
  "": ["pairs"],
  service: ["callsPerDay"],
  site: ["colors", "footer", "stylesheet"],
  "site.colors": ["light", "dark"],
  "site.colors.light": ["accent", "paper", "ink"],
  "site.colors.dark": ["accent", "paper", "ink"],
  "site.footer": ["text", "link"],
  pictures: ["mirror"],
  "pictures.mirror": ["hosts", "mostBytes"],
};

/** The settings beside an unknown one, read off the schema's own defaults. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  const place = valueAt(configurationSchema.parse({}), path);
  return [...Object.keys(Object(place)), ...(optionalKeys[path.join(".")] ?? [])];
}
