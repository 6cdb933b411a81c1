// The menu of the documentation site. Each Markdown file of the repository has one line here; its title is its first heading.
// test/docs/menu.test.ts fails for a page without a line.
import { posix } from "node:path";

export const menu: Readonly<Record<string, readonly string[]>> = {
  Start: ["README.md"],
  Tutorials: ["docs/first-night.md"],
  "How-to guides": [
    "docs/install.md",
    "packages/create-almanac/README.md",
    "docs/storage-setup.md",
    "docs/hosting.md",
    "docs/wordpress.md",
    "docs/one-machine.md",
    "docs/deployment.md",
    "docs/troubleshooting.md",
    "docs/editors.md",
    "docs/withdraw.md",
    "docs/backup.md",
    "docs/tune.md",
    "docs/versions.md",
    "docs/theming.md",
    "docs/embed.md",
    "docs/json-api.md",
    "docs/newsletters.md",
    "docs/feeds.md",
    "packages/astro/README.md",
    "packages/eleventy/README.md",
    "packages/hugo/README.md",
    "packages/next/README.md",
    "packages/wordpress/README.md",
  ],
  Reference: [
    "docs/command-line.md",
    "docs/configuration.md",
    "docs/environment.md",
    "docs/monitoring.md",
    "docs/operations.md",
    "docs/published-tree.md",
    "docs/client.md",
    "docs/theme-reference.md",
    "docs/glossary.md",
    "CHANGELOG.md",
  ],
  Explanation: [
    "docs/how-it-works.md",
    "docs/architecture.md",
    "docs/publishing-protocol.md",
    "docs/validation-rules.md",
    "docs/performance.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
  ],
};

/** The folder of a page's address: `docs/hosting.md` is at `/hosting/`, `packages/hugo/README.md` at `/packages/hugo/`. */
export function folderOf(file: string): string {
  const name = file
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase();
  return posix.join(name.replace(/(?:^|\/)readme$/, ""), "/").replace(/^\/$/, "");
}

/** Each page's file, by the folder of its address. */
export const pages: ReadonlyMap<string, string> = new Map(
  Object.values(menu).flatMap((files) => files.map((file) => [folderOf(file), file] as const)),
);

/** The page's first heading, without its marks. */
export function titleIn(text: string): string {
  return plainHeading(/^# (.+)$/m.exec(text)?.[1] ?? "");
}

/** A heading's words as they are shown. */
export function plainHeading(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}

/** The anchor of a heading, by the rule of repository hosts, so that links work here and there. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
