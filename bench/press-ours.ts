// Our part of bench:press as a command of its own, because the peers are commands too: reads readings, writes pages. It keeps
// its compiled code from one start to the next, as scripts/almanac.js does.
import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import type { Sheet } from "../site/edition.ts";

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/almanac", import.meta.url)));
const { z } = await import("zod");
const { writePages } = await import("./press-pages.ts");

const [from = "", to = ""] = process.argv.slice(2);
const sheets = z.array(z.custom<Sheet>()).parse(JSON.parse(readFileSync(from, "utf8")));
writePages(sheets, to);
