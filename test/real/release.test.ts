// The parts of .github/workflows/release.yml that run without GitHub: it is parsed as GitHub parses it, and its steps that pack and
// list are run unchanged. test/scripts/release.test.ts checks the rest.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import createJson from "../../packages/create-almanac/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import { fileEnd } from "../support/ends.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const path = ".github/workflows/release.yml";
const atEnd = fileEnd();
const timeoutMs = 600_000;

let folder = "";
let text = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-release-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  text = await readFile(join(root, path), "utf8");
  const own = fileURLToPath(new URL("release/", import.meta.url));
  await cp(own, folder, { recursive: true, filter: (one) => !one.includes("node_modules") });
  await run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
}, timeoutMs);

/** Errors that GitHub's own workflow parser finds. */
async function faultsIn(content: string): Promise<string[]> {
  const script = `
    import { registerHooks } from "node:module";
    // It is made for bundlers, and imports JSON without an attribute.
    const load = (url, context, next) =>
      next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);
    registerHooks({ load });
    const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
    const content = process.argv[1];
    const { context } = parseWorkflow({ name: "release.yml", content }, new NoOperationTraceWriter());
    console.log(JSON.stringify(context.errors.getErrors().map((error) => error.message)));
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script, content], {
    cwd: folder,
  });
  return z.array(z.string()).parse(JSON.parse(stdout));
}

test("GitHub's own reader has nothing to say against the workflow", async () => {
  expect(await faultsIn(text)).toEqual([]);
  expect(await faultsIn(text.replace("runs-on:", "runs-at:"))).not.toEqual([]);
  expect(await faultsIn(text.replace("github.actor", "github.nobody("))).not.toEqual([]);
});

const workflow = z.object({
  jobs: z.object({
    build: z.object({
      steps: z.array(z.object({ name: z.string().optional(), run: z.string().optional() })),
    }),
  }),
});

/** Runs a step unchanged. */
async function step(name: string, out: string): Promise<void> {
  const { build } = workflow.parse(parse(text)).jobs;
  const line = build.steps.find((one) => one.name === name)?.run;
  if (line === undefined) throw new Error(`${path} has no step "${name}"`);
  // Environment of a plain shell: the variables that `npm run` adds are absent in a workflow.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)));
  await run("bash", ["-eo", "pipefail", "-c", line], { cwd: root, env: { ...env, OUT: out } });
}

const listed = z.object({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.string(),
  metadata: z.object({ component: z.object({ purl: z.string() }) }),
  components: z.array(
    z.object({ name: z.string(), version: z.string(), purl: z.string(), group: z.string().optional() }),
  ),
});

test(
  "packs both packages, and lists all that is in ours, as CycloneDX has it",
  { timeout: timeoutMs },
  async () => {
    const out = join(folder, "out");
    await step("Pack", out);
    await step("List what is in it", out);
    expect((await readdir(out)).sort()).toEqual([
      `almanac-almanac-${packageJson.version}.tgz`,
      `almanac-create-almanac-${createJson.version}.tgz`,
      "almanac.cdx.json",
    ]);
    const list = await readFile(join(out, "almanac.cdx.json"), "utf8");
    const { specVersion, metadata, components } = listed.parse(JSON.parse(list));
    expect(decodeURIComponent(metadata.component.purl)).toBe(
      `pkg:npm/${packageJson.name}@${packageJson.version}`,
    );
    const inList = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    const needed = Object.entries(packageJson.dependencies).map(
      ([name, version]) => `pkg:npm/${name}@${version}`,
    );
    expect(needed.filter((purl) => !inList.has(purl))).toEqual([]);
    expect([...inList].filter((purl) => /npm\/(?:vitest|typescript|playwright-core)@/.test(purl))).toEqual(
      [],
    );

    const script = `
    import { Validation } from "@cyclonedx/cyclonedx-library";
    import { readFileSync } from "node:fs";
    const validator = new Validation.JsonStrictValidator(process.argv[2]);
    console.log(JSON.stringify(await validator.validate(readFileSync(process.argv[1], "utf8"))));
  `;
    const words = ["--input-type=module", "-e", script, join(out, "almanac.cdx.json"), specVersion];
    expect(JSON.parse((await run(process.execPath, words, { cwd: folder })).stdout)).toBeNull();
  },
);
