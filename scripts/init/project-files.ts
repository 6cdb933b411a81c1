// The files of a project: builds them from the answers, compares them with a folder, and writes them there.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import type { Language } from "../../readings/tables.ts";
import { siblingVault } from "../../worker/opened-site.ts";
import { unitOf } from "../service/units.ts";
import { WrongUsage } from "../terminal/errors.ts";

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
  /** Written once and then owned by the user: later changes are not reported as differences. */
  readonly isOwners?: true;
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
  const owners = (path: string, from: string) => ({ ...file(path, from), isOwners: true }) as const;
  return [
    file("package.json", "package.json"),
    owners("almanac.config.ts", "configuration"),
    owners("theme/theme.ts", "theme"),
    file(".env.example", "environment"),
    owners(".env", "own-environment"), // Node says at each start that it is not there
    file(".gitignore", "gitignore"),
    owners("README.md", "readme"),
    file(".github/workflows/check.yml", "workflow"),
    ...(kind === "bucket" ? [] : webServerFiles.map(deployed)),
    { path: "deploy/almanac-worker.service", text: workerUnit(kind) },
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

const command = `/usr/bin/node /opt/almanac/node_modules/${packageJson.name}/scripts/almanac.js`;
const unitHead =
  "# The worker on a server: this project in /opt/almanac, Node as /usr/bin/node. README.md lists the files in /etc/almanac.\n";

/** The unit of deploy/systemd for a package whose project is in /opt/almanac. */
function workerUnit(kind: "folder" | "bucket"): string {
  const unit = unitOf("worker", {
    Documentation: "file:///opt/almanac/README.md",
    ExecStart: `${command} worker`,
    // Creates or updates the schedules. A paused one stays paused.
    ExecStartPost: `${command} schedule apply --unless-removed`,
    Environment: [
      "NODE_ENV=production ALMANAC_CONFIG=/opt/almanac/almanac.config.ts ALMANAC_MONITOR_ADDRESS=9464 ALMANAC_DRAIN_SECONDS=45",
      "READING_SERVICE_TOKEN_FILE=%d/token READING_SERVICE_API_KEY_FILE=%d/api-key",
    ],
    // A web server reads the folder, so its owner can't be a dynamic user.
    ...(kind === "folder" && {
      DynamicUser: [],
      User: "almanac",
      ReadWritePaths: "/srv/almanac/site",
      UMask: "0022",
    }),
  });
  return `${unitHead}${unit}`;
}

/** The answers that a project's .env.example shows. */
export function answersIn(environment: string): Pick<ProjectAnswers, "site" | "alerts"> {
  const [, bucket] = /^ALMANAC_SITE=(s3:.+)$/m.exec(environment) ?? [];
  const [, form] = /^ALMANAC_ALERT_FORM=(json|slack)$/m.exec(environment) ?? [];
  const withoutForm = /^ALMANAC_PING_URL=/m.test(environment) ? "mail" : "none";
  const alerts = form === undefined ? withoutForm : form === "json" ? "webhook" : "slack";
  return { site: bucket ?? "folder", alerts };
}

export interface ComparedFile {
  readonly path: string;
  /** The text to write. */
  readonly text: string;
  /** The text on disk. */
  readonly there: string | undefined;
  /** `lacking`: only added to, nothing of the owner's is lost. */
  readonly state: "same" | "missing" | "lacking" | "different";
}

export async function readIfThere(path: string): Promise<string | undefined> {
  return existsSync(path) ? readFile(path, "utf8") : undefined;
}

export async function compareProject(folder: string, files: readonly ProjectFile[]): Promise<ComparedFile[]> {
  return Promise.all(
    files.map(async ({ path, text, isOwners }): Promise<ComparedFile> => {
      const there = await readIfThere(join(folder, path));
      if (there === undefined) return { path, text, there, state: "missing" };
      if (isOwners === true || there === text) return { path, text, there, state: "same" };
      if (path !== "package.json") return { path, text, there, state: "different" };
      const whole = withLacking(there, text);
      return { path, text: whole, there, state: whole === there ? "same" : "lacking" };
    }),
  );
}

/** Creates a missing file only if it is still missing, so that no unseen file is overwritten. */
export async function writeProjectFile(folder: string, { path, text, there }: ComparedFile): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const mode = path === ".env" ? 0o600 : 0o666; // it is to hold credentials
  await writeFile(file, text, { flag: there === undefined ? "wx" : "w", mode });
}

const record = z.record(z.string(), z.unknown());
const named = z.looseObject({
  name: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});

/** The package spec of Almanac in a package.json. Throws in a checkout, which is Almanac itself, not a site. */
export function installedSpec(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { name, dependencies } = readPackage(text, named);
  if (name === packageJson.name) {
    throw new WrongUsage(
      "this folder is the Almanac checkout. Name another folder for the site, such as `almanac init ../stars`",
    );
  }
  return dependencies?.[packageJson.name];
}

/** Adds the missing parts of a project to a package.json; returns the same text if none are missing. */
function withLacking(there: string, wanted: string): string {
  const own = readPackage(there, record);
  const whole = merged(own, readPackage(wanted, record));
  return JSON.stringify(whole) === JSON.stringify(own) ? there : `${JSON.stringify(whole, null, 2)}\n`;
}

function merged(own: Record<string, unknown>, wanted: Record<string, unknown>): Record<string, unknown> {
  const whole = { ...own };
  for (const [key, value] of Object.entries(wanted)) {
    const part = record.safeParse(own[key]);
    const wantedPart = record.safeParse(value);
    if (!Object.hasOwn(own, key)) whole[key] = value;
    else if (part.success && wantedPart.success) whole[key] = merged(part.data, wantedPart.data);
  }
  return whole;
}

function readPackage<T>(text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new WrongUsage("package.json is not valid JSON. Fix it, or remove it");
  }
}
