// The entry to the command line, and common behavior of all commands.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { languagesOf, operationNames } from "../../readings/tables.ts";
import { newCommand, wrapHelp } from "../../scripts/terminal/command.ts";
import { columns } from "../../scripts/terminal/output.ts";
import { almanac, entry, start } from "../support/cli.ts";
import { deep } from "../support/deep.ts";

const listing = z.object({
  operations: z.array(z.object({ operation: z.string(), languages: z.array(z.string()) })),
});

/** Runs in an empty folder. */
async function packagesLoadedBy(words: readonly string[]): Promise<Set<string>> {
  const recorder = `import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });`;
  const node = ["--import", `data:text/javascript,${encodeURIComponent(recorder)}`];
  const cwd = await mkdtemp(join(tmpdir(), "almanac-entry-"));
  await writeFile(join(cwd, "almanac.config.ts"), "export default {};\n");
  const { stderr } = await almanac(words, { node, cwd });
  await rm(cwd, { recursive: true });
  const loaded = stderr.split("\n").filter((url) => url.startsWith("file:"));
  expect(loaded.length).toBeGreaterThan(5);
  return new Set(loaded.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []));
}

describe("almanac", () => {
  it("lists its commands, with what each does and the exit codes", async () => {
    const { code, stdout, stderr } = await almanac(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^ {2}reading \[options\] +\w/m);
    expect(stdout).toMatch(/^ {2}sandbox \[options\] +\w/m);
    expect(stdout).toContain("Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 done");
  });

  it.each([
    ["reading", "--help"],
    ["help", "reading"],
  ])("%s %s shows that command's options", async (...words) => {
    const { code, stdout } = await almanac(words);
    expect(code).toBe(0);
    expect(stdout).toContain("--sign <signs>");
    expect(stdout).toContain("--json");
  });

  it("treats an empty variable as unset, even one of Temporal's library", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "almanac-entry-"));
    const profile = join(cwd, "temporal.toml");
    await writeFile(profile, '[profile.default]\naddress = "127.0.0.1:1"\n');
    await writeFile(join(cwd, ".env"), "TEMPORAL_ADDRESS=\n");
    const env = { TEMPORAL_CONFIG_FILE: profile, TEMPORAL_NAMESPACE: "" };
    const { code, stderr } = await almanac(["status"], { cwd, env, ownProcess: true });
    expect(stderr).toContain("Temporal at 127.0.0.1:1 does not answer");
    expect(code).toBe(1);
    await rm(cwd, { recursive: true });
  });

  it("reads the .env of the current folder, and gives the environment precedence", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "almanac-entry-"));
    await writeFile(join(cwd, "almanac.config.ts"), "export default {};\n");
    const check = async (env = {}) => {
      const { code, stdout, stderr } = await almanac(["plan"], { cwd, env, ownProcess: true });
      return { code, said: stdout + stderr };
    };
    expect(await check()).toMatchObject({ code: 0 });
    await writeFile(join(cwd, ".env"), "# of this machine\nALMANAC_LOG_LEVEL=loud\nALMANAC_LOG_FORM=text\n");
    const wrong = await check();
    expect(wrong).toEqual({ code: 2, said: expect.stringContaining("ALMANAC_LOG_LEVEL") });
    expect(wrong.said).not.toContain("ALMANAC_LOG_FORM");
    expect(await check({ ALMANAC_LOG_LEVEL: "warn" })).toMatchObject({ code: 0 });
    await rm(join(cwd, ".env"));
    await mkdir(join(cwd, ".env")); // a Python environment may have this name
    expect(await check()).toMatchObject({ code: 0 });
    await rm(cwd, { recursive: true });
  });

  it("wraps every help at 80 columns without a terminal, except lines to copy", async () => {
    const { stdout: all } = await almanac(["--help"]);
    const names = [...all.matchAll(/^ {2}([a-z]+) \[/gm)].map(([, name = ""]) => name);
    expect(names).toContain("rehearse");
    for (const name of ["", ...names.filter((_, at) => deep || at % 5 === 0)]) {
      const { stdout } = await almanac([name, "--help"].filter((word) => word !== ""));
      const wide = stdout.split("\n").filter((line) => line.length > 80 && !line.startsWith("  almanac "));
      expect({ name, wide }).toEqual({ name, wide: [] });
    }
  });

  it.each([
    [40, ["Of each date it renders the sets that", "begin on it."]],
    [80, ["Of each date it renders the sets that begin on it."]],
  ])("fills the lines of a terminal of %i columns", (width, lines) => {
    const help =
      "Of each date it renders\nthe sets that begin on it.\n\nExample:\n  almanac render --dry-run\n";
    expect(wrapHelp(help, width)).toBe(
      [...lines, "", "Example:", "  almanac render --dry-run", ""].join("\n"),
    );
  });

  it("wraps what options are about in a narrow terminal too", () => {
    const command = newCommand("render", "past editions").configureOutput({ getOutHelpWidth: () => 40 });
    const wide = command
      .helpInformation()
      .split("\n")
      .filter((line) => line.length > 40);
    expect(wide).toEqual([]);
  });

  it("assumes the usual width for a terminal that does not report one", () => {
    expect([0, 60, 200].map((width) => columns({ columns: width }))).toEqual([80, 60, 100]);
  });

  it("loads no command to list them, which keeps it fast", async () => {
    const loaded = await packagesLoadedBy(["--help"]);
    expect(loaded).toEqual(new Set(["@commander-js/extra-typings", "commander"]));
  });

  // An `import { type X }` loads its file all the same, `import type { X }` does not: a slip there shows here.
  it.each([
    [
      ["plan", "--languages", "en"],
      ["@temporalio/common", "@temporalio/client", "@temporalio/worker", "undici"],
    ],
    [
      ["rehearse", "--days", "1", "--languages", "en"],
      ["@temporalio/client", "@temporalio/worker", "undici"],
    ],
    [
      ["quarantine", "list"],
      ["@temporalio/client", "@temporalio/worker", "undici"],
    ],
    [["render"], ["@temporalio/worker", "undici"]],
    [["status"], ["@temporalio/worker", "undici"]],
    [["nightly"], ["@temporalio/worker", "undici"]],
  ])("for %j loads none of %j, which take longer than its own work", async (words, spared) => {
    const loaded = await packagesLoadedBy(words);
    expect(loaded).toContain("zod");
    expect(spared.filter((name) => loaded.has(name))).toEqual([]);
  });

  it("limits a worker's memory in the same process, unless its environment chose otherwise", async () => {
    const say =
      "const { MALLOC_ARENA_MAX: pools = 'unset', MALLOC_MMAP_THRESHOLD_: mapped = 'unset' } = process.env;" +
      "console.error(process.pid, process.execArgv.join(), `${pools}/${mapped}`)";
    const started = async (words: readonly string[], env: Record<string, string> = {}) => {
      const node = [`--import=data:text/javascript,${encodeURIComponent(say)}`];
      const { stderr } = await almanac(words, { node, env });
      const lines = stderr
        .trim()
        .split("\n")
        .map((line) => line.split(" "));
      expect(new Set(lines.map(([pid]) => pid)).size).toBe(1);
      return lines.map(([, flags = "", glibc]) => [
        flags.includes("--max-semi-space-size=16,--heap-growing-percent=60"),
        glibc,
      ]);
    };
    const notices = [
      [false, "unset/unset"],
      [true, "2/65536"],
    ];
    expect(await started(["worker", "--help"])).toEqual(notices);
    expect(await started(["local", "--help"])).toEqual(notices);
    expect(await started(["plan", "--help"])).toEqual([[false, "unset/unset"]]);
    expect(await started(["worker", "--help"], { MALLOC_ARENA_MAX: "8" })).toEqual([[false, "8/unset"]]);
  });

  it.each(["--version", "-V", "-v"])("prints its version for %s", async (word) => {
    expect(await almanac([word])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  it("prints help for -h, also after a command", async () => {
    const [all, plan] = [await almanac(["-h"]), await almanac(["plan", "-h"])];
    expect(all).toEqual(await almanac(["--help"]));
    expect(all).toMatchObject({ code: 0, stderr: "" });
    expect(plan).toEqual(await almanac(["plan", "--help"]));
    expect(plan).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    [["flub"], 'unknown command "flub". `almanac --help` lists the commands.'],
    [["publis"], 'unknown command "publis". Did you mean publish?'],
    [["plna"], 'unknown command "plna". Did you mean plan?'],
    [["plan", "--langages", "en"], 'unknown option "--langages". Did you mean --languages?'],
    [["plan", "--long", "en"], 'unknown option "--long". `almanac plan --help` lists the options.'],
    [["quarantine", "lst"], 'unknown subcommand "lst". Did you mean list? Choose list, show, accept, retry.'],
  ])("suggests only a near spelling: %j", async (words, said) => {
    expect(await almanac(words)).toMatchObject({ code: 2, stderr: `error: ${said}\n` });
  });

  it.each([
    [["plan", "--languages", "en", "hi"], /"hi"\. Separate languages with commas: `--languages en,hi`\.$/],
    [["plan", "extra"], /"extra"\. `almanac plan` takes no arguments\.$/],
    [["log", "--limit", "3", "4"], /"4"\. `almanac log` takes no arguments\.$/],
    [["deploy", "folder", "one", "two"], /"two"\. `almanac deploy folder` takes only <folder>$/],
    [
      ["reading", "which-animal-are-you-reading", "--full-name", "Ann", "Lee"],
      /spaces, such as a full name\.$/,
    ],
    [["pull"], /^error: missing argument <url>\. Usage: almanac pull \[options\] <url> <folder>$/],
    [["plan", "--languages"], /^error: option --languages <codes> needs a value\.$/],
  ])("says what is wrong with the words, and the next step, on one line: %j", async (words, said) => {
    const { code, stderr } = await almanac(words);
    expect(code).toBe(2);
    expect(stderr.split("\n")).toEqual([expect.stringMatching(said), ""]);
    expect(stderr).not.toContain("Lee");
  });

  it.each([["quarantine"], ["schedule"], ["service"], ["deploy"]])(
    "lists the subcommands of %s on one line if none is given",
    async (name) => {
      const { code, stdout, stderr } = await almanac([name]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        /^error: missing subcommand\. (Choose \w+(, \w+)+\.|Usage: almanac deploy folder ).*\n$/,
      );
    },
  );

  it("shows the class of an error only with --verbose or --json", async () => {
    expect((await almanac(["plan", "extra"])).stderr).not.toContain("WrongUsage");
    expect((await almanac(["plan", "extra", "--verbose"])).stderr).toMatch(/\nWrongUsage\n {4}at /);
    expect(JSON.parse((await almanac(["plan", "extra", "--json"])).stdout)).toMatchObject({
      error: { type: "WrongUsage" },
    });
  });

  it.each([["plan"], ["local", "--once"], ["check"], ["status"], ["worker"], ["verify"]])(
    "says that there is no project in an empty folder, and how to get one: %j",
    async (...words) => {
      const cwd = mkdtempSync(join(tmpdir(), "almanac-empty-"));
      onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
      const { code, stdout, stderr } = await almanac(words, { cwd });
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain("has no almanac.config.ts, so there is no project here.");
      expect(stdout + stderr).toContain("create a project: `almanac init stars`");
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  it("treats a folder whose .env has our variables as a project, and no other .env", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "almanac-env-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const plan = () => almanac(["plan"], { cwd, ownProcess: true });
    await writeFile(join(cwd, ".env"), "DATABASE_URL=postgres://127.0.0.1/shop\n");
    expect(await plan()).toMatchObject({ code: 2, stderr: expect.stringContaining("no project here") });
    await writeFile(join(cwd, ".env"), "READING_SERVICE_TOKEN=\n");
    expect(await plan()).toMatchObject({ code: 0 });
  });

  it("requires a command", async () => {
    const { code, stdout, stderr } = await almanac([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("error: missing command. `almanac --help` lists them.");
  });

  it("suggests a command for a misspelled one, as JSON if requested", async () => {
    const plain = await almanac(["redaing", "daily-tarot"]);
    expect(plain).toEqual({
      code: 2,
      stdout: "",
      stderr: 'error: unknown command "redaing". Did you mean reading?\n',
    });
    const { code, stdout, stderr } = await almanac(["redaing", "--json"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      error: {
        type: "WrongUsage",
        message: 'unknown command "redaing". Did you mean reading?',
        meant: "reading",
      },
    });
  });

  it("refuses --json for a worker, which prints no document", async () => {
    const { code, stdout } = await almanac(["worker", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        type: "WrongUsage",
        message: 'unknown option "--json". `almanac worker --help` lists the options',
      },
    });
    expect((await almanac(["worker", "--help"])).stdout).not.toContain("--json");
  });

  describe("under a Node that is too old", () => {
    const older = `Object.defineProperty(process.versions, "node", { value: "20.11.1" });`;
    const node = ["--import", `data:text/javascript,${encodeURIComponent(older)}`];

    it("runs on the bundled one, and ends like it", async () => {
      const listed = await almanac(["reading", "--list", "--json"], { node });
      expect(listed).toMatchObject({ code: 0, stderr: "" });
      expect(listing.parse(JSON.parse(listed.stdout)).operations).toHaveLength(operationNames.length);
      expect(await almanac(["reading", "--lst"], { node })).toMatchObject({ code: 2, stdout: "" });
    });

    it.each([[[]], [["--json"]]])("says what to do if none was installed, %j", async (json) => {
      const checkout = await mkdtemp(join(tmpdir(), "almanac-entry-"));
      onTestFinished(() => rm(checkout, { recursive: true }));
      await cp(entry, join(checkout, "almanac.js"));
      await writeFile(join(checkout, "almanac.ts"), "");
      const words = [...node, join(checkout, "almanac.js"), "reading", "--list", ...json];
      const child = spawn(process.execPath, words, { cwd: checkout });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      expect(code).toBe(2);
      expect(stdout + stderr).toMatch(/almanac needs Node 24 or newer, and this is Node 20\.11\.1\..*npm ci/);
      expect(stdout === "").toBe(json.length === 0);
    });
  });

  it("ends silently when the reader closes the pipe", async () => {
    const child = start(["reading", "--list", "--json"]);
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(stderr).toBe("");
  });
});

describe("almanac reading --list", () => {
  it("shows every operation with its options and languages", async () => {
    const { code, stdout } = await almanac(["reading", "--list"]);
    expect(code).toBe(0);
    for (const operation of operationNames) expect(stdout).toMatch(new RegExp(`^${operation} {2}\\w`, "m"));
    expect(stdout).toContain("  --sign <sign> [--period yesterday|today|tomorrow]\n  en hi zh ");
  });

  it("as JSON has every combination of operation and language", async () => {
    const { code, stdout } = await almanac(["reading", "--list", "--json"]);
    expect(code).toBe(0);
    const { operations } = listing.parse(JSON.parse(stdout));
    expect(operations.map(({ operation }) => operation)).toEqual(operationNames);
    expect(operations.map(({ languages }) => languages)).toEqual(operationNames.map(languagesOf));
  });
});
