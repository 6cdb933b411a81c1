// The paths that leave the site because the configuration dropped them: those of a dropped language, and the current paths of
// dropped operations, pairs and people. Dated paths stay as the archive. A missing answer removes nothing.
import { type PublishingOn, pathsInGroup } from "../state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { allPairs } from "../../readings/pairs.ts";
import { indexPolicy } from "../../site/index-policy.ts";
import { isRootFile, operationAt, parsePath, pathOf } from "../../site/paths.ts";
import { tree, type TreePath } from "../../site/tree.ts";
import type { RenderSettings } from "../state/publish-context.ts";
import { allFiles, groupsIn, languageGroup } from "../state/parts.ts";

/**
 * `rendered` are the groups of paths that are rendered. An unusual number of paths stays and is reported, because a night must not wait
 * for a person's confirmation, which is `evenMany`.
 */
export async function leaving(rendered: ReadonlySet<string>, publishing: PublishingOn, evenMany = false) {
  const { configuration, theme, manifest, reader } = publishing;
  if (manifest === undefined) return { paths: [], left: 0 };
  const paths: string[] = [];
  const root = new Set(theme?.root.map(({ at }) => pathOf(at)));
  const isWanted = wantedBy({ configuration, theme });
  const isDroppedFile = (path: string) => {
    const at = parsePath(path);
    return at !== undefined && (isRootFile(at) ? !root.has(path) : !isWanted(at));
  };
  for (const group of groupsIn(manifest)) {
    const of = languageGroup(group);
    if (of === undefined) {
      paths.push(...(await pathsInGroup(publishing, group)).filter(isDroppedFile));
      continue;
    }
    const dropped = !configuration.languages.includes(of.language);
    if (!dropped && (of.month !== undefined || !rendered.has(group))) continue;
    const all = await pathsInGroup(publishing, group);
    const isGone = (path: string) => {
      const at = parsePath(path);
      return at !== undefined && !isWanted(at) && !tree[at.row].staysEnded;
    };
    paths.push(...(dropped ? all : all.filter(isGone)));
  }
  const { unusualShare } = configuration.publishing;
  if (evenMany || paths.length === 0) return { paths, left: 0 };
  const all = await allFiles(reader, manifest);
  if (unusualRemoval(paths.length, all.size, unusualShare) === undefined) return { paths, left: 0 };
  warnAboutLeft(paths.length, publishing);
  return { paths: [], left: paths.length };
}

export function warnAboutLeft(paths: number, { configuration, log }: PublishingOn): void {
  const { unusualShare } = configuration.publishing;
  log.warn(
    { paths, unusualShare },
    `the configuration removes an unusual share of the site; ${paths} files stay until \`almanac render --yes\` removes them`,
  );
}

/** Checks whether the configuration still includes a path. Dated paths stay, whatever has been dropped. */
export function wantedBy({ configuration, theme }: RenderSettings): (at: TreePath) => boolean {
  const operations = new Set(configuration.operations);
  const people = new Set(configuration.people.map(({ id }) => id));
  const pairs = new Set((configuration.pairs ?? allPairs).map((pair) => pair.join()));
  const own = new Set(theme?.pages.map(({ at }) => pathOf(at)));
  return (at) => {
    if (at.row === "ownPage") return own.has(pathOf(at));
    if (at.row === "sitemapOfSite") return hasListedPages(configuration);
    if (at.row === "accessibilityPage") return configuration.site.accessibility !== undefined;
    if (at.row === "indexNowKey") return configuration.site.indexNow !== undefined;
    if (tree[at.row].stage === "dated") return true;
    if ("person" in at && !people.has(at.person)) return false;
    const operation = operationAt(at);
    if (operation !== undefined && !operations.has(operation)) return false;
    return !("sign1" in at) || pairs.has([at.sign1, at.sign2].join());
  };
}

/** Whether search engines are to list any page of no language. */
function hasListedPages({ indexing }: Configuration): boolean {
  const pages: readonly TreePath[] = [{ row: "chooserPage" }, { row: "statusPage" }];
  return pages.some((at) => indexPolicy({ at, date: "" }, indexing) === "listed");
}

export class UnusualRemoval extends Error {
  override readonly name = "UnusualRemoval";
  readonly type = "UnusualRemoval";
  constructor(removed: number, all: number, share: number) {
    super(
      `this would remove ${removed} of ${all} files, more than ${Number((share * 100).toFixed(2))} % (publishing.unusualShare). ` +
        "List them with --dry-run. If this is intended, add --yes",
    );
  }
}

/** Undefined if so many files may be removed without confirmation. */
export function unusualRemoval(removed: number, all: number, share: number): UnusualRemoval | undefined {
  return removed > all * share ? new UnusualRemoval(removed, all, share) : undefined;
}
