// The site's data for programs, as an OpenAPI 3.1 document: every JSON file by its path, with the schemas of the same
// shapes that stand under v1/schemas.
import { operations } from "../readings/operations.ts";
import { type PeriodKind, periodKinds } from "../readings/periods.ts";
import { signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { schemaOf } from "./data.ts";
import { type LanguageDocument, type ShapeName, shapeNames } from "./data.schema.ts";
import { rowNames } from "./paths.ts";
import { slots, tree } from "./tree.ts";

/** The version of the contract, which grows with each entry about it in the changelog, and not with the software. */
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

/** In OpenAPI two paths that differ in a parameter's name alone are one: so a folder's period or operation is spelled out. */
const spelledOut = /^.*\{(?:kind|operation)\}(?=\/)/;

function offers(): Offer[] {
  const told = rowNames.map((row) => tree[row]).filter(({ about }) => about !== undefined);
  const groups = Map.groupBy(told, ({ path }) => spelledOut.exec(path)?.[0] ?? path);
  return [...groups].flatMap(([beginning, rows]) =>
    spellingsOf(beginning).flatMap(({ slot, word, key, words }) =>
      rows.map(({ path, about = "", schemas = [] }) => ({
        path: `/${path}`.replace(slot, word).replace("{key}", key),
        summary: about.replace(slot, words),
        shapes: schemas,
      })),
    ),
  );
}

/** What stands for the slot in a path, what for the key, and what for the slot in words. */
function spellingsOf(beginning: string) {
  if (beginning.endsWith("{kind}"))
    return periodKinds.map((kind) => ({ slot: "{kind}", word: kind, key: `{${keys[kind]}}`, words: kind }));
  if (beginning.endsWith("{operation}")) {
    return slots.operation.map((operation) => {
      return { slot: "{operation}", word: operation, key: "", words: operations[operation].about };
    });
  }
  return [{ slot: "", word: "", key: "", words: "" }];
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
    parameter("operation", "Of cards", { enum: slots.operation }),
    parameter("sign", "One of the twelve", sign),
    parameter("sign1", "Of the first person", sign),
    parameter("sign2", "Of the second person", sign),
    parameter("hash", "SHA-256 of the file's bytes", { pattern: "^[0-9a-f]{64}$" }),
  ]);
}

/** A schema without its dialect, which is OpenAPI 3.1's own. */
function withoutDialect({ $schema: _dialect, ...schema }: ReturnType<typeof schemaOf>) {
  return schema;
}
