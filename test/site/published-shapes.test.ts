// A field of a published reading reaches every place that shows readings. The check names each place that lacks a field. Client
// types are compared by the compiler (test/client/almanac.test.ts), and shapes with their record (data-shapes.test.ts).
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { languagesOf, operationNames, signs } from "../../readings/tables.ts";
import { type Reading, readingSchema } from "../../readings/reading.schema.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { ownPaths, passingPaths } from "../../site/paths.ts";
import { requestFor } from "../support/requests.ts";
import { date, readingFor, settings, renderLanguage } from "./editions.ts";

/** Fields that identify a reading or tell its history; no place shows them as its content. */
const identity = new Set([
  "corrected",
  "format",
  "language",
  "period",
  "family",
  "operation",
  "sign",
  "sign1",
  "sign2",
  "person",
]);

/** Fields that a place leaves out on purpose, each with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  "site/ lacks horoscope.luck.*.label": "pages show it only for a line of no known kind",
  "class-sections.php lacks horoscope.colors.*": "the colors are named in luck",
  "site/ lacks tarot.category": "the service's own word; pages show the orientation",
  "class-sections.php lacks tarot.category": "the service's own word; the plugin shows the orientation",
};

const node = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  oneOf: z.array(z.unknown()).optional(),
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  maximum: z.number().optional(),
});
type Node = z.infer<typeof node>;

interface Field {
  /** Names of fields; `*` for each element of a list. */
  readonly path: readonly string[];
  readonly schema: Node;
}

function fieldsIn(schema: unknown, path: readonly string[] = []): Field[] {
  const parsed = node.parse(schema);
  if (parsed.properties !== undefined)
    return Object.entries(parsed.properties).flatMap(([name, one]) => fieldsIn(one, [...path, name]));
  if (parsed.items !== undefined) return fieldsIn(parsed.items, [...path, "*"]);
  return [{ path, schema: parsed }];
}

const families = new Map(
  (node.parse(z.toJSONSchema(readingSchema)).oneOf ?? []).map((schema) => {
    const fields = fieldsIn(schema).filter(({ path: [first = ""] }) => !identity.has(first));
    return [z.string().parse(node.parse(node.parse(schema).properties?.["family"]).const), fields] as const;
  }),
);

/** The sandbox's readings of an operation: several, because some fields are in some of them only. */
function requestsOf(operation: (typeof operationNames)[number]): ReadingRequest[] {
  const request = requestFor(operation, languagesOf(operation)[0] ?? "en");
  if ("sign" in request) return signs.map((sign) => ({ ...request, sign }));
  if ("sign1" in request || "person" in request) return [request];
  return Array.from({ length: 4 }, (_, day) => ({ ...request, period: `2026-11-2${day}` }));
}

const samples = operationNames
  .flatMap(requestsOf)
  .map((request) => ({ request, reading: readingFor(request) }));

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || value === undefined) return value;
  if (name === "*")
    return z
      .array(z.unknown())
      .parse(value)
      .find((one) => valueAt(one, rest) !== undefined);
  return valueAt(z.record(z.string(), z.unknown()).parse(value)[name], rest);
}

/** Another value of the field, as its schema has it, or a first one. */
function otherValue(value: unknown, { type, enum: choices, pattern, maximum }: Node): unknown {
  if (choices !== undefined) return choices.find((choice) => choice !== value);
  if (typeof value === "number") return value === maximum ? value - 1 : value + 1;
  if (type === "number" || type === "integer") return 1;
  return pattern === undefined ? `${typeof value === "string" ? value : ""}zz` : "#123456";
}

/** The same with another value of the field. */
function changed(value: unknown, { path: [name, ...rest], schema }: Field): unknown {
  if (name === undefined) return otherValue(value, schema);
  if (name === "*")
    return z
      .array(z.unknown())
      .parse(value ?? [undefined])
      .map((one) => changed(one, { path: rest, schema }));
  const record = z.record(z.string(), z.unknown()).parse(value ?? {});
  return { ...record, [name]: changed(record[name], { path: rest, schema }) };
}

/** The HTML of the pages that show a reading. */
function pagesWith(request: ReadingRequest, reading: Reading): string {
  const { language, operation, period } = request;
  const others = samples.filter((one) => "sign" in request && one.request.operation === operation);
  const all = [reading, ...others.filter((one) => one.request !== request).map((one) => one.reading)];
  const readings = all.map((one) => ({ reading: one, receivedAt: "2026-11-20T08:00:17.000Z" }));
  const sets = [{ operation, period, current: true, readings }];
  const files = renderLanguage({ language, zone: "Etc/UTC", date, sets, decks: [], months: [] }, settings);
  const own = new Set([...ownPaths(request), ...passingPaths(request, true)]);
  return files
    .filter(({ path }) => own.has(path) && path.endsWith(".html"))
    .map(({ bytes }) => new TextDecoder().decode(bytes))
    .join("\n");
}

const plugin = readFileSync(
  new URL("../../packages/wordpress/almanac/includes/class-sections.php", import.meta.url),
  "utf8",
);

const samplesOf = (family: string) => samples.filter(({ reading }) => reading.family === family);

function isInSandbox(family: string, { path }: Field): boolean {
  return samplesOf(family).some(({ reading }) => valueAt(reading, path) !== undefined);
}

/** Another value changes the page. */
function isOnPage(family: string, field: Field): boolean {
  return samplesOf(family).some(({ request, reading }) => {
    const other = readingSchema.parse(changed(reading, field));
    return pagesWith(request, reading) !== pagesWith(request, other);
  });
}

function isInPlugin(family: string, { path }: Field): boolean {
  if (family === "animal") return true; // a person's reading is not published as data
  // The plugin shows whatever scores the site's words name.
  const name = path[0] === "scores" ? "scores" : path.findLast((one) => one !== "*");
  return plugin.includes(`'${name}'`);
}

const places = {
  "packages/sandbox/, or the reader in readings/,": isInSandbox,
  "site/": isOnPage,
  "class-sections.php": isInPlugin,
};

function lackingIn(family: string, field: Field): string[] {
  return Object.entries(places)
    .map(([place, has]) => ({ lack: `${place} lacks ${family}.${field.path.join(".")}`, has }))
    .filter(({ lack, has }) => leftOut[lack] === undefined && !has(family, field))
    .map(({ lack }) => lack);
}

test.each([...families])("every place has every field of the family %s", (family, fields) => {
  expect(fields.length).toBeGreaterThan(1);
  const advice = "show the field there, or list it in test/site/published-shapes.test.ts with a reason";
  expect(
    fields.flatMap((field) => lackingIn(family, field)),
    advice,
  ).toEqual([]);
});
