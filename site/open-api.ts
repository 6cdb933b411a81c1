// The site's data for programs, as an OpenAPI 3.1 document: every JSON file by its path, with the schemas under v1/schemas,
// an invented example of each shape, and links from an answer to the paths whose parameters it names.
import contract from "./contract.json" with { type: "json" };
import examples from "./open-api-examples.json" with { type: "json" };
import { type Operation, rowOf } from "../readings/tables.ts";
import { type LanguageDocument, type ShapeName, shapeNames } from "./data.schema.ts";
import { schemaOf } from "./data.ts";
import type { Context } from "./context.ts";
import { rowNames } from "./paths.ts";
import { type Row, slots, tree } from "./tree.ts";

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
      parameters: parametersFor(summaries.map(({ language }) => language)),
      examples: Object.fromEntries(Object.entries(examples).map(([shape, value]) => [shape, { value }])),
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

/** A period or an operation as a part of paths. */
interface Folder {
  readonly word: string;
  readonly about: string;
  readonly operation?: Operation;
  /** The parameter of its dated paths. */
  readonly key?: "{date}" | "{week}" | "{month}" | "{year}";
}

const folders: Readonly<Record<string, readonly Folder[]>> = {
  "{kind}": [
    { word: "daily", about: "daily", operation: "daily-horoscope", key: "{date}" },
    { word: "weekly", about: "weekly", operation: "weekly-horoscope", key: "{week}" },
    { word: "monthly", about: "monthly", operation: "monthly-horoscope", key: "{month}" },
    { word: "yearly", about: "yearly", operation: "yearly-horoscope", key: "{year}" },
  ],
  "{operation}": slots.operation.map((word) => ({ word, about: rowOf(word).about, operation: word })),
};

const spelledOut = /^.*\{(?:kind|operation)\}(?=\/)/;

/** OpenAPI takes paths that differ only in a parameter's name for one path, so a folder's period or operation is spelled out. */
function offers(): Offer[] {
  const rows = rowNames.map((name) => tree[name]).filter(({ schemas }) => schemas !== undefined);
  const together = Map.groupBy(rows, ({ path }) => spelledOut.exec(path)?.[0] ?? path);
  return [...together].flatMap(([beginning, ofFolder]) => {
    const [slot = ""] = /\{\w+\}$/.exec(beginning) ?? [];
    const none: Folder = { word: "", about: "" };
    return (folders[slot] ?? [none]).flatMap((folder) => ofFolder.map((row) => offerOf(row, slot, folder)));
  });
}

/** A path of the document. */
type Offer = ReturnType<typeof offerOf>;

function offerOf(row: Row, slot: string, { word, about, operation = row.of, key = "{date}" }: Folder) {
  const path = `/${row.path}`.replace(slot, word).replace("{key}", key);
  const words = path.replaceAll(/^\/(?:v1\/)?|\.json$/g, " ");
  return {
    id: `get${words.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    path,
    row,
    operation,
    summary: row.about.replace(slot, about),
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
  };
}

function operationOf({ id, row, summary, parameters }: Offer, all: readonly Offer[]) {
  const shapes = row.schemas ?? [];
  const schemas = shapes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const shown = shapes.map((name) => [name, { $ref: `#/components/examples/${name}` }]);
  return {
    operationId: id,
    summary,
    description: changesOf(row),
    tags: Object.keys(tags).filter((tag) => shapes.some((shape) => tags[tag]?.shapes.includes(shape))),
    parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    responses: {
      200: {
        description: summary,
        content: {
          "application/json": {
            schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
            examples: Object.fromEntries(shown),
          },
        },
        links: Object.fromEntries(all.flatMap((to) => linkBetween(row, to))),
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
 * A link to a path whose parameters an answer names, so that a program gets from the index to the newest texts, and from
 * the pointer to the state, without knowing a date or hash.
 */
function linkBetween(from: Row, { id, row, summary, parameters, operation }: Offer) {
  const link = (named: Readonly<Record<string, string>>, which = "the one that this names") => {
    const newest = `$response.body#/newest/${operation}`;
    const values = Object.fromEntries(parameters.map((name) => [name, named[name] ?? newest]));
    return [[id, { operationId: id, description: `${summary}: ${which}`, parameters: values }] as const];
  };
  if (from === tree.index && row === tree.languageIndex)
    return link({ language: "$response.body#/languages/0/language" });
  if (from === tree.pointer && row === tree.manifest) return link({ hash: "$response.body#/manifest" });
  if (from === tree.languageIndex && row.stage === "dated" && parameters.includes("language"))
    return link({ language: "$response.body#/language", sign: "leo" }, "the newest");
  return [];
}

const day = { format: "date" };
const sign = { enum: slots.sign };
/** The example of a language is the site's first one. */
const parameterRows: Readonly<
  Record<string, readonly [description: string, schema: object, example?: string]>
> = {
  language: ["BCP 47", {}],
  date: ["A local date of the language", day, "2026-11-21"],
  week: ["The first day of a week", day, "2026-11-15"],
  month: ["A month", { pattern: slots.month.source }, "2026-11"],
  year: ["A year", { pattern: String.raw`^\d{4}$` }, "2026"],
  operation: ["Of cards", { enum: slots.operation }, "daily-tarot"],
  sign: ["One of the twelve", sign, "leo"],
  sign1: ["Of the first person", sign, "aries"],
  sign2: ["Of the second person", sign, "leo"],
  hash: ["SHA-256 of the file's bytes", { pattern: slots.hash.source }, examples.pointer.manifest],
};

function parametersFor(languages: readonly string[]) {
  return Object.fromEntries(
    Object.entries(parameterRows).map(([name, [description, own, example = languages[0]]]) => {
      const schema = { type: "string", ...(name === "language" ? { enum: languages } : own) };
      return [name, { name, in: "path", required: true, description, schema, example }];
    }),
  );
}
