// `almanac reading`: one call, checked as in a night, printed for a person or as JSON; nothing is stored.
import { isOfFamily, languagesOf, operationNames, operations, rowOf } from "../../readings/operations.ts";
import { periodWords } from "../../readings/periods.ts";
import type { Define } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { wholeIn } from "../terminal/options.ts";
import { type Lines, printAs, sentence, styled } from "../terminal/output.ts";
import { flagsOf, typedLanguage, typedOperation } from "./request.ts";

export const define: Define = (command) => {
  command
    .argument("[operation]", "such as daily-horoscope")
    .option("--list", "show the operations with their options and languages; no call")
    .option("--language <code>", "such as en, hi, pt (en unless said)")
    .option("--sign <sign>", "of a horoscope")
    .option("--sign-1 <sign>", "of a pair, the first")
    .option("--sign-2 <sign>", "of a pair, the second")
    .option(
      "--period <period>",
      "yesterday, today, tomorrow; prev, current, next; or 2026-11-21, 2026-11, 2026",
    )
    .option("--full-name <name>", "of the person whose animal is asked for")
    .option("--born <date>", "that person's birth date, such as 1990-07-05")
    .option("--cards <number>", "how many cards, 1 to 5", wholeIn("--cards", { least: 1, most: 5 }))
    .option(
      "--card-image <number>",
      "the style of their pictures, 1 to 3",
      wholeIn("--card-image", { least: 1, most: 3 }),
    )
    .action(async (operation, { list, json = false, ...options }) => {
      if (list) return printAs(json, listDocument(), listLines());
      if (operation === undefined) {
        throw new WrongUsage("name an operation", undefined, {
          allowed: "`almanac reading --list` shows all",
        });
      }
      // Loaded lazily: zod and undici take half a second, too long just to report a typo.
      const name = typedOperation(operation);
      const language = typedLanguage(options.language ?? "en", name);
      const { read } = await import("./call.ts");
      await read(name, language, options, json);
    });
};

const dueInWords = {
  daily: "a new one each day",
  weekly: "a new one each week",
  monthly: "a new one each month",
  yearly: "a new one each year",
  seasonal: "kept for a season",
  once: "kept for good",
} as const;

function listLines(): Lines {
  return operationNames.map((operation) => {
    const { about, due } = rowOf(operation);
    const periods = isOfFamily(operation, "horoscope") ? periodWords(operations[operation].due) : [];
    const usage = flagsOf(operation).map(({ name, flag, value, required }) => {
      const words = `${flag} ${name === "period" ? periods.join("|") : value}`;
      return required ? words : `[${words}]`;
    });
    return [
      `${styled("bold", operation)}  ${about}; ${dueInWords[due]}`,
      sentence(usage.length === 0 ? "no options but --language" : usage.join(" "), "  "),
      sentence(languagesOf(operation).join(" "), "  "),
      "",
    ];
  });
}

function listDocument() {
  return {
    operations: operationNames.map((operation) => {
      const { about, family, endpoint = "service", due } = rowOf(operation);
      const options = flagsOf(operation).map(({ flag, required }) => ({ option: flag, required }));
      return { operation, about, family, endpoint, due, options, languages: languagesOf(operation) };
    }),
  };
}
