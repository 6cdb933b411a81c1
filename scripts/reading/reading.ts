// `almanac reading`: one call, checked as in a night, printed for a person or as JSON; nothing is stored.
import { isOfFamily, languagesOf, operationNames, operations, rowOf } from "../../readings/tables.ts";
import { periodWords } from "../../readings/calendar.ts";
import type { Define } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { wholeIn } from "../terminal/options.ts";
import { type Lines, printAs, sentence, styled } from "../terminal/output.ts";
import { flagsOf, typedLanguage, typedOperation } from "./request.ts";

export const define: Define = (command) => {
  command
    .argument("[operation]", "Operation, such as daily-horoscope")
    .option("--list", "List the operations with their options and languages")
    .option("--language <code>", "Language, such as en, hi or pt. Default: en")
    .option("--sign <sign>", "Sign of a horoscope")
    .option("--sign-1 <sign>", "First sign of a pair")
    .option("--sign-2 <sign>", "Second sign of a pair")
    .option(
      "--period <period>",
      "Period: yesterday, today or tomorrow; prev, current or next; or 2026-11-21, 2026-11, 2026",
    )
    .option("--full-name <name>", "Full name of the person")
    .option("--born <date>", "Birth date of the person, such as 1990-07-05")
    .option("--cards <number>", "Number of cards, 1 to 5", wholeIn("--cards", { least: 1, most: 5 }))
    .option(
      "--card-image <number>",
      "Card image style, 1 to 3",
      wholeIn("--card-image", { least: 1, most: 3 }),
    )
    .action(async (operation, { list, json = false, ...options }) => {
      if (list) return printAs(json, listDocument(), listLines());
      if (operation === undefined) {
        throw new WrongUsage("missing argument <operation>", undefined, {
          allowed: "`almanac reading --list` lists all operations",
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
  daily: "new each day",
  weekly: "new each week",
  monthly: "new each month",
  yearly: "new each year",
  seasonal: "stored for a season",
  once: "stored permanently",
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
      sentence(usage.length === 0 ? "only --language" : usage.join(" "), "  "),
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
