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

/** The kinds that can be the canonical page of another: those with much of its content, whose path follows from the other's. */
export const canonicalPages: Readonly<Partial<Record<IndexedPage, readonly CanonicalPage[]>>> = {
  datedPage: ["signPage"],
  archivePage: ["archiveStart"],
  cardPage: ["deckPage", "cardsPage"],
  drawPage: ["deckPage"],
  pairPage: ["pairsPage"],
  partnerPage: ["pairsPage"],
};
const canonicalNames = ["signPage", "archiveStart", "deckPage", "cardsPage", "pairsPage"] as const;
type CanonicalPage = (typeof canonicalNames)[number];

const decision = z.union(
  [z.enum(["listed", "noindex"]), z.strictObject({ canonical: z.enum(canonicalNames) })],
  `one of "listed", "noindex", or { canonical: "signPage" }`,
);

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
      .describe("only pages with one text, and whether a person has approved that text"),
    minAgeMonths: z
      .int()
      .min(0)
      .optional()
      .describe("only pages of a date, from this age on: 0 is the current month, 1 the month before"),
    as: decision.describe("decision: `listed`, `noindex`, or `{ canonical: kind }`"),
  })
  .superRefine(({ pages = [...indexedPages], as }, context) => {
    if (typeof as === "string") return;
    for (const page of pages) {
      const known = canonicalPages[page] ?? [];
      if (known.includes(as.canonical)) continue;
      const remedy = known.length === 0 ? "Remove it from `pages`" : `Use ${known.join(" or ")}`;
      context.addIssue({
        code: "custom",
        path: ["as"],
        message: `${as.canonical} can't be the canonical page of ${page}. ${remedy}`,
      });
    }
  });
export type IndexRule = z.infer<typeof indexRule>;

export const indexing = z
  .array(indexRule)
  .max(100)
  .default([])
  .describe(
    "rules that decide which pages search engines list; the first that applies decides (docs/published-tree.md)",
  );
