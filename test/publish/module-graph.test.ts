// The hashes of code (for rendering, for other decisions, for the workflow bundle) cover exactly the files that the code
// consists of.
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { fingerprintOf, workingsOf, sourcesOf } from "../../publish/render/fingerprint.ts";
import { bundleKey } from "../../worker/bundle.ts";
import { settings } from "../site/editions.ts";
import { deep } from "../support/deep.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

const words = [
  {
    of: "what renders",
    word: (within: string) => fingerprintOf(settings, within),
    entries: ["site/render.ts"],
    with: [
      "packages/client/almanac.js",
      "site/pictures/leo.png",
      "site/pictures/languages/hi.pngs",
      "site/style.css",
      "readings/sign-names.json",
    ],
  },
  {
    of: "what else decides",
    word: (within: string) => workingsOf(process.versions, within),
    entries: ["publish/publish.ts", "readings/quality.ts", "service/pictures/mirror.ts", "package.json"],
    with: ["readings/reading.ts", "site/render.ts"],
  },
  {
    of: "the workflows' bundle",
    word: (within: string) => bundleKey(within),
    entries: [
      "workflows/index.ts",
      "workflows/installation-header.ts",
      "worker/bundling.ts",
      "package-lock.json",
    ],
    with: ["workflows/nightly.ts", "readings/request.ts"],
  },
];

test.for(words)(
  "one byte changes the word for $of in each file that it is made of, and in no other",
  (given) => {
    const copy = copyOfCode();
    const before = given.word(copy);
    expect(before).toBe(given.word(project));
    const files = [...sourcesOf(given.entries, copy).keys()];
    expect(files).toEqual(expect.arrayContaining(given.with));
    const seen = new Set([before]);
    const changed = deep ? files : files.filter((_, at) => at % 8 === 0); // a word takes all of them to be read
    for (const file of changed) {
      appendFileSync(join(copy, file), "\n");
      seen.add(given.word(copy));
    }
    expect(seen.size).toBe(changed.length + 1);

    const after = given.word(copy);
    const others = filesIn(copy).filter((file) => !files.includes(file));
    expect(others.length).toBeGreaterThan(100);
    for (const file of others) appendFileSync(join(copy, file), "\n");
    expect(given.word(copy)).toBe(after);
  },
);

test.for(words)("all that Node loads and reads for $of is in its word", ({ entries }) => {
  const modules = entries.filter((entry) => entry.endsWith(".ts") && entry !== "worker/bundling.ts"); // that one bundles
  const sources = [...sourcesOf(modules, project).keys()];
  expect(sources).toEqual(loadedFor(modules));
});

test("a worker and a publish start without the language detector, which takes 1 MB of JSON", () => {
  const files = loadedFor(["activities/index.ts", "publish/publish.ts"]);
  expect(files).toContain("readings/rules/rule.ts");
  expect(files).not.toContain("readings/rules/language-detector.ts");
});

test("files that were compiled are followed as those that run as they are written", () => {
  const folder = folderFor("compiled");
  const write = (name: string, code: string): void => writeFileSync(join(folder, name), code);
  write(
    "entry.js",
    `import { a } from './a.js';\nexport * from "./b.js";\nconst c = await import("./c.js");\n`,
  );
  write("a.js", `import "./side.js";\nreadFileSync(new URL("text.txt", import.meta.url));\n`);
  write("b.js", "export const b = 1;\n");
  write(
    "c.js",
    `import data from "./data.json" with { type: "json" };\nimport type { T } from "./types.js";\n`,
  );
  for (const leaf of ["side.js", "data.json", "text.txt", "types.js"]) write(leaf, "");

  const found = [...sourcesOf(["entry.js"], folder).keys()];
  expect(found).toEqual(["a.js", "b.js", "c.js", "data.json", "entry.js", "side.js", "text.txt"]);
});

const rooms = [
  "activities",
  "packages",
  "publish",
  "readings",
  "service",
  "site",
  "store",
  "vault",
  "worker",
];

function copyOfCode(): string {
  const copy = folderFor("code");
  for (const part of [...rooms, "workflows", "package.json", "package-lock.json"])
    cpSync(join(project, part), join(copy, part), { recursive: true });
  return copy;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

function folderFor(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `almanac-${what}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Asks Node itself which modules are loaded and which files are read during loading. */
function loadedFor(entries: readonly string[]): string[] {
  const script = `
    import fs from "node:fs";
    import { registerHooks, syncBuiltinESMExports } from "node:module";
    const seen = new Set();
    registerHooks({
      load(url, context, next) {
        seen.add(url);
        return next(url, context);
      },
    });
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...rest) => {
      seen.add(String(path));
      return readFileSync(path, ...rest);
    };
    syncBuiltinESMExports();
    for (const entry of ${JSON.stringify(entries)}) await import("./" + entry);
    // The labels of a language are read when it is first rendered.
    const labels = [...seen].find((url) => url.endsWith("/site/labels.ts"));
    if (labels !== undefined) {
      const [{ labelsIn }, { languageNames }] = [await import(labels), await import("./readings/tables.ts")];
      languageNames.forEach(labelsIn);
    }
    console.log(JSON.stringify([...seen]));`;
  const node = ["--input-type=module", "--eval", script];
  const { stdout, stderr } = spawnSync(process.execPath, node, { cwd: project, encoding: "utf8" });
  expect(stderr).toBe("");
  const own = z
    .array(z.string())
    .parse(JSON.parse(stdout))
    .filter((url) => url.startsWith(root));
  return own
    .map((url) => url.slice(root.length))
    .filter((path) => !path.startsWith("node_modules/"))
    .sort();
}

const root = new URL("../../", import.meta.url).href;
