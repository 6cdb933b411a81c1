// `almanac reading`: one call, checked as in a night, printed for a person or as JSON; nothing is stored.
import { languagesOf, operationNames, rowOf } from "../../readings/tables.ts";
import type { Define } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { languageIn, oneOf, wholeIn } from "../terminal/options.ts";
import { type Lines, printAs, sentence, styled } from "../terminal/output.ts";
import { flagsOf, signsIn } from "./request.ts";

export const define: Define = (command) => {
  command
    .argument("[operation]", "Operation, such as daily-horoscope", oneOf("operation", operationNames))
    .option("--list", "List the operations with their options and languages")
    .option("--language <code>", "Language, such as en, hi or pt. Default: en", languageIn)
    .option("--sign <signs>", "Sign of a horoscope, or both signs of a pair, such as leo,aries", signsIn)
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
    .action(async (operation, { list, json = false, language = "en", ...options }) => {
      if (list) return printAs(json, { operations: operationNames.map(rowOfList) }, listLines());
      if (operation === undefined) {
        throw new WrongUsage("missing argument <operation>", undefined, {
          allowed: "`almanac reading --list` lists all operations",
        });
      }
      // Loaded lazily: zod and undici take half a second, too long just to report a typo.
      const { read } = await import("./call.ts");
      await read(operation, language, options, json);
    });
};

function rowOfList(operation: (typeof operationNames)[number]) {
  const { about, family, endpoint = "service", due } = rowOf(operation);
  const options = flagsOf(operation).map(({ flag, required }) => ({ option: flag, required }));
  return { operation, about, family, endpoint, due, options, languages: languagesOf(operation) };
}

function listLines(): Lines {
  return operationNames.map((operation) => {
    const { about, due } = rowOf(operation);
    const usage = flagsOf(operation).map(({ flag, value, required }) =>
      required ? `${flag} ${value}` : `[${flag} ${value}]`,
    );
    return [
      `${styled("bold", operation)}  ${about}; ${due}`,
      sentence(usage.length === 0 ? "only --language" : usage.join(" "), "  "),
      sentence(languagesOf(operation).join(" "), "  "),
      "",
    ];
  });
}
