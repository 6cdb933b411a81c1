// The six answers that a project is created from. Each is validated by the rules of the configuration and the stores.
import { basename } from "node:path";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { type Language, languageNames } from "../../readings/tables.ts";
import { explain } from "../../worker/settings/configuration-problems.ts";
import { siblingVault } from "../../worker/opened-site.ts";
import { firstLanguages, systemLocale } from "../local/first-languages.ts";
import { WrongUsage } from "../terminal/errors.ts";
import type { Interview } from "../terminal/interview.ts";
import { languagesIn, oneOf } from "../terminal/options.ts";
import { plainLine } from "../terminal/output.ts";

const alertKinds = ["none", "webhook", "slack", "mail"] as const;

export interface ProjectAnswers {
  readonly name: string;
  /** The first word of everything that the site has on Temporal. */
  readonly id: string;
  readonly languages: readonly Language[];
  readonly url: string;
  /** `folder`, or the URL of a bucket: `s3://bucket/prefix`. */
  readonly site: string;
  readonly alerts: (typeof alertKinds)[number];
}

export const answerNames = ["name", "id", "languages", "url", "site", "alerts"] as const;

/** Parsers of the answers. Each throws if the text is invalid. */
export const answerReaders = {
  name: (text: string) => setting("name", plainLine(text).trim()),
  id: (text: string) => setting("id", text.trim()),
  languages: languagesIn,
  url: (text: string) => setting("url", text.trim()),
  site: (text: string) => {
    const site = text.trim().replace(/\/+$/, "");
    if (site === "folder" || siblingVault(site) !== undefined) return site;
    throw new WrongUsage("--site must be the word folder, or a bucket such as s3://my-stars/site");
  },
  alerts: oneOf("kind of alerts", alertKinds),
};

function setting(name: "name" | "id" | "url", value: string): string {
  const given = { site: { [name]: value } };
  const [issue] = configurationSchema.safeParse(given).error?.issues ?? [];
  if (issue === undefined) return value;
  throw new WrongUsage(`--${name}: ${explain(issue, given).replace(/^[\w.]+: /, "")}`);
}

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
export async function completeAnswers(
  given: Partial<ProjectAnswers>,
  usual: ProjectAnswers,
  interview: Interview | undefined,
): Promise<ProjectAnswers> {
  const answer = async <T>(question: string, usualText: string, read: (text: string) => T) =>
    interview === undefined ? read(usualText) : interview.answer(question, usualText, read);
  const read = answerReaders;
  const name = given.name ?? (await answer("Name of the site:", usual.name, read.name));
  const whichId = "ID of the site, unique on its Temporal server:";
  const inWhich = "Languages, as codes such as en,hi:";
  const where = "Storage of the site: folder, or s3://bucket/prefix:";
  const who = "Receiver of alerts: none, webhook, slack or mail:";
  return {
    name,
    id: given.id ?? (await answer(whichId, idFrom(name), read.id)),
    languages: given.languages ?? (await answer(inWhich, usual.languages.join(","), read.languages)),
    url: given.url ?? (await answer("URL of the site:", usual.url, read.url)),
    site: given.site ?? (await answer(where, usual.site, read.site)),
    alerts: given.alerts ?? (await answer(who, usual.alerts, read.alerts)),
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
