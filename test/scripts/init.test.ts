// `almanac init`: the project that it writes by its options or without any, and what it refuses.
import { execFileSync } from "node:child_process";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { packageVersion } from "../../deploy/package/package-version.ts";
import { projectFiles } from "../../scripts/init/project-files.ts";
import { projectAnswers } from "../../scripts/init/init.ts";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { almanac } from "../support/cli.ts";
import { startPreview } from "../support/preview.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const own = ["--package", "0.1.0", "--no-install"];

const written = [
  "package.json",
  "almanac.config.ts",
  "theme/theme.ts",
  ".env.example",
  ".env",
  ".gitignore",
  "README.md",
  ".github/workflows/check.yml",
  "deploy/nginx/almanac.conf",
  "deploy/caddy/Caddyfile",
];

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "almanac-init-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const init = (cwd: string, ...words: string[]) => almanac(["init", ...words], { cwd });
const textIn = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

/** Replaces npm's installation: the same two modules, from the checkout. */
function withCheckout(folder: string): void {
  const place = join(folder, "node_modules", packageJson.name);
  mkdirSync(place, { recursive: true });
  const [define, theme] = ["worker/settings/define.ts", "worker/theme/define.ts"].map((path) =>
    join(root, path),
  );
  symlinkSync(define ?? "", join(place, "define.ts"));
  symlinkSync(theme ?? "", join(place, "theme.ts"));
  const exports = { ".": "./define.ts", "./theme": "./theme.ts" };
  writeFileSync(join(place, "package.json"), JSON.stringify({ type: "module", exports }));
}

/** A settings file as systemd and Node read it; `fill` provides the values that a person enters. */
function settingsIn(text: string, fill: Record<string, string> = {}): Record<string, string> {
  const lines = Array.from(text.matchAll(/^([A-Z_0-9]+)=(.*)$/gm), ([, name = "", value = ""]) => [
    name,
    value,
  ]);
  return { ...Object.fromEntries(lines), ...fill };
}

const endSchema = z.object({
  written: z.array(z.string()),
  kept: z.array(z.string()),
  installed: z.boolean(),
  next: z.string(),
});

describe("a new project", () => {
  test("needs no option: it is named after its folder, in English, with the one next command", async () => {
    const cwd = emptyFolder();
    const { code, stdout } = await init(cwd, "morning-stars", ...own, "--json");
    expect(code).toBe(0);
    const next = "cd morning-stars && npm install && npm run local";
    expect(endSchema.parse(JSON.parse(stdout))).toEqual({ written, kept: [], installed: false, next });
    const folder = join(cwd, "morning-stars");
    expect(globSync("**/*", { cwd: folder, exclude: ["node_modules"] })).toContain("almanac.config.ts");
    expect(textIn(folder, "README.md")).toMatch(/^# Morning Stars\n/);
    expect(statSync(join(folder, ".env")).mode & 0o077).toBe(0); // credentials come into it
    expect(textIn(folder, ".gitignore").split("\n")).toContain(".env");
    expect(textIn(folder, "almanac.config.ts")).toContain('name: "Morning Stars"');
    expect(textIn(folder, "almanac.config.ts")).toContain('id: "morning-stars"');
    expect(textIn(folder, "almanac.config.ts")).toContain('languages: ["en"]');
    expect(JSON.parse(textIn(folder, "package.json"))).toMatchObject({
      private: true,
      type: "module",
      dependencies: { [packageJson.name]: "0.1.0" },
    });
  });

  test("is what its flags say, and passes plan, rehearse and preview", async () => {
    const folder = emptyFolder();
    const words = ["--name", 'Stars "of" [mine]', "--languages", "en,hi", "--url", "https://stars.example"];
    const { code, stdout } = await init(folder, ...words, ...own);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("next: npm install") });
    withCheckout(folder);
    const { site, languages } = await loadConfiguration(undefined, folder);
    const named = { id: "stars-of-mine", name: 'Stars "of" [mine]', url: "https://stars.example" };
    expect(site).toMatchObject(named);
    expect(languages).toEqual(["en", "hi"]);
    expect(textIn(folder, "README.md")).toMatch(/^# Stars "of" \\\[mine\\\]\n/);
    const steps = Array.from(textIn(folder, ".github/workflows/check.yml").matchAll(/npx almanac (\w+)/g));
    expect(steps.map(([, command]) => command)).toEqual(["plan", "rehearse"]);
    for (const [, command = ""] of steps) {
      const ran = await almanac([command], { cwd: folder });
      expect(ran).toMatchObject({ code: 0 });
    }
    const url = await startPreview({}, folder);
    const page = await (await fetch(new URL("/hi/", url))).text();
    expect(page).toContain("[mine]");
  });

  test("has a workflow of GitHub's form, and settings that Almanac knows, whatever was answered", () => {
    for (const site of ["folder", "s3://stars/site"]) {
      for (const alerts of ["none", "webhook", "slack", "mail"] as const) {
        const answers = projectAnswers("/stars", { site, alerts });
        const files = new Map(projectFiles(answers, "0.1.0").map(({ path, text }) => [path, text]));
        const environment = files.get(".env.example") ?? "";
        expect(/^ALMANAC_SITE=(.+)$/m.exec(environment)?.[1] ?? "folder").toBe(site);
        const forms = { none: undefined, webhook: "json", slack: "slack", mail: undefined };
        expect(/^ALMANAC_ALERT_FORM=(.+)$/m.exec(environment)?.[1]).toBe(forms[alerts]);
        expect(/^ALMANAC_PING_URL=/m.test(environment)).toBe(alerts === "mail");
        expect(environment).toContain(
          "# Without credentials, `npm run local` publishes invented texts, and `almanac worker` and `almanac reading` end with an error.\n",
        );
        const filled = settingsIn(environment.replaceAll(/^# (ALMANAC_(?:VAULT|SITE)=)/gm, "$1"), {
          READING_SERVICE_TOKEN: "token",
          READING_SERVICE_API_KEY: "key",
        });
        expect(readEnvironment(filled)).toMatchObject({
          site: site === "folder" ? "file:///srv/almanac/site" : site,
          vault: site === "folder" ? "file:///var/lib/almanac/vault" : "s3://stars-vault/site",
        });
        expect(parse(files.get(".github/workflows/check.yml") ?? "")).toMatchObject({
          jobs: { check: { steps: expect.arrayContaining([{ run: "npm ci" }]) } },
        });
      }
    }
  });

  test("has what nginx and Caddy need, as it is in deploy/, where the site is kept in a folder", () => {
    const pathsFor = (site: string) => projectFiles(projectAnswers("/stars", { site }), "0.1.0");
    const paths = ["deploy/nginx/almanac.conf", "deploy/caddy/Caddyfile"];
    const files = new Map(pathsFor("folder").map(({ path, text }) => [path, text]));
    for (const path of paths) expect(files.get(path)).toBe(readFileSync(join(root, path), "utf8"));
    expect(pathsFor("s3://stars/site").filter(({ path }) => paths.includes(path))).toEqual([]);
  });

  test("starts with the locked Node of each platform, and runs no install script", async () => {
    const folder = emptyFolder();
    expect(await init(folder, ...own)).toMatchObject({ code: 0 });
    const { optionalDependencies, allowScripts } = packageJson;
    expect(JSON.parse(textIn(folder, "package.json"))).toMatchObject({ optionalDependencies, allowScripts });
  });

  test("from a checkout installs the checkout, packed into the project", { timeout: 300_000 }, async () => {
    const cwd = emptyFolder();
    const version = packageVersion(packageJson.version, root);
    const { code, stderr } = await init(cwd, "stars", "--no-install");
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("packing Almanac") });
    const [file = "", ...others] = globSync("*.tgz", { cwd: join(cwd, "stars") });
    expect(others).toEqual([]);
    expect(JSON.parse(textIn(cwd, "stars/package.json"))).toMatchObject({
      dependencies: { [packageJson.name]: `file:${file}` },
    });
    const unpacked = join(cwd, "unpacked");
    mkdirSync(unpacked);
    execFileSync("tar", ["-xzf", join(cwd, "stars", file), "-C", unpacked, "--strip-components=1"]);
    const manifest = z
      .looseObject({ version: z.string() })
      .parse(JSON.parse(textIn(unpacked, "package.json")));
    expect(manifest.version).toBe(version);
    expect(Object.keys(manifest)).not.toContain("scripts");
    expect(Object.keys(manifest)).not.toContain("optionalDependencies"); // no other Node for whoever uses the client
    symlinkSync(join(root, "node_modules"), join(unpacked, "node_modules"));
    const told = await almanac(["--version"], { cwd, entry: join(unpacked, "scripts/almanac.js") });
    expect(told).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });

  test("takes a package file from where it lies", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "almanac-almanac-0.1.0.tgz"), "");
    await init(cwd, "stars", "--package", "almanac-almanac-0.1.0.tgz", "--no-install");
    expect(JSON.parse(textIn(cwd, "stars/package.json"))).toMatchObject({
      dependencies: { [packageJson.name]: "file:../almanac-almanac-0.1.0.tgz" },
    });
  });

  test("in a folder with a README keeps it, and writes the rest", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "README.md"), "Mine\n");
    const { code, stdout } = await init(folder, ...own);
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("kept     README.md"),
    });
    expect(textIn(folder, "README.md")).toBe("Mine\n");
    expect(textIn(folder, "almanac.config.ts")).toContain("defineConfig");
  });
});

describe("what can't be is said, and nothing is written", () => {
  test.for([
    [["--languages", "klingon", ...own], 'unknown language "klingon"'],
    [["--languages", "en,hindy", ...own], "Did you mean"],
    [["--url", "stars.example", ...own], 'Did you mean "https://stars.example"?'],
    [["--name", " ", ...own], "--name: "],
    [["--site", "bucket", ...own], "--site must be `folder`, or a bucket such as s3://my-stars/site"],
    [["--site", "s3://S/x", ...own], "a bucket name has 3 to 63 lower-case letters"],
    [["--alerts", "webhok", ...own], "Did you mean webhook?"],
  ] as const)("%s: %s", async ([words, said]) => {
    const folder = emptyFolder();
    const { code, stdout, stderr } = await init(folder, ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
    expect(globSync("{*,.*}", { cwd: folder })).toEqual([]);
  });

  test.each(["almanac.config.ts", "package.json"])("in a folder with %s", async (path) => {
    const folder = emptyFolder();
    writeFileSync(join(folder, path), "mine\n");
    const { code, stderr } = await init(folder, ...own);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path} exists. Name a new folder, such as \`almanac init ../stars\``);
    expect(globSync("{*,.*}", { cwd: folder })).toEqual([path]);
  });

  test("where npm fails, which comes last: the files are there, and it is said how to go on", async () => {
    const folder = emptyFolder();
    const words = ["init", "--package", "file:./not-there.tgz"];
    // Online, npm would try for minutes to reach its registry on a machine that can't.
    const { code, stderr } = await almanac(words, { cwd: folder, env: { npm_config_offline: "true" } });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "The project files are written. Fix the error that npm reports above, then run `npm install` there",
    );
    expect(textIn(folder, "almanac.config.ts")).toContain("defineConfig");
  });
});
