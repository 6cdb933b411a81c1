// Our part of bench:press as a command of its own, because the peers are commands too: reads readings, writes pages.
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Sheet } from "../site/edition.ts";
import { pressPages, writePages } from "./press-pages.ts";

const [from = "", to = ""] = process.argv.slice(2);
const sheets = z.array(z.custom<Sheet>()).parse(JSON.parse(readFileSync(from, "utf8")));
writePages(pressPages(sheets), to);
