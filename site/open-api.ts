// The site's data for programs, as an OpenAPI 3.1 document: every JSON file by its path, with the schemas of the same
// shapes that stand under v1/schemas.
import { signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { schemaOf } from "./data.ts";
import { type LanguageDocument, type ShapeName, shapeNames } from "./data.schema.ts";
import { examplesOf, sampleValues } from "./open-api-examples.ts";
import { type Links, linksFrom } from "./open-api-links.ts";
import { namesIn, type Offer, offers } from "./open-api-offers.ts";
import { type Row, slots } from "./tree.ts";

/** The version of the contract, which grows with each entry about it in the changelog, and not with the software. */
const contract = "1.2.0";

export function printOpenApi(context: Context, languages: readonly LanguageDocument[]): string {
  const { settings } = context;
  const url = settings.url.replace(/\/$/, "");
  const about = context.url({ row: "aboutPage", language: context.language });
  const all = offers();
  const document = {
    openapi: "3.1.1",
    info: {
      title: settings.name,
      version: contract,
      description:
        "Static files: no key, no cookie, GET alone, from any origin. An operation is there in the languages that have it.",
      contact: { name: settings.name, url: about },
      license: { name: "The publisher's own terms", url: about },
    },
    servers: [{ url }],
    security: [],
    tags: Object.entries(tags).map(([name, { about: description }]) => ({ name, description })),
    paths: Object.fromEntries(
      all.map((offer) => [offer.path, { get: operationOf(offer, linksFrom(offer, all)) }]),
    ),
    components: {
      parameters: parametersFor(languages),
      examples: examplesOf(settings),
      responses: { notThere },
      schemas: Object.fromEntries(shapeNames.map((name) => [name, withoutDialect(schemaOf(name))])),
    },
  };
  return `${JSON.stringify(document)}\n`;
}

const tags: Readonly<Record<string, { readonly about: string; readonly shapes: readonly ShapeName[] }>> = {
  Site: {
    about: "What there is, how far it is, and each language's words",
    shapes: ["index", "status", "language", "words"],
  },
  Horoscopes: { about: "By day, week, month and year", shapes: ["sign", "signs"] },
  Cards: { about: "A day's cards, and all that came up before", shapes: ["card", "deck"] },
  Pairs: { about: "Two signs together", shapes: ["pair"] },
  Newsletter: { about: "A day's letter, ready made", shapes: ["newsletter"] },
  State: { about: "What to follow to read one night whole", shapes: ["pointer", "manifest", "part"] },
};

const notThere = {
  description:
    "There is no such text: not yet, not in this language, or it was withdrawn. The body is a page for people.",
  content: {
    "text/html": { schema: { type: "string" }, example: "<!doctype html><title>Page not found</title>" },
  },
};

function operationOf({ id, path, row, summary, shapes, variant }: Offer, links: Links | undefined) {
  const references = shapes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [only] = references;
  const schema = references.length === 1 ? only : { anyOf: references };
  const examples = shapes.map((shape) => {
    const name = variant === undefined ? shape : `${shape}-${variant}`;
    return [shape, { $ref: `#/components/examples/${name}` }] as const;
  });
  const names = namesIn(path);
  return {
    operationId: id,
    summary,
    description: changesOf(row),
    tags: Object.keys(tags).filter((tag) => shapes.some((shape) => tags[tag]?.shapes.includes(shape))),
    ...(names.length === 0
      ? {}
      : { parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
    responses: {
      200: {
        description: summary,
        content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
        links,
      },
      404: { $ref: "#/components/responses/notThere" },
    },
  };
}

/** When another file may be there. */
function changesOf({ stage, shows }: Row): string {
  if (stage === "front") return "It changes with what is published.";
  if (stage === "latest") return "It is the newest one: the next takes its place.";
  return shows === "record"
    ? "It never changes."
    : "It stays under this address, and changes only where a text is corrected or withdrawn.";
}

function parametersFor(languages: readonly LanguageDocument[]) {
  const parameter = (name: string, description: string, example: string | undefined, schema: object) => [
    name,
    {
      name,
      in: "path",
      required: true,
      description,
      schema: { type: "string", ...schema },
      example,
    },
  ];
  const sign = { enum: [...signs] };
  const date = { format: "date" };
  const [first] = languages;
  const { date: day, week, month, year, operation, sign: one, sign1, sign2, hash } = sampleValues;
  return Object.fromEntries([
    parameter("language", "BCP 47", first?.language, { enum: languages.map(({ language }) => language) }),
    parameter("date", "A day where the language is at home", day, date),
    parameter("week", "The first day of a week", week, date),
    parameter("month", "A month", month, { pattern: String.raw`^\d{4}-\d{2}$` }),
    parameter("year", "A year", year, { pattern: String.raw`^\d{4}$` }),
    parameter("operation", "Of cards", operation, { enum: slots.operation }),
    parameter("sign", "One of the twelve", one, sign),
    parameter("sign1", "Of the first person", sign1, sign),
    parameter("sign2", "Of the second person", sign2, sign),
    parameter("hash", "SHA-256 of the file's bytes", hash, { pattern: "^[0-9a-f]{64}$" }),
  ]);
}

/** A schema without its dialect, which is OpenAPI 3.1's own. */
function withoutDialect({ $schema: _dialect, ...schema }: ReturnType<typeof schemaOf>) {
  return schema;
}
