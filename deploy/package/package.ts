// `npm run package -- [folder]`: the tarball that owners install. The code in its dist/ is JavaScript, because Node strips no types under
// node_modules, in the same folders as here, so that every path from file to file holds. Nothing is listed by hand: it is what the
// command and the exports of package.json need. The tarball gets its own package.json: its version says which commit it is of, and it
// has neither the scripts of the checkout nor the Node that they run on.
import { execFileSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { sourcesOf } from "../../publish/render/fingerprint.ts";
import { bundledAhead, bundleWorkflows } from "../../worker/bundle.ts";
import { packageVersion } from "./package-version.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

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

/** All that the command and the exports load or read, by their paths here; next to third-party files, their license. */
export function neededFiles(): string[] {
  const needed = [...sourcesOf(["scripts/almanac.ts", ...exported()], root).keys()];
  const licences = needed.map((path) => `${path.replace(/\.\w+$/, "")}.LICENSE`);
  return [...needed, ...licences.filter((path) => existsSync(join(root, path)))];
}

async function compileInto(out: string, version: string) {
  const files = neededFiles();
  await mkdir(out);
  await compile(out, files.filter(isCode), {});
  await compile(out, exported().filter(isCode), { declaration: true, emitDeclarationOnly: true });
  await rightEndings(out);
  for (const path of files.filter((one) => !isCode(one))) await cp(join(root, path), join(out, path));
  const { name, description, license, type, dependencies, optionalDependencies, peerDependencies } =
    packageJson;
  const about = { name, version, private: packageJson.private, description, license, type };
  // `almanac init` reads which Node a project gets.
  const parts = { dependencies, optionalDependencies, peerDependencies };
  await writeFile(join(out, "package.json"), jsonText({ ...about, ...parts }));
  for (const isTraced of [false, true])
    await writeFile(join(out, bundledAhead(isTraced)), await bundleOf(isTraced));
}

/** The cached bundle if its inputs have not changed since. */
async function bundleOf(isTraced: boolean): Promise<string> {
  const bundle = await bundleWorkflows(isTraced);
  return "code" in bundle ? bundle.code : readFile(bundle.codePath, "utf8");
}

/** Prints the path of the tarball. A release has the version of package.json, whatever git knows. */
async function packInto(destination: string, isRelease: boolean) {
  const { version: released } = packageJson;
  const version = isRelease ? released : packageVersion(released, root);
  await mkdir(join(root, ".almanac"), { recursive: true });
  const stage = await mkdtemp(join(root, ".almanac/package-"));
  try {
    await compileInto(join(stage, "dist"), version);
    const {
      scripts: _scripts,
      optionalDependencies: _node,
      devDependencies: _tools,
      ...manifest
    } = packageJson;
    await writeFile(join(stage, "package.json"), jsonText({ ...manifest, version }));
    const files = globSync(["README.md", "LICENSE", packageJson.bin.almanac, ...packageJson.files], {
      cwd: root,
      exclude: ["dist"],
    });
    for (const path of files) await cp(join(root, path), join(stage, path), { recursive: true });
    const words = ["pack", "--silent", "--pack-destination", resolve(destination)];
    const said = execFileSync("npm", words, { cwd: stage, encoding: "utf8" });
    console.log(join(resolve(destination), said.trim()));
  } finally {
    await rm(stage, { recursive: true });
  }
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function compile(out: string, paths: readonly string[], options: object) {
  const settings = join(out, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    rootDir: root,
    outDir: ".",
    rewriteRelativeImportExtensions: true,
    noCheck: true, // `npm run check` has checked the types
    ...options,
  };
  const files = paths.map((path) => join(root, path));
  await writeFile(settings, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, files }));
  const tsc = join(root, "node_modules/.bin/tsc");
  // Several threads write the members of an inferred union in an order that changes from run to run.
  execFileSync(tsc, ["-p", settings, "--singleThreaded"], { stdio: "inherit" });
  await rm(settings);
}

/** TypeScript gives imports the ending of what is compiled, but leaves declarations and `new URL` as they are. */
async function rightEndings(out: string) {
  const ofUrl = /(?<=\bnew URL\(\s*["'`][^"'`$]+)(?<!\.d)\.ts(?=["'`],\s*import\.meta\.url)/g;
  const ofDeclaration = /(?<=\b(?:from|import)\b[\s(]*["']\.[^"']+)(?<!\.d)\.ts(?=["'])/g;
  for (const path of globSync("**/*.{js,d.ts}", { cwd: out })) {
    const file = join(out, path);
    const text = await readFile(file, "utf8");
    const right = text.replace(path.endsWith(".js") ? ofUrl : ofDeclaration, ".js");
    if (right !== text) await writeFile(file, right);
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { release: { type: "boolean", default: false } },
  });
  await packInto(positionals[0] ?? ".", values.release);
}
