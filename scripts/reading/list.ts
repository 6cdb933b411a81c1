// `almanac reading --list`: the table of operations, for a person and as JSON.
import { languagesOf, type Operation, operationNames, operations, rowOf } from "../../readings/operations.ts";
import { type Lines, sentence, styled } from "../terminal/output.ts";
import { periodWords } from "../../readings/periods.ts";
import { flagsOf } from "./flags.ts";

export function operationLines(): Lines {
  return operationNames.map((operation) => {
    const { about, due } = rowOf(operation);
    return [
      `${styled("bold", operation)}  ${about}; ${dueInWords[due]}`,
      sentence(usageOf(operation), "  "),
      sentence(languagesOf(operation).join(" "), "  "),
      "",
    ];
  });
}

const dueInWords = {
  daily: "a new one each day",
  weekly: "a new one each week",
  monthly: "a new one each month",
  yearly: "a new one each year",
  seasonal: "kept for a season",
  once: "kept for good",
} as const;

/** `--sign <sign> [--period yesterday|today|tomorrow]` */
function usageOf(operation: Operation) {
  const flags = flagsOf(operation).map(({ name, flag, required }) => {
    const usage = `${flag} ${name === "period" ? periodsOf(operation).join("|") : values[name]}`;
    return required ? usage : `[${usage}]`;
  });
  return flags.length === 0 ? "no options but --language" : flags.join(" ");
}

const values = {
  sign: "<sign>",
  sign1: "<sign>",
  sign2: "<sign>",
  fullName: "<name>",
  born: "<date>",
  cards: "1-5",
  cardImage: "1-3",
} as const;

function periodsOf(operation: Operation): readonly string[] {
  switch (operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope":
      return periodWords(operations[operation].due);
    default:
      return [];
  }
}

export function listAsJson() {
  return {
    operations: operationNames.map((operation) => {
      const { about, family, address = "service", due } = rowOf(operation);
      const options = flagsOf(operation).map(({ flag, required }) => ({ option: flag, required }));
      return { operation, about, family, address, due, options, languages: languagesOf(operation) };
    }),
  };
}
