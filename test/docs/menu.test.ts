// The pages of the documentation as files, without the generator that makes their site: test/real/docs-site.test.ts has that.
import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { anchorOf, folderOf, menu, pages, plainHeading, titleIn } from "../../docs/site/menu.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (path: string): string => readFileSync(posix.join(cwd, path), "utf8");
const inMenu = Object.values(menu).flat();

/** The text without its code blocks. */
const proseOf = (path: string): string => textOf(path).replaceAll(/^( *)(`{3,})[^\n]*\n.*?^\1\2$/gms, "");

/** The anchors of a page's headings; a second one of the same words is counted. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(path).matchAll(/^#+ (.+)$/gm)) {
    const anchor = anchorOf(plainHeading(heading));
    let named = anchor;
    for (let count = 1; anchors.has(named); count += 1) named = `${anchor}-${count}`;
    anchors.add(named);
  }
  return anchors;
}

function linksOf(path: string): string[] {
  const links = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to);
  return links.filter((to) => !/^(?:https?|mailto):/.test(to));
}

test("every page stands in the menu, once, and with a title", () => {
  const files = globSync(["*.md", "docs/**/*.md", "packages/*/README.md"], {
    cwd,
    exclude: ["**/node_modules/**", "docs/site/dist/**"],
  });
  expect(inMenu.toSorted()).toEqual(files.toSorted());
  expect(pages.size).toBe(inMenu.length);
  expect(inMenu.filter((path) => titleIn(textOf(path)) === "")).toEqual([]);
  expect(
    ["Tutorials", "How-to guides", "Reference", "Explanation"].filter((name) => !menu[name]?.length),
  ).toEqual([]);
});

test("a page's address is a folder with its name", () => {
  expect(["README.md", "SECURITY.md", "docs/hosting.md", "packages/hugo/README.md"].map(folderOf)).toEqual([
    "",
    "security/",
    "hosting/",
    "packages/hugo/",
  ]);
});

test.each(inMenu)("no heading of %s is more than one level below the one before it", (path) => {
  const levels = [...proseOf(path).matchAll(/^(#+) /gm)].map(([, marks = ""]) => marks.length);
  expect(levels.length).toBeGreaterThan(0);
  expect(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)).toEqual([]);
});

test.each(inMenu)("every link of %s leads to a file or a heading that is there", (path) => {
  const lost = linksOf(path).filter((link) => {
    const [to = "", anchor] = link.split("#");
    const target = to === "" ? path : posix.join(posix.dirname(path), to);
    if (!existsSync(posix.join(cwd, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(lost).toEqual([]);
});

test.each(inMenu)("every column of a table of %s has a heading", (path) => {
  const headings = [...proseOf(path).matchAll(/^\|(.+)\|\n\|[-:| ]+\|$/gm)].map(([, cells = ""]) => cells);
  expect(headings.filter((cells) => cells.split("|").some((cell) => cell.trim() === ""))).toEqual([]);
});

test("README.md is short, opens with a picture of a page and has the two command lines that make one start", () => {
  const readme = textOf("README.md");
  expect(readme.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length).toBeLessThanOrEqual(550);
  expect(readme.split("\n## ")[0]).toMatch(
    /^# Almanac\n\n[^!]+\n\n!\[[^\]]+\]\(docs\/pictures\/front\.webp\)\n$/,
  );
  const commands = [...readme.matchAll(/^npm ci && npm (?:run local|test) .*$/gm)];
  expect(commands.map(([line]) => line.split("#")[0]?.trim())).toEqual([
    "npm ci && npm run local",
    "npm ci && npm test",
  ]);
  for (const heading of ["Start", "Why not a cron script", "When to use something else", "Where to go next"])
    expect(readme).toContain(`\n## ${heading}\n`);
});

test("the start page leads to the guide for editors, which is short, has pictures and needs no word of Temporal", () => {
  expect(linksOf("README.md")).toContain("docs/editors.md");
  const guide = textOf("docs/editors.md");
  expect(guide.split(/\s+/).length).toBeLessThanOrEqual(650);
  expect([...guide.matchAll(/^!\[[^\]]{20,}\]\(pictures\/[a-z]+\.webp\)$/gm)].length).toBeGreaterThan(1);
  expect(guide).not.toMatch(/temporal/i);
});

test("the glossary explains each word once", () => {
  const glossary = textOf("docs/glossary.md");
  const words = [...glossary.matchAll(/^\| ([^|]*[^| ]) +\| /gm)].map(([, word]) => word);
  const named = words.filter((word = "") => word !== "term" && /\p{L}/u.test(word));
  expect(named).toContain("vault");
  expect(named.length).toBeLessThanOrEqual(60);
  expect(new Set(named).size).toBe(named.length);
});

test("the glossary has at most 25 words that a user needs", () => {
  const [, forUsers = ""] =
    /\n## Terms for running a site\n(.*?)\n## /s.exec(textOf("docs/glossary.md")) ?? [];
  const rows = forUsers.split("\n").filter((line) => line.startsWith("| "));
  expect(rows.length - 2).toBeGreaterThan(15);
  expect(rows.length - 2).toBeLessThanOrEqual(25);
});

test("the glossary says each word in one line", () => {
  const meanings = [
    ...textOf("docs/glossary.md").matchAll(/^\| [^|]*[^| ] +\| ([^|]*\p{L}[^|]*[^| ]) +\|$/gmu),
  ];
  expect(meanings.length).toBeGreaterThan(40);
  const long = meanings.map(([, meaning = ""]) => meaning).filter((meaning) => meaning.length > 120);
  expect(long).toEqual([]);
});
