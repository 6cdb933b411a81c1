// The offers of the OpenAPI document: each path of data in the table of paths, spelled out as OpenAPI wants it.
import { type Operation, operations } from "../readings/operations.ts";
import { type PeriodKind, periodKinds } from "../readings/periods.ts";
import type { ShapeName } from "./data.schema.ts";
import { sampleValues } from "./open-api-examples.ts";
import { rowNames } from "./paths.ts";
import { type Row, slots, tree } from "./tree.ts";

/** A path of the document, and the operation that asks for it. */
export interface Offer {
  readonly id: string;
  readonly path: string;
  readonly row: Row;
  readonly summary: string;
  readonly shapes: readonly ShapeName[];
  /** Of horoscopes or cards, where the path is of one alone. */
  readonly operation: Operation | undefined;
  /** What tells the examples of one shape apart. */
  readonly variant: string | undefined;
}

const keys: Readonly<Record<PeriodKind, string>> = {
  daily: "date",
  weekly: "week",
  monthly: "month",
  yearly: "year",
};

/** In OpenAPI two paths that differ in a parameter's name alone are one: so a folder's period or operation is spelled out. */
const spelledOut = /^.*\{(?:kind|operation)\}(?=\/)/;

export function offers(): Offer[] {
  const told = rowNames.map((row) => tree[row]).filter(({ schemas }) => schemas !== undefined);
  const groups = Map.groupBy(told, ({ path }) => spelledOut.exec(path)?.[0] ?? path);
  return [...groups].flatMap(([beginning, rows]) =>
    spellingsOf(beginning).flatMap(({ slot, word, key, words, operation }) =>
      rows.map((row) => {
        const { path: form, about, schemas: shapes = [] } = row;
        const path = `/${form}`.replace(slot, word).replace("{key}", key);
        const variant = word || (path.includes("{operation}") ? sampleValues.operation : undefined);
        return { id: idOf(path), path, row, summary: about.replace(slot, words), shapes, operation, variant };
      }),
    ),
  );
}

/** The parameters of a path. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

interface Spelling {
  readonly slot: string;
  readonly word: string;
  /** What stands for the key in the path. */
  readonly key: string;
  readonly words: string;
  readonly operation?: Operation;
}

/** What stands for the slot in a path and in words. */
function spellingsOf(beginning: string): Spelling[] {
  if (beginning.endsWith("{kind}")) {
    return periodKinds.map((kind) => {
      const operation = `${kind}-horoscope` as const;
      return { slot: "{kind}", word: kind, key: `{${keys[kind]}}`, words: kind, operation };
    });
  }
  if (beginning.endsWith("{operation}")) {
    return slots.operation.map((operation) => {
      const words = operations[operation].about;
      return { slot: "{operation}", word: operation, key: "", words, operation };
    });
  }
  return [{ slot: "", word: "", key: "", words: "" }];
}

function idOf(path: string): string {
  const words = path.replaceAll(/^\/(?:v1\/)?|\.json$/g, " ");
  return `get${words.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`;
}
