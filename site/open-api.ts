// The site's data for programs, as an OpenAPI 3.1 document: every JSON file by its path, with the schemas under v1/schemas,
// an example of each answer, and links from an answer to the paths whose parameters it names.
import contract from "./contract.json" with { type: "json" };
import invented from "./open-api-examples.json" with { type: "json" };
import {
  type CardOperation,
  type Operation,
  operationNames,
  operations,
  languages,
  rowOf,
  signs,
} from "../readings/tables.ts";
import { type PeriodKind, periodKinds, isPeriodKind, periodOf } from "../readings/calendar.ts";
import { type LanguageDocument, type ShapeName, shapeNames, languageDocument } from "./data.schema.ts";
import { schemaOf, languageSummary, renderData, renderIndex } from "./data.ts";
import { Context, type Draft, renderDraft } from "./context.ts";
import { rowNames } from "./paths.ts";
import { type Row, slots, tree, type TreePath } from "./tree.ts";
import { pairSeason } from "../readings/pairs.ts";
import { type Reading, readingSchema } from "../readings/reading.schema.ts";
import type { ReadingSet, SiteSettings } from "./edition.ts";
import { deckDrafts } from "./pages/deck-pages.ts";
import { cardsIn } from "./seen-cards.ts";
import { draftsOfSet } from "./set-drafts.ts";
import { statusDrafts, statusesOf, wordsOf } from "./language-files.ts";

export function renderOpenApi(context: Context, summaries: readonly LanguageDocument[]): string {
  const { settings } = context;
  const about = context.url({ row: "aboutPage", language: context.language });
  const all = offers();
  const document = {
    openapi: "3.1.1",
    info: {
      title: settings.name,
      version: contract.version,
      description:
        "Static files: no key, no cookies, GET only, from any origin. An operation is available in the languages that have it.",
      contact: { name: settings.name, url: about },
      license: { name: "The publisher's own terms", url: about },
    },
    servers: [{ url: settings.url.replace(/\/$/, "") }],
    security: [],
    tags: Object.entries(tags).map(([name, { about: description }]) => ({ name, description })),
    paths: Object.fromEntries(all.map((offer) => [offer.path, { get: operationOf(offer, all) }])),
    components: {
      parameters: parametersFor(summaries),
      examples: examplesOf(settings),
      responses: { notThere },
      schemas: Object.fromEntries(
        shapeNames.map((name) => {
          const { $schema: _dialect, ...schema } = schemaOf(name); // the dialect is OpenAPI 3.1's own
          return [name, schema];
        }),
      ),
    },
  };
  return `${JSON.stringify(document)}\n`;
}

const tags: Readonly<Record<string, { readonly about: string; readonly shapes: readonly ShapeName[] }>> = {
  Site: {
    about: "Contents, freshness, and each language's labels",
    shapes: ["index", "status", "language", "words"],
  },
  Horoscopes: { about: "By day, week, month and year", shapes: ["sign", "signs"] },
  Cards: { about: "A day's cards, and all earlier cards", shapes: ["card", "deck"] },
  Pairs: { about: "Two signs together", shapes: ["pair"] },
  Newsletter: { about: "A day's finished newsletter", shapes: ["newsletter"] },
  State: { about: "Manifests, to read one version of the site", shapes: ["pointer", "manifest", "part"] },
};

const notThere = {
  description:
    "No such text: not published yet, not in this language, or withdrawn. The body is an HTML page.",
  content: {
    "text/html": { schema: { type: "string" }, example: "<!doctype html><title>Page not found</title>" },
  },
};

/** A path of the document. */
type Offer = ReturnType<typeof offerOf>;

const spelledOut = /^.*(\{(?:kind|operation)\})(?=\/)/;

/** OpenAPI takes paths that differ only in a parameter's name for one path, so a folder's period or operation is spelled out. */
function offers(): Offer[] {
  const rows = rowNames.map((name) => tree[name]).filter(({ schemas }) => schemas !== undefined);
  const folders = Map.groupBy(rows, ({ path }) => spelledOut.exec(path)?.[0] ?? path);
  return [...folders.values()].flatMap((together) => {
    const slot = spelledOut.exec(together[0]?.path ?? "")?.[1];
    const words = slot === undefined ? [undefined] : slot === "{kind}" ? periodKinds : slots.operation;
    return words.flatMap((word) => together.map((row) => offerOf(row, slot ?? "", word)));
  });
}

const keys = { daily: "{date}", weekly: "{week}", monthly: "{month}", yearly: "{year}" } as const;

/** `word` replaces the slot in the path, and its description replaces it in the summary. */
function offerOf(row: Row, slot: string, word: PeriodKind | CardOperation | undefined) {
  const kind = periodKinds.find((one) => one === word);
  const operation =
    kind === undefined ? operationNames.find((one) => one === word) : (`${kind}-horoscope` as const);
  const path = `/${row.path}`
    .replace(slot, word ?? "")
    .replace("{key}", kind === undefined ? "" : keys[kind]);
  const ofPath = path.replaceAll(/^\/(?:v1\/)?|\.json$/g, " ");
  return {
    id: `get${ofPath.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    path,
    row,
    summary: row.about.replace(slot, kind ?? (operation === undefined ? "" : operations[operation].about)),
    /** The operation that the path is of, if it is of one only. */
    operation: operation ?? row.of,
    /** The part of an example's name that distinguishes the examples of one shape. */
    variant: word ?? (path.includes("{operation}") ? sampleValues.operation : undefined),
  };
}

function operationOf(offer: Offer, all: readonly Offer[]) {
  const { id, path, row, summary, variant } = offer;
  const shapes = row.schemas ?? [];
  const schemas = shapes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const examples = shapes.map((shape) => {
    const name = variant === undefined ? shape : `${shape}-${variant}`;
    return [shape, { $ref: `#/components/examples/${name}` }] as const;
  });
  const parameters = parameterNames(path).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return {
    operationId: id,
    summary,
    description: changesOf(row),
    tags: Object.keys(tags).filter((tag) => shapes.some((shape) => tags[tag]?.shapes.includes(shape))),
    parameters: parameters.length === 0 ? undefined : parameters,
    responses: {
      200: {
        description: summary,
        content: {
          "application/json": {
            schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
            examples: Object.fromEntries(examples),
          },
        },
        links: linksFrom(row, all),
      },
      404: { $ref: "#/components/responses/notThere" },
    },
  };
}

/** When another file may be there. */
function changesOf({ stage, shows }: Row): string {
  if (stage === "front") return "It changes with each publish.";
  if (stage === "latest") return "The newest one; the next one replaces it.";
  return shows === "record"
    ? "It never changes."
    : "It keeps this URL, and changes only if a text is corrected or withdrawn.";
}

/**
 * Links to the paths whose parameters an answer names, so that a program gets from the index to the newest texts, and from
 * the pointer to the state, without knowing a date or hash. Undefined for an answer that leads nowhere.
 */
function linksFrom(from: Row, all: readonly Offer[]) {
  const which = from === tree.languageIndex ? "the newest" : "the one that this names";
  const links = all.flatMap((to) => {
    const values = valuesIn(from, to);
    if (values === undefined) return [];
    const parameters = Object.fromEntries(parameterNames(to.path).map((name) => [name, values[name] ?? ""]));
    return [[to.id, { operationId: to.id, description: `${to.summary}: ${which}`, parameters }] as const];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

/** OpenAPI's runtime expressions for the parameters of a path in the answer of another. */
function valuesIn(from: Row, { path, row, operation }: Offer): Readonly<Record<string, string>> | undefined {
  if (from === tree.index && row === tree.languageIndex)
    return { language: "$response.body#/languages/0/language" };
  if (from === tree.pointer && row === tree.manifest) return { hash: "$response.body#/manifest" };
  if (from !== tree.languageIndex || row.stage !== "dated" || !path.includes("{language}")) return undefined;
  const period = `$response.body#/newest/${operation}`;
  const periods = { date: period, week: period, month: period, year: period };
  return { ...sampleValues, language: "$response.body#/language", ...periods };
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The schema of a path's slot, from the table of the tree. */
function slotSchema(name: "operation" | "sign" | "month" | "hash") {
  const values = slots[name];
  return values instanceof RegExp ? { pattern: values.source } : { enum: values };
}

function parametersFor(summaries: readonly LanguageDocument[]) {
  const date = { format: "date" };
  const named = summaries.map(({ language }) => language);
  const table: Readonly<Record<string, readonly [description: string, schema: object, example?: string]>> = {
    language: ["BCP 47", { enum: named }, named[0]],
    date: ["A local date of the language", date],
    week: ["The first day of a week", date],
    month: ["A month", slotSchema("month")],
    year: ["A year", { pattern: String.raw`^\d{4}$` }],
    operation: ["Of cards", slotSchema("operation")],
    sign: ["One of the twelve", slotSchema("sign")],
    sign1: ["Of the first person", slotSchema("sign")],
    sign2: ["Of the second person", slotSchema("sign")],
    hash: ["SHA-256 of the file's bytes", slotSchema("hash")],
  };
  const samples: Readonly<Record<string, string>> = sampleValues;
  return Object.fromEntries(
    Object.entries(table).map(([name, [description, own, example = samples[name]]]) => {
      const schema = { type: "string", ...own };
      return [name, { name, in: "path", required: true, description, schema, example }];
    }),
  );
}

// The examples of the OpenAPI document, rendered from invented readings as the site's own files are. They depend on the
// site's name and URL only, and stay the same from night to night.
const language = "en";
const publishedAt = "2026-11-21T05:00:12.000Z";
const receivedAt = "2026-11-20T08:05:00.000Z";

/** The value of a path's slot in an example; of the site's languages it is the first. */
const sampleValues = {
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
const { date, operation: cardOperation, sign1, sign2 } = sampleValues;

/** By shape and variant: `sign-daily`, `card-daily-tarot`, `index`. */
type Examples = Readonly<Record<string, { readonly value: unknown }>>;

/** The examples of each site, because the newsletter among them takes as long to render as a page. */
const rendered = new Map<string, Examples>();

function examplesOf({ id, name, url }: SiteSettings): Examples {
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
  // Publishing writes the records: which state is the current one, and its contents.
  for (const [name, value] of Object.entries(invented.records)) examples[name] = { value };
  return examples;
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
  const expected = {
    language,
    zone: context.zone,
    operations: sets.map((set) => set.operation),
    publishedAt,
  } as const;
  const statuses = statusesOf([expected], summaries);
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
  const reading = { format: 1, language, period, family, operation, ...invented.readings[family] };
  if (family === "pair") return [readingSchema.parse({ ...reading, sign1, sign2 })];
  if (family !== "horoscope") return [readingSchema.parse(reading)];
  const figures = due === "daily" ? invented.readings.daily : {};
  return signs.map((sign) => readingSchema.parse({ ...reading, ...figures, sign }));
}
