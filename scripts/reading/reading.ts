// `almanac reading`: one call, checked as a night's is, printed for a person or as JSON; nothing is stored.
import type { Define } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { wholeIn } from "../terminal/options.ts";
import { print, printJson } from "../terminal/output.ts";
import { listAsJson, operationLines } from "./list.ts";
import { typedLanguage, typedOperation } from "./request.ts";

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
      if (list) return json ? printJson(listAsJson()) : print(operationLines());
      if (operation === undefined) {
        throw new WrongUsage("name an operation", undefined, {
          allowed: "`almanac reading --list` shows all",
        });
      }
      // Zod and undici take half a second to load: too long for a slip of the fingers.
      const name = typedOperation(operation);
      const language = typedLanguage(options.language ?? "en", name);
      const { read } = await import("./call.ts");
      await read(name, language, options, json);
    });
};
