// The package as a stranger has it: packed, put into a registry, installed into an empty folder with an empty cache, and tried
// there as docs/install.md says, on the oldest Node that it is for and on the newest.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { sourcesOf } from "../../publish/render/fingerprint.ts";
import { fileEnd } from "../support/ends.ts";
import { pack, registryWithPackage } from "./registry.ts";
import { newStranger, type Stranger } from "./stranger.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const atEnd = fileEnd();
const timeoutMs = 900_000;

let folder = "";
let tarball = "";
let registry = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-package-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  ({ registry, tarball } = await registryWithPackage(folder, atEnd));
}, timeoutMs);

test("publint has nothing to say against it, and nor have the types for whoever imports modules", async () => {
  const tool = async (name: string, ...words: string[]) =>
    (await run(join(folder, "tools/node_modules/.bin", name), words)).stdout;
  expect(await tool("publint", "run", tarball, "--strict")).toContain("All good!");
  const checked = JSON.parse(await tool("attw", tarball, "--profile", "esm-only", "--format", "json"));
  const { analysis } = z
    .object({ analysis: z.object({ entrypoints: z.record(z.string(), z.unknown()) }) })
    .parse(checked);
  const exported = Object.keys(packageJson.exports);
  expect(Object.keys(analysis.entrypoints).sort()).toEqual(exported.sort());
});

test("has all that its files import or read, compiled, and nothing of tests or measures", async () => {
  const unpacked = join(folder, "unpacked");
  await mkdir(unpacked);
  await run("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"]);
  const names = await readdir(unpacked, { recursive: true });
  const isSource = (path: string) => path.endsWith(".ts") && !path.endsWith(".d.ts");
  expect(names.filter((path) => isSource(path) || /\b(?:test|bench)\//.test(path))).toEqual([]);
  const made = sourcesOf(["scripts/almanac.js"], join(unpacked, "dist")); // throws for a file that is not there
  const needed = sourcesOf(["scripts/almanac.ts"], root);
  const compiled = (path: string) => (isSource(path) ? path.replace(/\.ts$/, ".js") : path);
  expect([...made.keys()].sort()).toEqual([...needed.keys()].map(compiled).sort());
});

test("packed again it is the same to the byte", async () => {
  const again = join(folder, "again");
  await mkdir(again);
  expect((await readFile(await pack(root, again))).equals(await readFile(tarball))).toBe(true);
});

/** The file of docs/install.md with that name above it. */
async function manualFile(name: string): Promise<string> {
  const manual = await readFile(join(root, "docs/install.md"), "utf8");
  const [, text] = new RegExp(`<!-- ${name} -->\\n\\n\`\`\`\\w+\\n(.*?)\`\`\``, "s").exec(manual) ?? [];
  if (text === undefined) throw new Error(`docs/install.md has no ${name}`);
  return text;
}

async function writeFromManual(site: string, name: string): Promise<void> {
  await mkdir(dirname(join(site, name)), { recursive: true });
  await writeFile(join(site, name), await manualFile(name));
}

/** Total file size below a path, in bytes. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((one) => one.isFile()).map((one) => stat(join(one.parentPath, one.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

const comparison = z.object({
  to: z.string(),
  refused: z.array(z.unknown()),
  rendered: z.array(z.object({ kind: z.string() })),
  install: z.string(),
});

/** A tarball of our package with another version and another text, and a configuration that reports who read it. */
async function nextVersion(place: string): Promise<string> {
  await mkdir(place);
  await run("tar", ["-xzf", tarball, "-C", place]);
  const changed = async (path: string, before: string, after: string) => {
    const file = join(place, "package", path);
    const text = await readFile(file, "utf8");
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    await writeFile(file, text.replace(before, after));
  };
  const version = `"version": "${packageJson.version}"`;
  for (const path of ["package.json", "dist/package.json"])
    await changed(path, version, '"version": "9.9.9"');
  await changed("dist/site/labels/en.json", '"Daily tarot"', '"Tarot of the day"');
  const telling = 'console.error("by the next defineConfig"); return configuration;';
  await changed("dist/worker/settings/define.js", "return configuration;", telling);
  const packed = join(place, "almanac-almanac-9.9.9.tgz");
  await run("tar", ["-czf", packed, "-C", place, "package"]);
  return packed;
}

const oldest = packageJson.engines.node.replace(">=", "");

describe.for([
  { node: `~${oldest}`, npm: "10.9.3" },
  { node: "26", npm: "11" },
])("a stranger with Node $node and npm $npm", { timeout: timeoutMs }, (versions) => {
  let stranger: Stranger;

  beforeAll(async () => {
    const place = join(folder, `node-${versions.node}`);
    await mkdir(place);
    stranger = await newStranger(place, registry, versions);
    for (const name of ["package.json", "almanac.config.ts", "theme/theme.ts"])
      await writeFromManual(stranger.site, name);
  }, timeoutMs);

  test("installs it without a warning: at most 200 packages and 310 MB", async () => {
    const { code, stdout, stderr } = await stranger.run("npm", ["install", "--no-audit", packageJson.name]);
    expect(stderr.split("\n").filter((line) => /warn|error|deprecated/i.test(line))).toEqual([]);
    expect(code).toBe(0);
    const packages = Number(/added (\d+) packages/.exec(stdout)?.[1]);
    const bytes = await sizeOf(join(stranger.site, "node_modules"));
    console.info(`Node ${versions.node}: ${packages} packages, ${Math.round(bytes / 1e6)} MB`);
    expect(packages).toBeGreaterThan(20);
    expect(packages).toBeLessThanOrEqual(200);
    expect(bytes).toBeLessThanOrEqual(310e6);
  });

  test("sees the commands and the plan, gathers and publishes a night, all without a warning", async () => {
    const almanac = (...words: string[]) => stranger.run("npx", ["almanac", ...words]);
    const help = await almanac("--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout.replaceAll(/\s+/g, " ")).toContain(
      "Request readings, then publish and serve the site on this machine",
    );
    const plan = await almanac("plan", "--json");
    expect(plan).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys(JSON.parse(plan.stdout))).not.toEqual([]);
    const night = await almanac("local", "--once", "--languages", "en");
    expect(night.stderr + night.stdout).not.toMatch(/warning/i);
    expect(night).toMatchObject({ code: 0 });
    expect(night.stderr + night.stdout).toContain(": complete");
    // The bundle came with the package.
    const kept = await readdir(join(stranger.site, "node_modules"), { recursive: true });
    expect(kept.filter((path) => /workflows-\w+\.js$/.test(path))).toEqual([]);
    const page = await readFile(join(stranger.site, ".almanac/sandbox/site/en/index.html"), "utf8");
    expect(page).toContain("Morning Stars");
    expect(page).toContain("#8a1070"); // a color of the theme
  });

  test("says what the next version would change, which looks by its own code, and changes nothing", async () => {
    const own = async () =>
      (
        await run(
          "find",
          [".", "-not", "-path", "./node_modules/*", "-type", "f", "-exec", "sha256sum", "{}", "+"],
          { cwd: stranger.site },
        )
      ).stdout
        .split("\n")
        .sort();
    const before = await own();
    const next = await nextVersion(join(folder, `next-${versions.node}`));
    const told = await stranger.run("npx", ["almanac", "upgrade", "--check", "--to", next, "--json"]);
    expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining("by the next defineConfig") });
    const { to, refused, rendered, install } = comparison.parse(JSON.parse(told.stdout));
    expect({ to, refused }).toEqual({ to: "9.9.9", refused: [] });
    expect(rendered.map(({ kind }) => kind)).toContain("{lang}/daily-tarot/index.html");
    expect(install).toMatch(/^npm install --save-exact \S+-9\.9\.9\.tgz$/);
    expect(await own()).toEqual(before);
  });

  test("reads what was published by the package's shapes", async () => {
    await writeFile(join(stranger.site, "read.mjs"), reading);
    const { code, stdout, stderr } = await stranger.run("node", ["read.mjs"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe("aries, 12 signs\n");
  });

  test.for(["nodenext", "bundler"])("has types that know each setting, with %s", async (moduleResolution) => {
    await writeFile(join(stranger.site, "use.ts"), using);
    const module = moduleResolution === "bundler" ? "esnext" : "nodenext";
    const compilerOptions = { module, moduleResolution, strict: true, noEmit: true, types: [] };
    const check = async (...include: string[]) => {
      await writeFile(join(stranger.site, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
      return stranger.run(join(root, "node_modules/.bin/tsc"), ["-p", "."]);
    };
    expect(await check("*.ts", "theme/*.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
    await mkdir(join(stranger.site, "wrong"), { recursive: true });
    await writeFile(join(stranger.site, "wrong/almanac.config.ts"), wrong);
    const { stdout } = await check("wrong/*.ts");
    expect(stdout.match(/error TS\d+/g)).toEqual(["error TS2322"]);
    expect(stdout).toContain('"klingon"');
  });
});

const reading = `
import { readFile } from "node:fs/promises";
import { createAlmanac } from "${packageJson.name}/client";
import { pull } from "${packageJson.name}/pull";
import { AlmanacReading } from "${packageJson.name}/reading";
import { shapes } from "${packageJson.name}/data";

const file = ".almanac/sandbox/site/v1/en/daily/latest.json";
const { readings } = shapes.signs.parse(JSON.parse(await readFile(file, "utf8")));
const { sign } = readings.aries;
if ([createAlmanac, pull, AlmanacReading].every((one) => typeof one === "function"))
  console.log(\`\${sign}, \${Object.keys(readings).length} signs\`);
`;

const using = `
import { createAlmanac, type Horoscopes } from "${packageJson.name}/client";
import { pull } from "${packageJson.name}/pull";
import { AlmanacReading } from "${packageJson.name}/reading";
import { type PublishedFiles, shapes } from "${packageJson.name}/data";
import { defineTemplate } from "${packageJson.name}/theme";

export const read = (json: unknown): PublishedFiles["signs"] => shapes.signs.parse(json);
export const opening = (all: Horoscopes) => all.readings.leo?.sections.personal[0]?.length;
export const page = defineTemplate("signPage", ({ title, texts }, { html }) => html\`<p>\${title} \${texts.length}</p>\`);
export const others = [createAlmanac, pull, AlmanacReading];
`;

const wrong = `
import { defineConfig } from "${packageJson.name}";

export default defineConfig({ languages: ["klingon"] });
`;

test.for(["22.18.0", "18"])(
  "Node %s is told in one sentence that it is too old",
  { timeout: timeoutMs },
  async (node) => {
    const place = join(folder, `node-${node}`);
    await mkdir(place);
    const { site, run: say } = await newStranger(place, registry, { node, npm: "10.9.3" });
    await run("tar", ["-xzf", tarball, "-C", site]);
    const { code, stdout, stderr } = await say("node", ["package/scripts/almanac.js", "plan"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^error: almanac needs Node 22\.19 or newer, and this is Node [\d.]+\. Install a newer one from https:\/\/nodejs\.org\.\n$/,
    );
  },
);
