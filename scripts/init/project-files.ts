// The files of a new project: builds them from the answers, and writes them.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { Language } from "../../readings/tables.ts";
import { siblingVault } from "../../worker/opened-site.ts";

export const alertKinds = ["none", "webhook", "slack", "mail"] as const;

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

interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** `spec` is the package spec that npm installs as Almanac. */
export function projectFiles(answers: ProjectAnswers, spec: string): ProjectFile[] {
  const { name, id, languages, url, site, alerts } = answers;
  const vault = siblingVault(site);
  const kind = vault === undefined ? "folder" : "bucket";
  // The Node that a project runs on, for each platform, so that it starts on a machine with an older one.
  const node = JSON.stringify(packageJson.optionalDependencies, null, 2).replaceAll("\n", "\n  ");
  const words = {
    almanac: packageJson.name,
    package: literal(spec),
    node,
    title: name.replaceAll(/[\\`*_[\]<>#&]/g, "\\$&"),
    name: literal(name),
    id: literal(id),
    url: literal(url),
    languages: literal(languages),
    site,
    vault: vault ?? "",
  };
  const file = (path: string, from: string) => ({ path, text: template(from, words, [kind, alerts]) });
  return [
    file("package.json", "package.json"),
    file("almanac.config.ts", "configuration"),
    file("theme/theme.ts", "theme"),
    file(".env.example", "environment"),
    file(".env", "own-environment"), // Node says at each start that it is not there
    file(".gitignore", "gitignore"),
    file("README.md", "readme"),
    file(".github/workflows/check.yml", "workflow"),
    ...(kind === "bucket" ? [] : webServerFiles.map(deployed)),
  ];
}

/** A literal of JSON, and in the configuration of TypeScript. */
function literal(value: string | readonly string[]) {
  return JSON.stringify(value).replaceAll('","', '", "');
}

/** Fills in a template and drops the sections for other answers. */
function template(
  name: string,
  words: Readonly<Record<string, string>>,
  sections: readonly string[],
): string {
  return readFileSync(new URL(`templates/${name}.txt`, import.meta.url), "utf8")
    .replaceAll(/\{\{#(\w+)\}\}\n(.*?)\{\{\/\1\}\}\n/gs, (_, section: string, text: string) =>
      sections.includes(section) ? text : "",
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => {
      const value = words[word];
      if (value === undefined) throw new Error(`${name}.txt has {{${word}}}, which nothing fills in`);
      return value;
    });
}

/** Lets a project follow docs/hosting.md with the same commands. The URLs are literals, because the packager copies their files. */
const webServerFiles = [
  { path: "deploy/nginx/almanac.conf", from: new URL("../../deploy/nginx/almanac.conf", import.meta.url) },
  { path: "deploy/caddy/Caddyfile", from: new URL("../../deploy/caddy/Caddyfile", import.meta.url) },
];

function deployed({ path, from }: (typeof webServerFiles)[number]): ProjectFile {
  return { path, text: readFileSync(from, "utf8") };
}

/** False if the file exists, which is kept. */
export async function writeProjectFile(folder: string, { path, text }: ProjectFile): Promise<boolean> {
  const file = join(folder, path);
  if (existsSync(file)) return false;
  await mkdir(dirname(file), { recursive: true });
  const mode = path === ".env" ? 0o600 : 0o666; // it is to hold credentials
  await writeFile(file, text, { flag: "wx", mode });
  return true;
}
