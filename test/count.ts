// `npm run count`: lines and syntax nodes of the product's TypeScript and JavaScript by folder, for the files that git lists. Lines
// include comments and blank lines. Syntax nodes come from the parser, so formatting does not change their number.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Folders outside of a site's own program: tools, tests, examples, other packages and the sandbox. */
const aside = ["bench", "deploy", "docs", "examples", "packages", "test"];

interface Count {
  files: number;
  lines: number;
  nodes: number;
}

/** Number of syntax nodes in this one, including itself. */
function nodesIn(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  const own = "type" in node && typeof node.type === "string" ? 1 : 0;
  return Object.values(node).reduce<number>((sum, one) => sum + nodesIn(one), own);
}

function countOf(path: string): Count {
  const text = readFileSync(root + path, "utf8");
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  return { files: 1, lines: text.split("\n").length - 1, nodes: nodesIn(program) };
}

const listed = execFileSync("git", ["ls-files", "-z", "*.ts", "*.js"], { cwd: root, encoding: "utf8" });
const paths = listed
  .split("\0")
  .filter((path) => path !== "" && existsSync(root + path))
  .filter((path) => !aside.some((folder) => path.startsWith(`${folder}/`)));

const counts = new Map<string, Count>();
const total: Count = { files: 0, lines: 0, nodes: 0 };
for (const path of paths) {
  const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : ".";
  const sum = counts.get(folder) ?? { files: 0, lines: 0, nodes: 0 };
  counts.set(folder, sum);
  const { files, lines, nodes } = countOf(path);
  for (const one of [sum, total]) {
    one.files += files;
    one.lines += lines;
    one.nodes += nodes;
  }
}

const row = (name: string, cells: readonly (string | number)[]) =>
  name.padEnd(12) + cells.map((cell) => cell.toLocaleString("en").padStart(10)).join("");
console.log(row("folder", ["files", "lines", "nodes"]));
for (const [folder, { files, lines, nodes }] of [...counts].toSorted(
  (one, other) => other[1].lines - one[1].lines,
))
  console.log(row(folder, [files, lines, nodes]));
console.log(row("total", [total.files, total.lines, total.nodes]));
