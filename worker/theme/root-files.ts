// The owner's files for the site's root, such as ads.txt, robots.txt or the verification file of a search engine.
import { isRootFile, parsePath } from "../../site/paths.ts";
import type { Theme } from "../../site/theme/theme.ts";
import { nearestName } from "../settings/nearest-name.ts";
import type { ThemeFiles, ThemeProblems } from "./theme-files.ts";

export function loadRootFiles(files: ThemeFiles, problems: ThemeProblems): Pick<Theme, "root" | "robots"> {
  const names = ["root", "root/.well-known"].flatMap((folder) => files.in(folder));
  let robots: string | undefined;
  const root = names.flatMap((name) => {
    const path = name.slice("root/".length);
    if (path === ".well-known" || path.endsWith(".DS_Store")) return []; // the Finder of macOS makes these
    if (path === "robots.txt") {
      robots = files.text(name, { file: name });
      for (const { line, problem } of robotsProblems(robots ?? "")) problems.note(name, line, problem);
      return [];
    }
    const at = parsePath(path);
    if (at === undefined || !isRootFile(at)) {
      problems.note(
        name,
        undefined,
        at === undefined ? unknownName : `Almanac publishes /${path} itself. Remove the file`,
      );
      return [];
    }
    const bytes = files.bytes(name, { file: name });
    return bytes === undefined ? [] : [{ at, bytes: new Uint8Array(bytes) }];
  });
  return { root, robots };
}

const unknownName =
  "a name in theme/root/ has letters, digits, dots, hyphens and underscores, ends in .txt, .html, .xml or .json, and is not one that Almanac uses. Rename it";

/** Crawlers ignore the rest of a longer robots.txt. */
const mostLetters = 500_000;
const groupFields = ["allow", "disallow", "crawl-delay", "clean-param", "content-signal"];
const fields = ["user-agent", "sitemap", "host", ...groupFields];

/** Errors in robots.txt for which crawlers would silently ignore a line. */
export function robotsProblems(text: string): { readonly line: number; readonly problem: string }[] {
  if (text.length > mostLetters)
    return [
      {
        line: 1,
        problem: `it has more than ${mostLetters} characters, and crawlers ignore the rest. Shorten it`,
      },
    ];
  let hasAgent = false;
  return text.split(/\r\n?|\n/).flatMap((whole, index) => {
    const rule = whole.replace(/#.*/, "").trim();
    if (rule === "") return [];
    const [, name = "", value = ""] = /^([\w-]+)\s*:\s*(.*)$/.exec(rule) ?? [];
    const field = name.toLowerCase();
    hasAgent ||= field === "user-agent";
    const problem = problemOf(field, value, hasAgent);
    return problem === undefined ? [] : [{ line: index + 1, problem }];
  });
}

function problemOf(field: string, value: string, hasAgent: boolean): string | undefined {
  if (field === "") return "it is not a field and a value, such as `Disallow: /drafts/`. Fix the line";
  if (!fields.includes(field)) {
    const meant = nearestName(field, fields);
    return `crawlers do not know the field "${field}".${meant === undefined ? "" : ` Did you mean ${meant}?`} Fix the line`;
  }
  if (groupFields.includes(field) && !hasAgent)
    return `no \`User-agent:\` line comes before ${field}. Add one, such as \`User-agent: *\``;
  if ((field === "allow" || field === "disallow") && !/^(?:[/*].*)?$/.test(value))
    return `the path "${value}" does not begin with a slash. Fix the line`;
  if (field === "sitemap" && !URL.canParse(value)) return `"${value}" is not a full URL. Fix the line`;
  return undefined;
}
