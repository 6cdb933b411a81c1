// The examples of the OpenAPI document: what pressing prints of invented readings, so that they are in everything as the files are.
// They depend on the site's name and address alone, and stay the same from night to night.
import { languages } from "../readings/languages.ts";
import { languageSummary, printData, printIndex } from "./data.ts";
import { languageDocument } from "./data.schema.ts";
import { deckDrafts } from "./deck.ts";
import { type Draft, printDraft } from "./draft.ts";
import type { SiteSettings } from "./edition.ts";
import { type FileEntry, format, type Manifest, type Pointer } from "./manifest.schema.ts";
import { sampleDate, samplePair, sampleSheets } from "./open-api-samples.ts";
import { Context } from "./page-context.ts";
import { pathOf } from "./paths.ts";
import { cardsIn } from "./seen-cards.ts";
import { sheetDrafts } from "./sheet-drafts.ts";
import { statusDrafts, statusesOf } from "./status.ts";
import { tree, type TreePath } from "./tree.ts";
import { wordsOf } from "./words.ts";

const language = "en";

/** SHA-256 of no bytes. */
const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** What a slot of a path is in an example; of the site's languages it is the first. */
export const sampleValues = {
  date: sampleDate,
  week: "2026-11-15",
  month: "2026-11",
  year: "2026",
  operation: "daily-tarot",
  sign: "leo",
  sign1: samplePair[0],
  sign2: samplePair[1],
  hash,
} as const;

/** By a name that says what it is of: `sign-daily`, `card-daily-tarot`, `index`. */
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

/** Made once for a site: a letter is written for it, which takes as long as a page. */
const madeBefore = new Map<string, Examples>();

export function examplesOf({ id, name, url }: SiteSettings): Examples {
  const key = [name, url].join(" ");
  const examples = madeBefore.get(key) ?? newExamples({ id, name, url });
  madeBefore.set(key, examples);
  return examples;
}

function newExamples(settings: SiteSettings): Examples {
  const home = { language, zone: languages[language].zone, date: sampleDate } as const;
  const context = new Context(home, settings, new Set());
  const examples: Record<string, { value: unknown }> = {};
  for (const draft of drafts(context)) {
    const name = exampleName(draft.at);
    if (name === undefined || Object.hasOwn(examples, name)) continue; // the current text is that of its date
    examples[name] = { value: JSON.parse(new TextDecoder().decode(printDraft(draft, context).bytes)) };
  }
  return { ...examples, ...records };
}

/** Undefined for a path that is no example: no data, or the data of another sign than the one that stands for all. */
function exampleName(at: TreePath): string | undefined {
  const [shape] = tree[at.row].schemas ?? [];
  if (shape === undefined || ("sign" in at && at.sign !== sampleValues.sign)) return undefined;
  if ("kind" in at) return `${shape}-${at.kind}`;
  return "operation" in at ? `${shape}-${at.operation}` : shape;
}

function drafts(context: Context): Draft[] {
  const sheets = sampleSheets();
  const { operation } = sampleValues;
  const cards = sheets.flatMap((sheet) =>
    sheet.operation === operation ? sheet.readings.flatMap(cardsIn) : [],
  );
  const own = printData(context, "language", languageSummary(context, sheets));
  const summaries = [languageDocument.parse(JSON.parse(own))];
  const operations = sheets.map((sheet) => sheet.operation);
  const expected = [
    { language, zone: context.zone, operations, publishedAt: "2026-11-21T05:00:12.000Z" },
  ] as const;
  return [
    { at: { row: "index" }, print: () => printIndex(context, summaries) },
    ...statusDrafts(statusesOf(expected, summaries)),
    { at: { row: "languageIndex", language }, print: () => own },
    { at: { row: "words", language }, print: () => printData(context, "words", wordsOf(context, sheets)) },
    ...sheets.flatMap((sheet) => sheetDrafts(language, sheet)),
    ...deckDrafts(language, [{ operation, cards }]),
  ];
}

const pointer: Pointer = {
  format,
  manifest: hash,
  version: 7,
  publishedAt: "2026-11-21T05:00:12.000Z",
  expires: "2026-12-05T05:00:12.000Z",
};
const manifest: Manifest = {
  format,
  parent: hash,
  version: 7,
  fingerprint: `sha256-${hash}`,
  run: "nightly-2026-11-20",
  asOf: "2026-11-20T03:05:00.000Z",
  parts: { "en/current": hash, "en/2026-11": hash, shared: hash },
};
const entry: FileEntry = { object: hash, size: 2048, type: "application/json; charset=utf-8" };

/** What says which state is the current one, and what is in it: publishing writes these. */
const records: Examples = {
  pointer: { value: pointer },
  manifest: { value: manifest },
  part: { value: { files: { [pathOf({ row: "index" })]: entry } } },
};
