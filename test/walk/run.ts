// `npm run walk`: the files that one night passes through. Runs `almanac local --once` with one language and one operation, 24
// readings, in an empty folder, and prints each product file of which a function ran, in the order of first entry, then the count.
// `-- --check` compares them with the list in docs/architecture.md, and `-- --write` writes that list.
//
// V8 coverage says which files count: any function of the file but the module itself ran. Whatever its kind, a file counts by
// this rule only; a file that just defines data does not. `scripts/`, `packages/sandbox/` and the bundled workflows are left out.
// Coverage has no order, so that comes from V8's log: V8 compiles a function when it is first called. Two files that different
// timers enter may change places from run to run. So the check compares the files and not their order.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { z } from "zod";
import { zonesAtNoon } from "../support/noon.ts";
import { temporalExecutable } from "../support/temporal.ts";

const root = new URL("../../", import.meta.url);
const pageFile = new URL("docs/architecture.md", root);
const listForm = /<!-- walk -->\n(.*?)<!-- \/walk -->/s;
const aside = /^(?:node_modules|packages|scripts|test)\//;

const coverageShape = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ ranges: z.array(z.object({ count: z.number() })) })),
    }),
  ),
});
const nightShape = z.object({ state: z.literal("done"), planned: z.literal(24) });

/** Runs the night under coverage, and answers the process's id, by which the files in the folder are named. */
async function runNight(folder: string): Promise<string> {
  const configuration = { languages: ["en"], operations: ["daily-horoscope"], zones: zonesAtNoon() };
  await writeFile(join(folder, "almanac.config.ts"), `export default ${JSON.stringify(configuration)};\n`);
  const logging = ["--log-function-events", `--logfile=${join(folder, "v8.log")}`];
  const entry = new URL("scripts/almanac.js", root).pathname;
  const night = promisify(execFile)(process.execPath, [...logging, entry, "local", "--once", "--json"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      LANG: "en_US.UTF-8",
      TEMPORAL_CLI_PATH: await temporalExecutable(),
      NODE_V8_COVERAGE: join(folder, "coverage"),
      NODE_DISABLE_COMPILE_CACHE: "1", // cached functions are not compiled when they are first called
      MALLOC_ARENA_MAX: "2", // otherwise the command starts itself again, which would begin a second log
    },
  });
  nightShape.parse(JSON.parse((await night).stdout));
  return String(night.child.pid);
}

/** The path in the repository of a product file that counts, or undefined. */
function productFile(url: string): string | undefined {
  const path = url.startsWith(root.href) ? url.slice(root.href.length) : undefined;
  return path === undefined || aside.test(path) ? undefined : path;
}

async function filesThatRan(folder: string, pid: string): Promise<ReadonlySet<string>> {
  const ran = new Set<string>();
  for (const name of await readdir(join(folder, "coverage"))) {
    if (!name.startsWith(`coverage-${pid}-`)) continue; // the sandbox is another process
    const coverage: unknown = JSON.parse(await readFile(join(folder, "coverage", name), "utf8"));
    for (const { url, functions } of coverageShape.parse(coverage).result) {
      const path = productFile(url);
      const [, ...withoutModule] = functions;
      if (path !== undefined && withoutModule.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
        ran.add(path);
    }
  }
  return ran;
}

/** Sorts these files by the order in which V8 first compiled one of their functions. The main thread's log has them all. */
async function inOrderOfEntry(
  folder: string,
  pid: string,
  ran: ReadonlySet<string>,
): Promise<readonly string[]> {
  const entered = new Set<string>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith(`-${pid}-v8.log`)) continue;
    const paths = new Map<string, string>();
    for (const line of (await readFile(join(folder, name), "utf8")).split("\n")) {
      const [event, kind = "", third = "", fourth] = line.split(",");
      const path = event === "script-details" ? productFile(third) : undefined;
      if (path !== undefined) paths.set(kind, path);
      if (event !== "function" || kind !== "interpreter" || fourth === "0") continue; // 0: the module itself
      const at = paths.get(third);
      if (at !== undefined && ran.has(at)) entered.add(at);
    }
  }
  return [...entered, ...[...ran].filter((path) => !entered.has(path))];
}

async function walk(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-walk-"));
  try {
    const pid = await runNight(folder);
    return await inOrderOfEntry(folder, pid, await filesThatRan(folder, pid));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the list: a line per folder, in the order of first entry. */
async function write(): Promise<string> {
  const page = await readFile(pageFile, "utf8");
  const files = await walk();
  const lines = [...Map.groupBy(files, dirname)].map(([folder, paths]) => {
    const names = paths.map((path) => `\`${basename(path)}\``).join(", ");
    return `- \`${folder}/\`: ${names}`;
  });
  await writeFile(
    pageFile,
    page.replace(listForm, () => `<!-- walk -->\n\n${lines.join("\n")}\n\n<!-- /walk -->`),
  );
  return `docs/architecture.md has ${files.length} files now; run npm run format`;
}

/** The paths in the page's list. */
function listed(part: string): Set<string> {
  const lines = [...part.matchAll(/^- `([\w./-]+)\/`: ((?:.|\n )*)/gm)];
  return new Set(
    lines.flatMap(([, folder = "", names = ""]) =>
      [...names.matchAll(/`([\w.-]+)`/g)].map(([, name = ""]) => `${folder}/${name}`),
    ),
  );
}

/** Fails with the difference, if the list does not have these files. */
async function check(): Promise<string> {
  const page = await readFile(pageFile, "utf8");
  const part = listForm.exec(page)?.[1];
  if (part === undefined)
    throw new Error(
      "docs/architecture.md has no list of the walk. Put one between <!-- walk --> and <!-- /walk -->.",
    );
  const named = listed(part);
  const measured = await walk();
  const missing = measured.filter((path) => !named.has(path));
  const idle = [...named].filter((path) => !measured.includes(path));
  if (missing.length + idle.length === 0) return `docs/architecture.md has the ${measured.length} files`;
  const section = (title: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`${title} (${paths.length}):`, ...paths.map((path) => `  ${path}`)];
  throw new Error(
    [
      `the list in docs/architecture.md has ${named.size} files, and the night passed through ${measured.length}`,
      ...section("missing from the list", missing),
      ...section("in the list, but no function of them ran", idle),
    ].join("\n"),
  );
}

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({ options: { check: flag, write: flag } });
try {
  if (values.check) console.log(await check());
  else if (values.write) console.log(await write());
  else {
    const files = await walk();
    console.log([...files, `${files.length} files`].join("\n"));
  }
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
