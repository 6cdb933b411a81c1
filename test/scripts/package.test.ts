// Contents of the package, checked before it is built: test/real/package.test.ts builds and installs it.
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { packageVersion } from "../../deploy/package/package-version.ts";
import { neededFiles } from "../../deploy/package/package.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
const needed = neededFiles();
/** `almanac init` and `almanac service` write these files, the units with adapted paths. */
const deployed = [
  "deploy/caddy/Caddyfile",
  "deploy/nginx/almanac.conf",
  "deploy/systemd/almanac-temporal.service",
  "deploy/systemd/almanac-worker.service",
];
const inRooms = needed.filter((path) => path.includes("/") && !deployed.includes(path));
const rooms = [...new Set(inRooms.map((path) => path.split("/")[0]))];

test("the package has what the command and the exports need: nothing of tests, measures or what makes pages of the docs", () => {
  expect(rooms).toEqual(expect.arrayContaining(["packages", "readings", "scripts", "site", "workflows"]));
  const others =
    /^(?:test|bench|docs|deploy|dist|examples|packages\/(?!client|sandbox)|node_modules|scripts\/generate)\//;
  expect(needed.filter((path) => others.test(path))).toEqual(deployed);
  expect(needed.filter((path) => !path.includes("/"))).toEqual(["package.json"]);
});

test("whatever lies beside the code to be read is in the package, and licences with what they are of", () => {
  const beside = globSync(`{${rooms.join(",")}}/**/*.*`, { cwd }).filter(
    (path) => !/(?<!\.d)\.ts$|^packages\/(?!client|sandbox)/.test(path),
  );
  expect(beside.length).toBeGreaterThan(200);
  const left = new Set(beside).difference(new Set(needed));
  // The entry file is not compiled, the client is a separate package, and only a checkout has its own Node.
  expect([...left].sort()).toEqual([
    "packages/client/package.json",
    "scripts/almanac.js",
    "scripts/locked-node.js",
  ]);
});

test("the manual comes with the package, so that what its texts and messages name is there", () => {
  const shipped = new Set(
    globSync(["README.md", "LICENSE", ...packageJson.files.filter((path) => path !== "dist")], {
      cwd,
    }).flatMap((path) => [path, ...globSync(`${path}/*`, { cwd })]),
  );
  const [, ...linked] = readFileSync(`${cwd}README.md`, "utf8").split("](");
  const named = linked.map((rest) => /^[^)#]+/.exec(rest)?.[0] ?? "");
  expect(named.length).toBeGreaterThan(20);
  expect(named).toContain("docs/command-line.md");
  expect(named.filter((path) => !shipped.has(path))).toEqual([]);
});

test("every text calls the package by its name, and by no bare one outside a project", () => {
  const texts = globSync(["*.md", "{docs,examples,packages,deploy}/**/*.{md,ts,js}"], {
    cwd,
    exclude: ["**/node_modules/**"],
  });
  const exported = new Set(
    Object.keys(packageJson.exports).map((path) => path.replace(/^\./, packageJson.name)),
  );
  const wrong = texts.flatMap((path) => {
    const text = readFileSync(`${cwd}${path}`, "utf8");
    const imported = [...text.matchAll(/["'`](@[\w-]+\/almanac(?:\/[\w-]+)?)["'`]/g)].map(
      ([, name = ""]) => name,
    );
    const bare = text.match(
      /\bnpm (?:i|install|add|create|init|exec)(?: -\S+)* almanac\b|\bnpx (?:-\S+ )*almanac@/g,
    );
    return [...imported.filter((name) => !exported.has(name)), ...(bare ?? [])].map(
      (name) => `${path}: ${name}`,
    );
  });
  expect(wrong).toEqual([]);
  const manual = readFileSync(`${cwd}docs/install.md`, "utf8");
  const rows = Array.from(manual.matchAll(/^\| `(@[^`]+)` +\|/gm), ([, name]) => name);
  expect(new Set(rows)).toEqual(exported.difference(new Set([`${packageJson.name}/package.json`])));
});

test("commands in the manual have one form, which is for a project's folder or a checkout", () => {
  const pages = globSync(["README.md", "docs/*.md"], { cwd });
  const lines = pages.flatMap((path) =>
    Array.from(readFileSync(`${cwd}${path}`, "utf8").matchAll(/^```sh\n(.*?)^```/gms), ([, text = ""]) =>
      text.split("\n").map((line) => `${path}: ${line}`),
    ).flat(),
  );
  expect(lines.filter((line) => line.includes("npx almanac ")).length).toBeGreaterThan(30);
  const other = /^[^:]+: (?:(?:sudo )?almanac |node (?:\S*\/)?scripts\/almanac\.js|npm exec|npx -)/;
  expect(lines.filter((line) => other.test(line))).toEqual([]);
  const page = readFileSync(`${cwd}docs/command-line.md`, "utf8");
  expect(page.slice(0, page.indexOf("\n## "))).toContain(
    "Run commands in the project folder or in a checkout",
  );
});

test("a package built after a release has a development version of the next one, with its commit", () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-version-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
      encoding: "utf8",
    }).trim();
  const commit = (version: string, other = "") => {
    writeFileSync(join(folder, "package.json"), `{\n  "version": "${version}"\n}\n${other}`);
    git("add", "-A");
    git("commit", "--quiet", "--message", "change");
    return git("rev-parse", "--short", "HEAD");
  };
  expect(packageVersion("0.2.0", folder)).toBe("0.2.0"); // no history
  git("init", "--quiet");
  commit("0.1.0");
  commit("0.2.0");
  expect(packageVersion("0.2.0", folder)).toBe("0.2.0");
  const next = commit("0.2.0", "\n");
  expect(packageVersion("0.2.0", folder)).toBe(`0.3.0-dev.1+${next}`);
  git("tag", "v0.2.0");
  expect(packageVersion("0.2.0", folder)).toBe("0.2.0");
  const last = commit("0.2.0", "\n\n");
  expect(packageVersion("0.2.0", folder)).toBe(`0.3.0-dev.1+${last}`);
});

test("whatever is released together has one version", () => {
  const versionIn = (path: string, pattern: RegExp) =>
    pattern.exec(readFileSync(`${cwd}${path}`, "utf8"))?.[1] ?? `${path} has none`;
  const manifests = globSync("packages/*/package.json", { cwd });
  expect(manifests.length).toBeGreaterThan(3);
  const plugin = "packages/wordpress/almanac";
  const versions = [
    ...manifests.map((path) => versionIn(path, /^ {2}"version": "(.+)",$/m)),
    versionIn("packages/create-almanac/package.json", /^ {4}"@almanac\/almanac": "(.+)"$/m),
    versionIn(`${plugin}/almanac.php`, /^ \* Version: +(.+)$/m),
    versionIn(`${plugin}/readme.txt`, /^Stable tag: (.+)$/m),
    versionIn(`${plugin}/blocks/reading/block.json`, /^ {2}"version": "(.+)",$/m),
    versionIn(`${plugin}/blocks/reading/editor.asset.php`, /'version' +=> '(.+)'/),
    versionIn("deploy/kubernetes/kustomization.yaml", /^ {4}newTag: (.+)$/m),
    versionIn("deploy/kubernetes-versioned/kustomization.yaml", /^ {4}newTag: (.+)$/m),
  ];
  expect([...new Set(versions)]).toEqual([packageJson.version]);
  expect(readFileSync(`${cwd}CHANGELOG.md`, "utf8")).toContain(`\n## ${packageJson.version}\n`);
});
