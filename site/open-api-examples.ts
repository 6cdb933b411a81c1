// The examples of the OpenAPI document, rendered from invented readings as the site's own files are. They depend on the
// site's name and URL only, and stay the same from night to night.
import { languages, type Operation, operationNames, rowOf, signs } from "../readings/tables.ts";
import { pairSeason } from "../readings/pairs.ts";
import { isPeriodKind, periodOf } from "../readings/calendar.ts";
import { type Reading, readingSchema } from "../readings/reading.schema.ts";
import { languageDocument } from "./data.schema.ts";
import { languageSummary, renderData, renderIndex } from "./data.ts";
import { type Draft, renderDraft, Context } from "./context.ts";
import type { ReadingSet, SiteSettings } from "./edition.ts";
import { type FileEntry, format, type Manifest, type Pointer } from "./manifest.schema.ts";
import { deckDrafts } from "./pages/deck-pages.ts";
import { pathOf } from "./paths.ts";
import { cardsIn } from "./seen-cards.ts";
import { draftsOfSet } from "./set-drafts.ts";
import { statusDrafts, statusesOf, wordsOf } from "./language-files.ts";
import { tree, type TreePath } from "./tree.ts";

const language = "en";
const publishedAt = "2026-11-21T05:00:12.000Z";
const receivedAt = "2026-11-20T08:05:00.000Z";

/** The value of a path's slot in an example; of the site's languages it is the first. */
export const sampleValues = {
  date: "2026-11-21",
  week: "2026-11-15",
  month: "2026-11",
  year: "2026",
  operation: "daily-tarot",
  sign: "leo",
  sign1: "aries",
  sign2: "leo",
  /** SHA-256 of no bytes. */
  hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
} as const;
const { date, operation: cardOperation, sign1, sign2, hash } = sampleValues;

/** By shape and variant: `sign-daily`, `card-daily-tarot`, `index`. */
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

/** The examples of each site, because the newsletter among them takes as long to render as a page. */
const rendered = new Map<string, Examples>();

export function examplesOf({ id, name, url }: SiteSettings): Examples {
  const key = [name, url].join(" ");
  const examples = rendered.get(key) ?? renderExamples({ id, name, url });
  rendered.set(key, examples);
  return examples;
}

function renderExamples(settings: SiteSettings): Examples {
  const home = { language, zone: languages[language].zone, date } as const;
  const context = new Context(home, settings, new Set());
  const examples: Record<string, { value: unknown }> = {};
  for (const draft of drafts(context)) {
    const name = exampleName(draft.at);
    if (name === undefined || Object.hasOwn(examples, name)) continue; // the current text is that of its date
    examples[name] = { value: JSON.parse(new TextDecoder().decode(renderDraft(draft, context).bytes)) };
  }
  return { ...examples, ...records };
}

/** Undefined for a page, and for the data of the other eleven signs. */
function exampleName(at: TreePath): string | undefined {
  const [shape] = tree[at.row].schemas ?? [];
  if (shape === undefined || ("sign" in at && at.sign !== sampleValues.sign)) return undefined;
  if ("kind" in at) return `${shape}-${at.kind}`;
  return "operation" in at ? `${shape}-${at.operation}` : shape;
}

function drafts(context: Context): Draft[] {
  const sets = operationNames.flatMap((operation): ReadingSet[] => {
    const readings = readingsOf(operation);
    const [first] = readings;
    if (first === undefined) return [];
    const received = readings.map((reading) => ({ reading, receivedAt }));
    return [{ operation, period: first.period, current: true, readings: received }];
  });
  const cards = sets.flatMap(({ operation, readings }) =>
    operation === cardOperation ? readings.flatMap(cardsIn) : [],
  );
  const own = renderData(context, "language", languageSummary(context, sets));
  const summaries = [languageDocument.parse(JSON.parse(own))];
  const operations = sets.map(({ operation }) => operation);
  const statuses = statusesOf([{ language, zone: context.zone, operations, publishedAt }], summaries);
  return [
    { at: { row: "index" }, render: () => renderIndex(context, summaries) },
    ...statusDrafts(statuses),
    { at: { row: "languageIndex", language }, render: () => own },
    { at: { row: "words", language }, render: () => renderData(context, "words", wordsOf(context, sets)) },
    ...sets.flatMap((set) => draftsOfSet(language, set)),
    ...deckDrafts(language, [{ operation: cardOperation, cards }]),
  ];
}

/** One invented reading, or a horoscope for each sign; none of a person's animal, which is not published as data. */
function readingsOf(operation: Operation): Reading[] {
  const { family, due } = rowOf(operation);
  if (family === "animal") return [];
  const season = () => pairSeason([sign1, sign2], language, date).season;
  const period = family === "pair" ? season() : isPeriodKind(due) ? periodOf(due, date) : date;
  const reading = { format: 1, language, period, family, operation };
  if (family !== "horoscope") return [readingSchema.parse({ ...reading, ...invented[family] })];
  const figures = due === "daily" ? daily : { luck: [], colors: [], scores: {} };
  return signs.map((sign) => readingSchema.parse({ ...reading, sign, sections, ...figures }));
}

const sections = {
  personal: ["A calm hour helps you sort what matters."],
  health: ["A walk in the open does you good."],
  profession: ["Finish one thing before you begin the next."],
  emotions: ["Say what you feel, in few words."],
  travel: ["A short way is the better one."],
};
const daily = {
  luck: [{ label: "Lucky numbers", value: "3, 7" }],
  colors: ["#FFD700"],
  scores: { personal: 80, luck: 65 },
};

const card = (name: string) => ({ name, text: ["What you wait for is on its way."], images: [] });
const spreadCard = (name: string) => ({
  name,
  summary: ["One step leads to the next."],
  keywords: ["patience"],
  advice: ["Take your time."],
  images: [],
});

/** The texts of each family. */
const invented = {
  pair: {
    sign1,
    sign2,
    overall: ["You spur each other on."],
    positive: ["Neither of you is ever bored."],
    negative: ["Both of you want the last word."],
    elements: ["Fire and fire."],
    idealDate: ["A race to the top of a hill."],
    scores: { general: 78 },
  },
  cards: { cards: [card("THE HARBOUR")] },
  spread: {
    past: spreadCard("THE ROAD"),
    present: spreadCard("THE BRIDGE"),
    future: spreadCard("THE GARDEN"),
  },
  triangle: { you: card("THE LAMP"), firstLove: card("THE LETTER"), secondLove: card("THE SHORE") },
  wisdom: { yin: card("THE LAKE"), yang: card("THE FLAME") },
  tarot: {
    name: "THE STAR",
    category: "upright",
    orientation: "upright",
    career: ["A plan wants its first step."],
    love: ["Ask, and listen."],
    finance: ["Count twice."],
    images: [],
  },
};

const pointer: Pointer = {
  format,
  manifest: hash,
  version: 7,
  publishedAt,
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

/** The files that publishing writes: which state is the current one, and its contents. */
const records: Examples = {
  pointer: { value: pointer },
  manifest: { value: manifest },
  part: { value: { files: { [pathOf({ row: "index" })]: entry } } },
};
