// The site's data for programs, as an OpenAPI 3.1 document: every JSON file by its path, with the schemas under v1/schemas,
// an example of each answer, and links from an answer to the paths whose parameters it names.
import { type Operation, operations, signs } from "../readings/tables.ts";
import { periodKinds } from "../readings/calendar.ts";
import contract from "./contract.json" with { type: "json" };
import { type LanguageDocument, type ShapeName, shapeNames } from "./data.schema.ts";
import { schemaOf } from "./data.ts";
import { examplesOf, sampleValues } from "./open-api-examples.ts";
import type { Context } from "./context.ts";
import { rowNames } from "./paths.ts";
import { type Row, slots, tree } from "./tree.ts";

export function renderOpenApi(context: Context, languages: readonly LanguageDocument[]): string {
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
      parameters: parametersFor(languages),
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
interface Offer {
  readonly id: string;
  readonly path: string;
  readonly row: Row;
  readonly summary: string;
  readonly shapes: readonly ShapeName[];
  /** The operation that the path is of, if it is of one only. */
  readonly operation: Operation | undefined;
  /** The part of an example's name that distinguishes the examples of one shape. */
  readonly variant: string | undefined;
}

const spelledOut = /^.*(\{(?:kind|operation)\})(?=\/)/;

/** OpenAPI takes paths that differ only in a parameter's name for one path, so a folder's period or operation is spelled out. */
function offers(): Offer[] {
  const rows = rowNames.map((name) => tree[name]).filter(({ schemas }) => schemas !== undefined);
  const folders = Map.groupBy(rows, ({ path }) => spelledOut.exec(path)?.[0] ?? path);
  return [...folders.values()].flatMap((together) => {
    const slot = spelledOut.exec(together[0]?.path ?? "")?.[1];
    if (slot === undefined) return together.map((row) => offerOf(row, "", "", "", undefined));
    if (slot === "{operation}")
      return slots.operation.flatMap((operation) =>
        together.map((row) => offerOf(row, slot, operation, operations[operation].about, operation)),
      );
    return periodKinds.flatMap((kind) =>
      together.map((row) => offerOf(row, slot, kind, kind, `${kind}-horoscope`)),
    );
  });
}

const keys = { daily: "{date}", weekly: "{week}", monthly: "{month}", yearly: "{year}" } as const;

/** `word` replaces the slot in the path, `words` in the summary. */
function offerOf(
  row: Row,
  slot: string,
  word: string,
  words: string,
  operation: Operation | undefined,
): Offer {
  const kind = periodKinds.find((one) => one === word);
  const path = `/${row.path}`.replace(slot, word).replace("{key}", kind === undefined ? "" : keys[kind]);
  const ofPath = path.replaceAll(/^\/(?:v1\/)?|\.json$/g, " ");
  return {
    id: `get${ofPath.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    path,
    row,
    summary: row.about.replace(slot, words),
    shapes: row.schemas ?? [],
    operation,
    variant: word || (path.includes("{operation}") ? sampleValues.operation : undefined),
  };
}

function operationOf(offer: Offer, all: readonly Offer[]) {
  const { id, path, row, summary, shapes, variant } = offer;
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
function valuesIn(
  from: Row,
  { path, row, operation = row.of }: Offer,
): Readonly<Record<string, string>> | undefined {
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

function parametersFor(languages: readonly LanguageDocument[]) {
  const sign = { enum: [...signs] };
  const date = { format: "date" };
  const language = { enum: languages.map((one) => one.language) };
  const table: readonly (readonly [name: string, description: string, schema: object])[] = [
    ["language", "BCP 47", language],
    ["date", "A local date of the language", date],
    ["week", "The first day of a week", date],
    ["month", "A month", { pattern: String.raw`^\d{4}-\d{2}$` }],
    ["year", "A year", { pattern: String.raw`^\d{4}$` }],
    ["operation", "Of cards", { enum: slots.operation }],
    ["sign", "One of the twelve", sign],
    ["sign1", "Of the first person", sign],
    ["sign2", "Of the second person", sign],
    ["hash", "SHA-256 of the file's bytes", { pattern: "^[0-9a-f]{64}$" }],
  ];
  const examples: Readonly<Record<string, string | undefined>> = {
    ...sampleValues,
    language: languages[0]?.language,
  };
  return Object.fromEntries(
    table.map(([name, description, own]) => {
      const schema = { type: "string", ...own };
      return [name, { name, in: "path", required: true, description, schema, example: examples[name] }];
    }),
  );
}
