// Rewrites links of the Markdown files, which point to pages, files or folders of the repository. On the site each page has its own
// URL, and files of the repository are texts below /files/.
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { folderOf, pages } from "../menu.ts";
import { gathered, repository } from "./gathered-pages.ts";

const own = new Set(pages.values());
const linked = new Set<string>();

export function repositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", (state) => {
    const file = relative(gathered, state.env.realPath ?? state.env.path);
    for (const { children } of state.tokens) {
      for (const token of children ?? []) {
        if (token.type !== "link_open") continue;
        const link = token.attrGet("href") ?? "";
        const path = textFrom(file, link);
        token.attrSet("href", path ?? addressFrom(file, link));
        if (path !== undefined) token.attrSet("target", "_self"); // the generator's script has no page for it
      }
    }
  });
}

function targetOf(file: string, link: string): string | undefined {
  const isOfFile = !/^(?:[a-z]+:|#|\/)/.test(link);
  return isOfFile ? posix.join(posix.dirname(file), link.replace(/#.*/, "")) : undefined;
}

function addressFrom(file: string, link: string): string {
  const target = targetOf(file, link);
  return target === undefined ? link : `/${folderOf(target)}${/#.*/.exec(link)?.[0] ?? ""}`;
}

/** Path of a link's target text, relative to the page; undefined for a link to a page. */
function textFrom(file: string, link: string): string | undefined {
  const target = targetOf(file, link);
  if (target === undefined || own.has(target)) return undefined;
  if (!existsSync(join(repository, target))) throw new Error(`${file} links to ${link}, which is not there`);
  linked.add(target);
  return `${"../".repeat(folderOf(file).split("/").length - 1) || "./"}files/${target}.txt`;
}

/** Writes files as plain text, which every web server serves unchanged. */
export function writeFiles(outDir: string): void {
  for (const path of linked) {
    const from = join(repository, path);
    const to = join(outDir, "files", `${path}.txt`);
    mkdirSync(dirname(to), { recursive: true });
    if (statSync(from).isDirectory()) writeFileSync(to, filesOf(from, path));
    else copyFileSync(from, to);
  }
}

function filesOf(folder: string, path: string): string {
  const names = globSync("**/*.*", { cwd: folder }).toSorted();
  return names
    .map((name) => `==== ${path}/${name} ====\n\n${readFileSync(join(folder, name), "utf8")}`)
    .join("\n");
}
