// What an owner installs, made in dist/ before `npm pack` packs it. The code is JavaScript there, because Node strips no types
// under node_modules, and lies in the same rooms as here, so that every path from file to file holds. Nothing is listed by
// hand: it is what the command and the exports of package.json need.
import { execFileSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { sourcesOf } from "../../publish/press/module-graph.ts";
import { bundled, bundledAhead } from "../../worker/bundle.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const out = join(root, "dist");

const isCode = (path: string) => path.endsWith(".ts") && !path.endsWith(".d.ts");

/** The files from which the exports are made. */
function exported(): string[] {
  const targets = Object.values(packageJson.exports).flatMap((target) =>
    typeof target === "string" ? [] : [target.types, target.default],
  );
  return [...new Set(targets.map((target) => sourceOf(target.slice("./dist/".length))))];
}

function sourceOf(made: string): string {
  return existsSync(join(root, made)) ? made : made.replace(/(?:\.d\.ts|\.js)$/, ".ts");
}

/** All that the command and the exports load or read, by their paths here; beside what is another's, its licence. */
export function neededFiles(): string[] {
  const needed = [...sourcesOf(["scripts/almanac.ts", ...exported()], root).keys()];
  const licences = needed.map((path) => `${path.replace(/\.\w+$/, "")}.LICENSE`);
  return [...needed, ...licences.filter((path) => existsSync(join(root, path)))];
}

async function makePackage() {
  const files = neededFiles();
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  await compile(files.filter(isCode), {});
  await compile(exported().filter(isCode), { declaration: true, emitDeclarationOnly: true });
  await rightEndings();
  for (const path of files.filter((one) => !isCode(one))) await cp(join(root, path), join(out, path));
  const { name, version, description, license, type, dependencies, peerDependencies } = packageJson;
  const about = { name, version, private: true, description, license, type, dependencies, peerDependencies };
  await writeFile(join(out, "package.json"), `${JSON.stringify(about, null, 2)}\n`);
  for (const isTraced of [false, true])
    await writeFile(join(out, bundledAhead(isTraced)), await bundled(isTraced));
}

async function compile(paths: readonly string[], options: object) {
  const settings = join(out, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    rootDir: "..",
    outDir: ".",
    rewriteRelativeImportExtensions: true,
    ...options,
  };
  const files = paths.map((path) => `../${path}`);
  await writeFile(settings, JSON.stringify({ extends: "../tsconfig.json", compilerOptions, files }));
  const tsc = join(root, "node_modules/.bin/tsc");
  execFileSync(tsc, ["-p", settings], { stdio: "inherit" });
  await rm(settings);
}

/** TypeScript gives imports the ending of what is compiled, but leaves declarations and `new URL` as they are. */
async function rightEndings() {
  const ofUrl = /(?<=\bnew URL\(\s*["'`][^"'`$]+)(?<!\.d)\.ts(?=["'`],\s*import\.meta\.url)/g;
  const ofDeclaration = /(?<=\b(?:from|import)\b[\s(]*["']\.[^"']+)(?<!\.d)\.ts(?=["'])/g;
  for (const path of globSync("**/*.{js,d.ts}", { cwd: out })) {
    const file = join(out, path);
    const text = await readFile(file, "utf8");
    const right = text.replace(path.endsWith(".js") ? ofUrl : ofDeclaration, ".js");
    if (right !== text) await writeFile(file, right);
  }
}

if (import.meta.main) await makePackage();
