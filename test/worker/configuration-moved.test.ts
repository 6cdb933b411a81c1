// A configuration in a checkout may name the file of defineConfig.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { loadConfiguration } from "../../worker/settings/configuration.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function loadedFrom(place: string) {
  const folder = await mkdtemp(join(tmpdir(), "almanac-moved-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const text = `import { defineConfig } from ${JSON.stringify(place)};\nexport default defineConfig({ languages: ["hi"] });\n`;
  await writeFile(join(folder, "almanac.config.ts"), text);
  return loadConfiguration(undefined, folder);
}

const place = "worker/settings/define.ts";

test("in the checkout, its file gives defineConfig", async () => {
  expect(await loadedFrom(join(root, place))).toMatchObject({ languages: ["hi"] });
});

test("a configuration outside the checkout gets the right import suggested", async () => {
  const remedy = `. Outside the checkout, use \`import { defineConfig } from "${packageJson.name}"\``;
  await expect(loadedFrom(`./${place}`)).rejects.toThrow(remedy);
});

test("other missing modules are reported without that suggestion", async () => {
  const error = await loadedFrom("./signs.ts").catch(String);
  expect(error).toMatch(/cannot load .*almanac\.config\.ts: .*Cannot find module \S+signs\.ts/);
  expect(error).not.toContain("Outside the checkout");
});
