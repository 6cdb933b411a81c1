// What the site offers to programs, as an OpenAPI 3.1 document: every JSON file by its path, with the schemas of the same
// shapes that stand under v1/schemas.
import { isOfCards, operationNames, operations } from "../readings/operations.ts";
import { type PeriodKind, periodKinds } from "../readings/periods.ts";
import { signs } from "../readings/signs.ts";
import type { Context } from "./context.ts";
import { schemaOf } from "./data.ts";
import { type LanguageDocument, type ShapeName, shapeNames } from "./data.schema.ts";

/** Grows with each entry about it in the changelog, as a contract does: not with the software. */
const contract = "1.1.0";

interface Offer {
  readonly path: string;
  readonly summary: string;
  readonly shapes: readonly ShapeName[];
}

const keys: Readonly<Record<PeriodKind, string>> = {
  daily: "date",
  weekly: "week",
  monthly: "month",
  yearly: "year",
};

/** In OpenAPI two paths that differ in a parameter's name alone are one: so periods and operations are spelled out. */
function offers(): Offer[] {
  const offer = (path: string, summary: string, ...shapes: ShapeName[]): Offer => ({ path, summary, shapes });
  return [
    offer("/v1/index.json", "What the site has: languages, operations, and the newest of each", "index"),
    offer("/v1/status.json", "How far each language is: newest edition, next one, what is missing", "status"),
    offer("/v1/{language}/index.json", "The same of one language", "language"),
    ...periodKinds.flatMap((kind) => [
      offer(`/v1/{language}/${kind}/latest.json`, `All twelve signs, the current ${kind} text`, "signs"),
      offer(`/v1/{language}/${kind}/{${keys[kind]}}.json`, `All twelve signs, one ${kind} text`, "signs"),
      offer(`/v1/{language}/${kind}/{${keys[kind]}}/{sign}.json`, `One sign, one ${kind} text`, "sign"),
    ]),
    ...operationNames
      .filter(isOfCards)
      .flatMap((operation) => [
        offer(
          `/v1/{language}/${operation}/latest.json`,
          `Today's cards: ${operations[operation].about}`,
          "card",
        ),
        offer(
          `/v1/{language}/${operation}/{date}.json`,
          `A day's cards: ${operations[operation].about}`,
          "card",
        ),
      ]),
    offer("/v1/{language}/decks/{operation}.json", "Every card that an operation has shown so far", "deck"),
    offer("/v1/{language}/love-compatibility/{sign1}-{sign2}.json", "Two signs together", "pair"),
    offer("/{language}/newsletter/{date}.json", "A day's newsletter: subjects and addresses", "newsletter"),
    offer("/v1/pointer.json", "Which manifest is the current one", "pointer"),
    offer("/v1/manifests/{hash}.json", "A state of the site, or a part of one", "manifest", "part"),
  ];
}

export function printOpenApi(context: Context, languages: readonly LanguageDocument[]): string {
  const { settings } = context;
  const document = {
    openapi: "3.1.1",
    info: {
      title: settings.name,
      version: contract,
      description:
        "Static files: no key, no cookie, GET alone, from any origin. An operation is there in the languages that have it.",
    },
    servers: [{ url: settings.url.replace(/\/$/, "") }],
    paths: Object.fromEntries(offers().map((offer) => [offer.path, { get: operationOf(offer) }])),
    components: {
      parameters: parametersFor(languages),
      schemas: Object.fromEntries(shapeNames.map((name) => [name, withoutDialect(schemaOf(name))])),
    },
  };
  return `${JSON.stringify(document)}\n`;
}

function operationOf({ path, summary, shapes }: Offer) {
  const references = shapes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [only] = references;
  const schema = references.length === 1 ? only : { anyOf: references };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    operationId: `get${path
      .replaceAll(/^\/(?:v1\/)?|\.json$/g, " ")
      .replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    ...(names.length === 0
      ? {}
      : { parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
    responses: {
      200: { description: summary, content: { "application/json": { schema } } },
      404: { description: "There is no such text: not yet, not in this language, or it was withdrawn" },
    },
  };
}

function parametersFor(languages: readonly LanguageDocument[]) {
  const parameter = (name: string, description: string, schema: object) => [
    name,
    { name, in: "path", required: true, description, schema: { type: "string", ...schema } },
  ];
  const sign = { enum: [...signs] };
  const date = { format: "date" };
  return Object.fromEntries([
    parameter("language", "BCP 47", { enum: languages.map(({ language }) => language) }),
    parameter("date", "A day where the language is at home", date),
    parameter("week", "The first day of a week", date),
    parameter("month", "A month", { pattern: String.raw`^\d{4}-\d{2}$` }),
    parameter("year", "A year", { pattern: String.raw`^\d{4}$` }),
    parameter("operation", "Of cards", { enum: operationNames.filter(isOfCards) }),
    parameter("sign", "One of the twelve", sign),
    parameter("sign1", "Of the first person", sign),
    parameter("sign2", "Of the second person", sign),
    parameter("hash", "SHA-256 of the file's bytes", { pattern: "^[0-9a-f]{64}$" }),
  ]);
}

/** In OpenAPI 3.1 schemas are of this dialect unless they say otherwise. */
function withoutDialect({ $schema: _dialect, ...schema }: ReturnType<typeof schemaOf>) {
  return schema;
}
