// The six answers of which a project is made. Each is checked as the configuration and the stores will check it.
import { basename } from "node:path";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { type Language, languageNames } from "../../readings/languages.ts";
import { explain } from "../../worker/settings/configuration-problems.ts";
import { vaultBeside } from "../../worker/settings/vault-beside.ts";
import { firstLanguages, systemLocale } from "../local/first-languages.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { languagesIn, oneOf } from "../terminal/options.ts";
import { plainLine } from "../terminal/output.ts";

const alarmKinds = ["none", "webhook", "slack", "mail"] as const;
export type Alarms = (typeof alarmKinds)[number];

export interface ProjectAnswers {
  readonly name: string;
  /** The first word of everything that the site has on Temporal. */
  readonly id: string;
  readonly languages: readonly Language[];
  readonly url: string;
  /** `folder`, or the address of a bucket: `s3://bucket/prefix`. */
  readonly site: string;
  readonly alarms: Alarms;
}

/** From what a person gives to an answer; throws for what the site could not be made with. */
export const answerReaders = {
  name: (text: string): string => {
    const name = plainLine(text).trim();
    requireSetting("--name", { site: { name } });
    return name;
  },
  id: (text: string): string => {
    const id = text.trim();
    requireSetting("--id", { site: { id } });
    return id;
  },
  languages: languagesIn,
  url: (text: string): string => {
    const url = text.trim();
    requireSetting("--url", { site: { url } });
    return url;
  },
  site: (text: string): string => {
    const site = text.trim().replace(/\/+$/, "");
    if (site === "folder") return site;
    if (vaultBeside(site) !== undefined) return site;
    throw new WrongUsage("--site takes the word folder, or a bucket such as s3://my-stars/site");
  },
  alarms: oneOf("--alarms", alarmKinds),
};

/** What is not told: a name from the folder's, the languages of whoever sits here, and whatever needs no account. */
export function usualAnswers(folder: string): ProjectAnswers {
  const name = nameFrom(basename(folder));
  return {
    name,
    id: idFrom(name),
    languages: firstLanguages(languageNames, systemLocale()),
    url: configurationSchema.parse({}).site.url,
    site: "folder",
    alarms: "none",
  };
}

export const answerNames = ["name", "id", "languages", "url", "site", "alarms"] as const;

export function withUsual(given: Partial<ProjectAnswers>, usual: ProjectAnswers): ProjectAnswers {
  const { name = usual.name, languages = usual.languages, url = usual.url } = given;
  const { id = given.name === undefined ? usual.id : idFrom(name) } = given;
  return { name, id, languages, url, site: given.site ?? usual.site, alarms: given.alarms ?? usual.alarms };
}

/** `Étoiles du matin` is `etoiles-du-matin`. A name without Latin letters has the default. */
export function idFrom(name: string): string {
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

function requireSetting(option: string, given: object) {
  const [issue] = configurationSchema.safeParse(given).error?.issues ?? [];
  if (issue === undefined) return;
  throw new WrongUsage(`${option}: ${explain(issue, given).replace(/^[\w.]+: /, "")}`);
}
