// A reading for a person at a terminal: each part under its name in the published JSON.
import type { Reading } from "../../readings/reading.schema.ts";
import { type Lines, sentence, styled } from "../terminal/output.ts";
import { englishName } from "./request.ts";

export function readingLines(reading: Reading, notes: readonly string[]): Lines {
  const { operation, language, period } = reading;
  const signs = "sign" in reading ? [reading.sign] : "sign1" in reading ? [reading.sign1, reading.sign2] : [];
  const parts = Object.entries({ ...reading, notes }).filter(([name]) => !inTitle.has(name));
  return [
    styled("bold", [...signs.map(capitalized), period].join(", ")),
    styled("dim", `${operation}, ${englishName(language)}`),
    parts.map(([name, part]) => {
      const lines = partLines(name, part);
      return lines === false ? false : ["", lines];
    }),
  ];
}

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Fields that the title shows, or that mean nothing to a person. */
const inTitle = new Set("format language period family operation sign sign1 sign2 person".split(" "));

type Part = string | number | readonly Part[] | { readonly [name: string]: Part | undefined };

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);

/** A part under its name, which items of a list do not have. */
function partLines(name: string, part: Part | undefined, indent = ""): Lines {
  if (part === undefined) return false;
  if (typeof part !== "object") return sentence(name === "" ? `${part}` : `${name}: ${part}`, indent);
  const parts = isList(part) ? part.map((one) => ["", one] as const) : Object.entries(part);
  if (parts.length === 0) return false;
  const inner = name === "" ? indent : `${indent}  `;
  return [
    name !== "" && indent + styled("cyan", name),
    parts.map(([own, value]) => partLines(own, value, inner)),
  ];
}
