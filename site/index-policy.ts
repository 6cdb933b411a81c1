// The index policy: the decision on each page whether search engines are to list it, leave it out (noindex), or list another page in
// its place (canonical). Heads, sitemaps, links between translations and feeds all take it from here, so they can't disagree.
import { periodKinds } from "../readings/calendar.ts";
import { canonicalPages, type IndexRule } from "../readings/index-rules.ts";
import { type Language, signs } from "../readings/tables.ts";
import { isTreePath } from "./paths.ts";
import { tree, type TreePath } from "./tree.ts";

/** Facts about the text of a page, which its path does not tell. */
export interface TextFacts {
  /** Whether a page of a date has the same text as the current page. */
  readonly isCurrent?: boolean;
  /** Whether a person has approved the page's one text. */
  readonly reviewed?: boolean;
  /** Whether the page has lost its texts for good, because the configuration dropped its operation. */
  readonly isEnded?: boolean;
}

export interface PageFacts extends TextFacts {
  readonly at: TreePath;
  /** The local date that is today, from which ages are counted. */
  readonly date: string;
}

/** A path is that of the canonical page. */
export type IndexDecision = "listed" | "noindex" | TreePath;

/** Apply after the configuration's rules. A page without any rule is listed. */
const defaults: readonly IndexRule[] = [
  { pages: ["archivePage"], as: "noindex" },
  { pages: ["datedPage"], minAgeMonths: 2, as: "noindex" },
];

/** `exists`: whether the site has this page. A canonical page must exist and be listed whatever its text is, because that changes. */
export function indexPolicy(
  facts: PageFacts,
  rules: readonly IndexRule[],
  exists: (at: TreePath) => boolean = () => true,
): IndexDecision {
  const { at, date, isCurrent, isEnded } = facts;
  if (tree[at.row].isListed !== true || isEnded === true) return "noindex";
  const as = ruled(facts, rules);
  // While a dated page has the same text as the current one, search engines should know only the current one.
  if (as === "noindex" || (as === "listed" && isCurrent !== true)) return as;
  const to = { ...at, row: canonicalPages[at.row] ?? at.row };
  const texts = isCurrent === true ? [facts.reviewed] : [true, false];
  const isListed = (one: TreePath) =>
    exists(one) && texts.every((reviewed) => ruled({ at: one, date, reviewed }, rules) === "listed");
  return isTreePath(to) && isListed(to) ? to : as === "listed" ? as : "noindex";
}

function ruled(facts: PageFacts, rules: readonly IndexRule[]): IndexRule["as"] {
  return [...rules, ...defaults].find((rule) => applies(rule, facts))?.as ?? "listed";
}

function applies(rule: IndexRule, { at, date, reviewed = false }: PageFacts): boolean {
  const { pages, periods, languages, minAgeMonths } = rule;
  return (
    (rule.as !== "canonical" || canonicalPages[at.row] !== undefined) &&
    (pages === undefined || pages.some((row) => row === at.row)) &&
    (periods === undefined || ("kind" in at && periods.includes(at.kind))) &&
    (languages === undefined || ("language" in at && languages.includes(at.language))) &&
    (rule.reviewed === undefined ||
      (["text", "current text", "pair"].includes(tree[at.row].shows) && rule.reviewed === reviewed)) &&
    (minAgeMonths === undefined || (ageInMonths(at, date) ?? -1) >= minAgeMonths)
  );
}

/** Whole months since that of the page, so that all pages of a month change together; undefined for a page without a date. */
function ageInMonths(at: TreePath, date: string): number | undefined {
  if (at.row !== "archivePage" && at.row !== "datedPage") return undefined;
  const month = at.row === "archivePage" ? at.month : at.kind === "yearly" ? `${at.key}-12` : at.key;
  return Math.max(0, monthNumber(date) - monthNumber(month));
}

function monthNumber(date: string): number {
  const [year, month] = date.split("-").map(Number);
  return (year ?? 0) * 12 + (month ?? 0);
}

/** The decisions on a month's pages, in one text: its pages are to be rendered again when it differs. */
export function decisionsOn(
  { language, month, date }: { readonly language: Language; readonly month: string; readonly date: string },
  rules: readonly IndexRule[],
  exists: (at: TreePath) => boolean,
): string {
  const [sign] = signs;
  const [year = "", number] = month.split("-");
  const dated = periodKinds.flatMap((kind): TreePath[] => {
    if (kind === "yearly" && number !== "01") return []; // a year's pages are in its January
    return [{ row: "datedPage", language, kind, sign, key: kind === "yearly" ? year : month }];
  });
  const pages: TreePath[] = [...dated, { row: "archivePage", language, sign, month }];
  const decisions = pages.flatMap((at) =>
    [true, false].map((reviewed) => indexPolicy({ at, date, reviewed }, rules, exists)),
  );
  return decisions.map((one) => (typeof one === "string" ? one : one.row)).join(" ");
}
