// Programs that store a published site, each in a separate project. The first run of each program has its own process, with
// test:deep every run; the others run one after another in one process.
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { deep } from "../../support/deep.ts";
import { hosted } from "../../support/host.ts";
import type { World } from "./world.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The project's own files, which no site may touch. */
const own = [
  "project/package.json",
  "project/.vscode/tasks.json",
  "project/data/victim.json",
  "victim.json",
  "elsewhere/en/daily/latest.json",
];
const mine = '{ "type": "module", "name": "mine" }';

export interface Project {
  readonly folder: string;
  readonly run: (words: readonly string[]) => Promise<Ran>;
  /** Every file that was added, below the folder above the project; fails if one of the project's own files was changed. */
  readonly added: () => string[];
}

const ranSchema = z.object({ code: z.number(), out: z.string(), err: z.string() });
type Ran = z.infer<typeof ranSchema>;

const askHost = hosted(fileURLToPath(new URL("consumer-host.ts", import.meta.url)));
const started = new Set<string>();

async function runProgram(words: readonly string[], cwd: string): Promise<Ran> {
  const [script = ""] = words;
  if (!deep && started.has(script))
    return ranSchema.parse(await askHost({ kind: "start", id: 0, words, cwd }));
  started.add(script);
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

let packages: string | undefined;

/** The consumers' packages, copied once. */
function installedPackages(): string {
  if (packages !== undefined) return packages;
  const { ALMANAC_TEST_RUN: above = tmpdir() } = process.env;
  mkdirSync(above, { recursive: true });
  packages = join(mkdtempSync(join(above, "consumers-")), "node_modules/@almanac");
  for (const name of ["client", "eleventy", "astro"])
    cpSync(join(root, "packages", name), join(packages, name), {
      recursive: true,
      filter: (path) => !/example|node_modules$/.test(relative(root, path)),
    });
  return packages;
}

export function newProject(): Project {
  const above = mkdtempSync(join(tmpdir(), "almanac-consumer-"));
  onTestFinished(() => rmSync(above, { recursive: true }));
  const folder = join(above, "project");
  for (const path of own) {
    mkdirSync(dirname(join(above, path)), { recursive: true });
    writeFileSync(join(above, path), mine);
  }
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(installedPackages(), join(folder, "node_modules/@almanac"));
  return {
    folder,
    run: (words) => runProgram(words, folder),
    added() {
      const entries = readdirSync(above, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(above, join(entry.parentPath, entry.name)));
      const changed = own.filter(
        (path) => !files.includes(path) || readFileSync(join(above, path), "utf8") !== mine,
      );
      if (changed.length > 0) throw new Error(`changed or removed: ${changed.join(", ")}`);
      return files.filter((path) => !own.includes(path) && !path.startsWith("project/node_modules/"));
    },
  };
}

/** Replaces the folder of pulled files below `v1` by a link to a folder outside the project. */
export function linkElsewhere({ folder }: Project, path: string): void {
  rmSync(join(folder, path), { recursive: true, force: true });
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(join(folder, "../elsewhere"), join(folder, path));
}

interface Consumer {
  readonly name: string;
  /** Fetches the site with the keys that it pins. Default: all of them. */
  readonly take: (project: Project, world: World, keys?: readonly string[]) => Promise<Ran>;
  /** The published paths that it has. */
  readonly has: (project: Project, ran: Ran) => string[];
}

const pull = "node_modules/@almanac/client/almanac-pull.js";
const note = "project/data/almanac/pulled.json";

function inFolder(project: Project): string[] {
  return project
    .added()
    .filter((path) => path !== note)
    .map((path) => path.replace("project/data/almanac/", ""))
    .toSorted();
}

/** A pull, with the words that the manual of an integration has before the build. */
function pulling(name: string, manual?: string): Consumer {
  const text = manual === undefined ? "" : readFileSync(join(root, manual), "utf8");
  const [, words = ""] =
    /^node almanac-pull\.js https:\/\/almanac\.example data\/almanac(.*?) && /m.exec(text) ?? [];
  const more = words
    .replace(/ --key \S+/, "")
    .split(" ")
    .filter(Boolean);
  return {
    name,
    take: ({ run }, { url }, keys = []) =>
      run([pull, url, "data/almanac", ...more, ...keys.flatMap((key) => ["--key", key])]),
    has: inFolder,
  };
}

/** A program of the project's own; it ends with 9 if an object that it never touched has a new property. */
function program(script: string, code: string): Consumer["take"] {
  return async ({ folder, run }, { url, now }, keys) => {
    const place = join(folder, script);
    const options = `{ url: ${JSON.stringify(url)}, keys: ${JSON.stringify(keys)}, now: () => ${now} }`;
    const last =
      "for (const name in {}) { console.error('every object has ' + name); process.exitCode = 9; }";
    writeFileSync(place, `${code.replace("OPTIONS", options)}\n${last}\n`);
    const ran = await run([script]);
    rmSync(place);
    return ran;
  };
}

export const consumers: readonly Consumer[] = [
  pulling("almanac-pull.js"),
  pulling("Hugo's recipe", "packages/hugo/README.md"),
  pulling("Next's recipe", "packages/next/README.md"),
  {
    name: "Eleventy's plugin",
    take: program(
      "build-eleventy.js",
      `import almanac from "@almanac/eleventy";
      let load;
      almanac({ addGlobalData: (_, made) => void (load = made) }, { ...OPTIONS, folder: "data/almanac" });
      const data = await load();
      if (data.en.daily.latest.readings === undefined) throw new Error("no readings");`,
    ),
    has: inFolder,
  },
  {
    name: "Astro's loader",
    take: program(
      "build-astro.js",
      `import { almanacLoader } from "@almanac/astro";
      import { readFileSync, writeFileSync } from "node:fs";
      const saved = (() => { try { return JSON.parse(readFileSync("node_modules/.astro", "utf8")); } catch {} })();
      const [entries, about] = [new Map(saved?.entries), new Map(saved?.about)];
      const store = { get: (id) => entries.get(id), set: (one) => entries.set(one.id, one), keys: () => [...entries.keys()],
        delete: (id) => entries.delete(id) };
      const logger = { info: console.log, warn: console.error };
      try {
        await almanacLoader(OPTIONS).load({ store, meta: about, logger, parseData: ({ data }) => data });
      } finally {
        writeFileSync("node_modules/.astro", JSON.stringify({ entries: [...entries], about: [...about] }));
        console.log(JSON.stringify([...entries.keys()]));
      }`,
    ),
    has: (project, { out }) => {
      if (project.added().length > 0) throw new Error(`wrote ${project.added().join(", ")}`);
      const ids: unknown = JSON.parse(out.trim().split("\n").at(-1) ?? "");
      return Array.isArray(ids) ? ids.map((id) => `v1/${String(id)}.json`).toSorted() : [];
    },
  },
];
