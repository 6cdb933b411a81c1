// `npm run docs [-- --url https://docs.example/almanac/]`: builds the documentation site, with its demonstration, in
// docs/site/dist/. `npm run docs -- --watch` shows only the pages while you write them.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { demonstrationIn } from "./demo/night.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8422/" },
    watch: { type: "boolean", default: false },
  },
});
const url = new URL(values.url.replace(/\/*$/, "/"));
const generator = join(here, "node_modules/vitepress/bin/vitepress.js");
if (!existsSync(generator)) throw new Error("the generator is not installed: npm ci --prefix docs/site");

const dist = join(here, "dist");
if (values.watch) generate("dev");
else {
  rmSync(dist, { recursive: true, force: true });
  generate("build", "--base", url.pathname);
  await demonstrationIn(join(dist, "demo"), new URL("demo/", url).href);
  console.log(`the documentation is in ${dist}: any web server shows it, at ${url.href}`);
}

function generate(...words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [generator, ...words], { cwd: here, stdio: "inherit" });
  if (status !== 0) throw new Error("the generator failed: its words are above");
}
