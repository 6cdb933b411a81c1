// Readings as data, for programs. The shapes are in data.schema.ts.
import { hash as hashOf } from "node:crypto";
import { z } from "zod";
import { operationNames, rowOf, signs } from "../readings/tables.ts";
import { pairDates } from "../readings/pairs.ts";
import { addDays, type Interval, periodKinds, validity, startOfDay } from "../readings/calendar.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { type Documents, type LanguageDocument, type ShapeName, shapes } from "./data.schema.ts";
import type { Received, ReceivedReading, ReadingSet } from "./edition.ts";
import { directionOf } from "./formats.ts";
import type { Context } from "./context.ts";

/** The fields that all documents of readings have in addition to the reading. */
export type DocumentFacts = Omit<Documents["sign"], "$schema" | keyof Times | "reading">;

/** Returns a function for each reading of a set, so that the set's hash is computed once. */
export function factsOf(set: ReadingSet): (context: Context, reading: Reading) => DocumentFacts {
  let hash: string | undefined;
  return (context, reading) => {
    const span = validityOf(reading, context.zone);
    if (span === undefined)
      throw new RangeError(`${reading.operation} has no period: it is not published as data`);
    hash ??= hashOfSet(set);
    const validUntil = span.until.toISOString();
    return { set: hash, validFrom: span.from.toISOString(), validUntil, nextAt: validUntil };
  };
}

/** Renders a document, which names its schema so that consumers can validate it. */
export function renderData<Name extends keyof Documents>(
  context: Context,
  name: Name,
  content: Omit<Documents[Name], "$schema">,
): string {
  return `${JSON.stringify({ $schema: context.url({ row: "schema", shape: name }), ...content })}\n`;
}

/** The latest times among several readings, and whether people have approved all of them. */
export interface Times {
  readonly receivedAt: string;
  readonly shownFrom: string;
  readonly reviewed?: true;
}

/** Undefined if there is no reading. */
export function timesOf(received: readonly ReceivedReading[]): Times | undefined {
  const [first, ...others] = received.map(timesOfOne);
  if (first === undefined) return undefined;
  return others.reduce(
    (newest, one) => ({
      receivedAt: one.receivedAt > newest.receivedAt ? one.receivedAt : newest.receivedAt,
      shownFrom: one.shownFrom > newest.shownFrom ? one.shownFrom : newest.shownFrom,
      ...(one.reviewed && newest.reviewed && { reviewed: true }),
    }),
    first,
  );
}

/** A text without a recorded start of being shown, such as one published by an earlier version, counts from its response. */
export function timesOfOne({
  receivedAt,
  shownFrom = receivedAt,
  reviewed,
}: Omit<Received<unknown>, "reading">): Times {
  return { receivedAt, shownFrom, ...(reviewed && { reviewed }) };
}

/** The summary of a language; the shared index consists of these. */
export function languageSummary(
  context: Context,
  sets: readonly ReadingSet[],
): Omit<LanguageDocument, "$schema"> {
  const { language, zone, date } = context;
  const current = sets.filter((set) => set.current);
  const keys: LanguageDocument["newest"] = {};
  for (const operation of operationNames) {
    const periods = current.filter((set) => set.operation === operation).map(({ period }) => period);
    const last = periods.toSorted().at(-1);
    if (last !== undefined) keys[operation] = last;
  }
  const { reviewed: _of, ...times } = timesOf(current.flatMap(({ readings }) => readings)) ?? {};
  return {
    language,
    name: context.formats.languageName(),
    direction: directionOf(language),
    zone,
    date,
    nextAt: startOfDay(zone, addDays(date, 1)).toISOString(),
    ...times,
    newest: keys,
  };
}

export function renderIndex(context: Context, languages: readonly LanguageDocument[]): string {
  const { id, name, url } = context.settings;
  return renderData(context, "index", {
    site: { id, name, url },
    periods: [...periodKinds],
    signs: [...signs],
    operations: [...operationNames],
    languages: languages.map(({ $schema: _own, ...summary }) => summary),
  });
}

/** The schema of a document; its `$id` is its own address. */
export function renderSchema(context: Context, name: ShapeName): string {
  return `${JSON.stringify({ ...schemaOf(name), $id: context.url({ row: "schema", shape: name }) })}\n`;
}

/** Schemas made earlier: they are equal in every site, and making them takes most of the shared part's time. */
const made = new Map<ShapeName, ReturnType<typeof toSchema>>();

export function schemaOf(name: ShapeName): ReturnType<typeof toSchema> {
  const schema = made.get(name) ?? toSchema(name);
  made.set(name, schema);
  return schema;
}

function toSchema(name: ShapeName) {
  return z.toJSONSchema(shapes[name], {
    target: "draft-2020-12",
    override: ({ jsonSchema }) => spellOut(jsonSchema),
  });
}

/** Turns a record that requires all its names into an object with these properties, so that code can be generated from it. */
function spellOut(schema: z.core.JSONSchema.BaseSchema): void {
  const { required, propertyNames, additionalProperties } = schema;
  if (required === undefined || propertyNames === undefined || typeof additionalProperties !== "object")
    return;
  schema.properties = Object.fromEntries(required.map((name) => [name, { ...additionalProperties }]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/**
 * When a reading is current: its period in the language's time zone or, for a pair, from its night in one season to its night in the
 * next. Undefined for a reading that never expires.
 */
function validityOf(reading: Reading, zone: string): Interval | undefined {
  const { due } = rowOf(reading.operation);
  if (due === "once") return undefined;
  if (reading.family !== "pair") return due === "seasonal" ? undefined : validity(due, reading.period, zone);
  const { first, last } = pairDates([reading.sign1, reading.sign2], reading.language, reading.period);
  return { from: startOfDay(zone, first), until: startOfDay(zone, addDays(last, 1)) };
}

// The hashes of a set and of a text don't depend on the order of readings or fields.
function hashOfSet({ readings }: Pick<ReadingSet, "readings">): string {
  const hashes = readings.map(({ reading }) => hashOf("sha256", JSON.stringify(reading, inOrder)));
  return hashOf("sha256", hashes.sort().join("\n"));
}

/**
 * The hash of a reading without its pictures, because readers have already read the text if pictures arrive later, and without the mark
 * of its corrections.
 */
export function textHash(reading: Reading): string {
  return hashOf(
    "sha256",
    JSON.stringify(reading, (key, value: unknown) =>
      key === "images" || key === "corrected" ? undefined : inOrder(key, value),
    ),
  );
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
