// The options of `almanac reading`, and which operation takes which of them, by the table of operations.
import { type Operation, rowOf } from "../../readings/operations.ts";
import { signs } from "../../readings/signs.ts";
import { WrongUsage } from "../terminal/errors.ts";

/** The options as commander parses them. */
export interface ReadingOptions {
  readonly language?: string;
  readonly sign?: string;
  readonly sign1?: string;
  readonly sign2?: string;
  readonly fullName?: string;
  readonly born?: string;
  readonly period?: string;
  readonly cards?: number;
  readonly cardImage?: number;
}

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
export function flagsOf(
  operation: Operation,
): { name: keyof ReadingOptions; flag: string; required: boolean }[] {
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
