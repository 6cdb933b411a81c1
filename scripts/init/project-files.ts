// The files of a project, from its answers: templates that are files themselves, with few words to fill in.
import { readFileSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import { vaultBeside } from "../../worker/settings/vault-beside.ts";
import type { ProjectAnswers } from "./answers.ts";
import { webServerFiles } from "./web-server-files.ts";
import { workerUnit } from "./worker-unit.ts";

export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  /** Made once, and the owner's from then on: another text in it is no difference. */
  readonly isOwners?: true;
}

/** `spec` is what npm is to install as Almanac. */
export function projectFiles(answers: ProjectAnswers, spec: string): ProjectFile[] {
  const { name, id, languages, url } = answers;
  const stores = storesOf(answers);
  const kind = stores === undefined ? "folder" : "bucket";
  const environment = {
    stores: template(`stores-${kind}`, stores),
    alarms: template(`alarms-${answers.alarms}`),
  };
  const readme = {
    title: markdown(name),
    host: template(`host-${kind}`, stores),
    readers: template(`readers-${kind}`),
  };
  const settings = { id: code(id), name: code(name), url: code(url), languages: code(languages) };
  return [
    {
      path: "package.json",
      text: `${template("package.json", { package: code(spec), node: lockedNode() })}\n`,
    },
    owners("almanac.config.ts", "configuration", settings),
    owners("theme/theme.ts", "theme"),
    { path: ".env.example", text: `${template("environment", environment)}\n` },
    owners(".env", "own-environment"), // Node says at each start that it is not there
    { path: ".gitignore", text: `${template("gitignore")}\n` },
    owners("README.md", "readme", readme),
    { path: ".github/workflows/check.yml", text: `${template("workflow")}\n` },
    ...(kind === "folder" ? webServerFiles() : []),
    { path: "deploy/almanac-worker.service", text: workerUnit(kind) },
  ];
}

/** The Node that a project runs on, for each platform, so that it starts on a machine with an older one. */
function lockedNode() {
  return JSON.stringify(packageJson.optionalDependencies, null, 2).replaceAll("\n", "\n  ");
}

function owners(path: string, from: string, words: Words = {}): ProjectFile {
  return { path, text: `${template(from, words)}\n`, isOwners: true };
}

function storesOf({ site }: ProjectAnswers) {
  const vault = vaultBeside(site);
  return vault === undefined ? undefined : { site, vault };
}

/** The answers that a project's .env.example shows. */
export function answersIn(environment: string): Pick<ProjectAnswers, "site" | "alarms"> {
  const [, bucket] = /^ALMANAC_SITE=(s3:.+)$/m.exec(environment) ?? [];
  const [, form] = /^ALMANAC_ALERT_FORM=(json|slack)$/m.exec(environment) ?? [];
  const withoutForm = /^ALMANAC_PING_URL=/m.test(environment) ? "mail" : "none";
  const alarms = form === undefined ? withoutForm : form === "json" ? "webhook" : "slack";
  return { site: bucket ?? "folder", alarms };
}

type Words = Readonly<Record<string, string>>;

/** Without the line end that every file has. */
function template(name: string, words: Words = {}): string {
  const text = readFileSync(new URL(`templates/${name}.txt`, import.meta.url), "utf8").trimEnd();
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => {
    const value = word === "almanac" ? packageJson.name : words[word];
    if (value === undefined) throw new Error(`${name}.txt has {{${word}}}, which nothing fills in`);
    return value;
  });
}

/** As a literal of JSON, and in the configuration of TypeScript. */
function code(value: string | readonly string[]) {
  return JSON.stringify(value).replaceAll('","', '", "');
}

function markdown(text: string) {
  return text.replaceAll(/[\\`*_[\]<>#&]/g, "\\$&");
}
