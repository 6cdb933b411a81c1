// docs/first-night.md as somebody follows it, but for `--once` in place of Ctrl-C, in an empty folder in place of the checkout's own.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs/first-night.md"), "utf8");

/** The one text of that kind on the page that has this word. */
function textWith(kind: string, word: string): string {
  const texts = [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "gms"))];
  const [text, ...others] = texts.map(([, one = ""]) => one).filter((one) => one.includes(word));
  if (text === undefined || others.length > 0) throw new Error(`not one text of ${kind} has ${word}`);
  return text;
}

const plan = z.object({ due: z.array(z.object({ request: z.object({ language: z.string() }) })) });

test("a first night brings pages in two languages, and a configuration with a theme a name, colors and a third", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-first-night-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  writeFileSync(join(folder, "almanac.config.ts"), "export default {};\n"); // a checkout needs no configuration
  const almanac = async (words: string): Promise<string> => {
    const own = Object.entries(process.env).filter(([name]) => !/^(?:ALMANAC|READING|TEMPORAL_A)/.test(name));
    const env = { ...Object.fromEntries(own), NODE_OPTIONS: "" };
    const given = [join(root, "scripts/almanac.js"), ...words.split(" ")];
    const { stdout } = await run(process.execPath, given, { cwd: folder, env });
    return stdout;
  };
  const onSite = (path: string): string => join(folder, ".almanac/sandbox/site", path);

  const [, languages = ""] = /^npm run local -- (--languages \S+)$/m.exec(textWith("sh", "npm ci\n")) ?? [];
  const began = new Date().toISOString();
  await almanac(`local --once ${languages}`);
  expect(["en", "hi", "de"].filter((language) => existsSync(onSite(`${language}/index.html`)))).toEqual([
    "en",
    "hi",
  ]);

  const configuration = textWith("ts", "Morning Stars").replace('"./worker/', `"${root}worker/`);
  writeFileSync(join(folder, "almanac.config.ts"), configuration);
  const theme = textWith("ts", "#8a4b08").replace('"../worker/', `"${root}worker/`);
  mkdirSync(join(folder, "theme"));
  writeFileSync(join(folder, "theme/theme.ts"), theme);
  // Planned as of the start of the first night, because midnight may have passed since.
  const { due } = plan.parse(JSON.parse(await almanac(`plan --json --as-of ${began}`)));
  expect(new Set(due.map(({ request }) => request.language))).toEqual(new Set(["de"]));

  await almanac("local --once");
  for (const language of ["en", "hi", "de"]) {
    const front = readFileSync(onSite(`${language}/index.html`), "utf8");
    expect(front).toContain("Morning Stars");
    expect(front).toContain("#8a4b08");
  }
}, 600_000);
