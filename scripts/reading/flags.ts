// The options of `almanac reading`, and which operation takes which of them, by the table of operations.
import { type Operation, rowOf } from "../../readings/operations.ts";
import { signs } from "../../readings/signs.ts";
import type { NewCommand } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { wholeIn } from "../terminal/options.ts";

export function withOptions(command: NewCommand) {
  return command
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
    );
}

/** The options as commander parses them. */
export type ReadingOptions = ReturnType<ReturnType<typeof withOptions>["opts"]>;

/** Each option with the form field that it fills: an operation takes it if its row has the field. */
const flags = [
  { name: "sign", flag: "--sign", field: "sign" },
  { name: "sign1", flag: "--sign-1", field: "sign_1" },
  { name: "sign2", flag: "--sign-2", field: "sign_2" },
  { name: "fullName", flag: "--full-name", field: "full_name" },
  { name: "born", flag: "--born", field: "day" },
  { name: "period", flag: "--period", field: "tzone" },
  { name: "cards", flag: "--cards", field: "cards_count" },
  { name: "cardImage", flag: "--card-image", field: "card_image" },
] as const;

/** The options that an operation takes; a period is today's or the current one unless said. */
export function flagsOf(operation: Operation) {
  const { required, optional } = rowOf(operation);
  return flags
    .filter(({ field }) => required.includes(field) || optional.includes(field))
    .map(({ name, flag, field }) => ({
      name,
      flag,
      required: name !== "period" && required.includes(field),
    }));
}

/** Throws for an option that the operation does not take: whoever asks for a sign's tarot does not want just any card. */
export function refuseStrays(operation: Operation, options: ReadingOptions): void {
  const taken = flagsOf(operation);
  const stray = flags.find(
    ({ name }) => options[name] !== undefined && !taken.some((own) => own.name === name),
  );
  if (stray !== undefined) {
    const allowed = ["--language", ...taken.map(({ flag }) => flag)].join(", ");
    throw new WrongUsage(`${operation} takes no ${stray.flag}`, undefined, {
      allowed: `it takes ${allowed}`,
    });
  }
  const missing = taken.filter(({ name, required }) => required && options[name] === undefined);
  if (missing.length > 0) {
    const allowed = missing.some(({ name }) => name.startsWith("sign"))
      ? `the signs are ${signs.join(", ")}`
      : undefined;
    throw new WrongUsage(`${operation} needs ${missing.map(({ flag }) => flag).join(" and ")}`, undefined, {
      allowed,
    });
  }
}
