// Our part of bench:render as a command of its own, because the peers are commands too: reads readings, writes pages. Plain
// JavaScript that keeps compiled code from one start to the next, as scripts/almanac.js is.
import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/almanac", import.meta.url)));
const { writePages } = await import("./render-pages.ts");

const [from, to] = process.argv.slice(2);
writePages(JSON.parse(readFileSync(from, "utf8")), to);
