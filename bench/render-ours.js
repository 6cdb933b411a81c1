// Our part of bench:render as a separate command, because the peers are commands too: reads readings, writes pages. Plain
// JavaScript that caches compiled code between starts, like scripts/almanac.js.
import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/almanac", import.meta.url)));
const { writePages } = await import("./render-pages.ts");

const [from, to] = process.argv.slice(2);
writePages(JSON.parse(readFileSync(from, "utf8")), to);
