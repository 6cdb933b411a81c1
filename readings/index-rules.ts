// The setting `indexing`: the rules that decide which pages search engines list. site/index-policy.ts applies them.
import { z } from "zod";
import { periodKinds } from "./calendar.ts";
import { languageNames } from "./tables.ts";

/** The kinds of pages that a rule can name: the rows of site/tree.ts that can be listed. */
export const indexedPages = [
  "signPage",
  "datedPage",
  "cardPage",
  "deckPage",
  "drawPage",
  "pairPage",
  "pairsPage",
  "partnerPage",
  "personPage",
  "archivePage",
  "archiveStart",
  "cardsPage",
  "followPage",
  "frontPage",
  "accessibilityPage",
  "ownPage",
  "aboutPage",
  "chooserPage",
  "statusPage",
] as const;
type IndexedPage = (typeof indexedPages)[number];

/** The canonical page of each kind that can have one: it shares much of the content, and its path follows from the other's. */
export const canonicalPages: Readonly<Partial<Record<string, IndexedPage>>> = {
  datedPage: "signPage",
  archivePage: "archiveStart",
  cardPage: "deckPage",
  drawPage: "deckPage",
  pairPage: "pairsPage",
  partnerPage: "pairsPage",
};

const indexRule = z
  .strictObject({
    pages: z
      .array(z.enum(indexedPages))
      .min(1)
      .optional()
      .describe("kinds of pages that the rule applies to. Default: all"),
    periods: z
      .array(z.enum(periodKinds))
      .min(1)
      .optional()
      .describe("periods of the sign's pages. Default: all"),
    languages: z
      .array(z.enum(languageNames))
      .min(1)
      .optional()
      .describe("languages of the pages. Default: all, and pages without a language"),
    reviewed: z
      .boolean()
      .optional()
      .describe("only pages with one text, which a person has (`true`) or has not (`false`) approved"),
    minAgeMonths: z
      .int()
      .min(0)
      .optional()
      .describe(
        "only dated pages of at least this age in months: 0 is the current month, 1 the previous one",
      ),
    as: z.enum(["listed", "noindex", "canonical"]).describe("decision"),
  })
  .refine(
    ({ pages = [], as }) => as !== "canonical" || pages.every((page) => canonicalPages[page] !== undefined),
    {
      path: ["pages"],
      error: `only ${Object.keys(canonicalPages).join(", ")} have a canonical page. Set "noindex" for other kinds`,
    },
  );
export type IndexRule = z.infer<typeof indexRule>;

export const indexing = z
  .array(indexRule)
  .max(100)
  .default([])
  .describe(
    "rules that decide which pages search engines list; the first that applies decides (docs/published-tree.md)",
  );
