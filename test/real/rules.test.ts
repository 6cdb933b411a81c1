// Tests the alert rules and the dashboard's queries with Prometheus' own tool: each fault, as several workers report it, fires the
// right alerts and no others.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const own = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rules = own("deploy/monitoring/rules.yaml");
const troubles = ["rules", "rules-days"].map((name) => own(`test/deploy/${name}.promtool.yaml`));
const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
});
const toolFailure = z.object({ code: z.unknown(), stdout: z.string(), stderr: z.string() });

/** Returns the tool's complaints about the rules; undefined if there are none. */
async function promtool(...words: string[]): Promise<string | undefined> {
  try {
    await promisify(execFile)("promtool", words);
    return undefined;
  } catch (error) {
    const { code, stdout, stderr } = toolFailure.parse(error);
    if (code === "ENOENT")
      throw new Error("promtool has to be there: `apt-get install prometheus`", { cause: error });
    return stdout + stderr;
  }
}

async function folderFor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-rules-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("promtool takes the rules and every query of the dashboard", async () => {
  expect(await promtool("check", "rules", rules)).toBeUndefined();
  const { panels } = dashboard.parse(
    JSON.parse(await readFile(own("deploy/monitoring/dashboard.json"), "utf8")),
  );
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const recorded = queries.map((expr, index) => ({
    record: `query:${index}`,
    expr: expr.replaceAll("$__rate_interval", "5m"),
  }));
  const file = join(await folderFor(), "queries.yaml"); // JSON is YAML
  await writeFile(file, JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
  expect(await promtool("check", "rules", file)).toBeUndefined();
});

test("each trouble fires what it should, over all workers, and nothing else", async () => {
  expect(await promtool("test", "rules", ...troubles)).toBeUndefined();
}, 600_000);
