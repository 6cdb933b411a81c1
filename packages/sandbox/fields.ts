// Rules for the values of form fields: a rule returns the expected value if the value is invalid.
import { type Field, type Operation, operations, isSign } from "../../readings/tables.ts";

type FieldRule = (value: string, operation: Operation) => string | undefined;

const dayWords = ["yesterday", "today", "tomorrow"] as const;
const periodWords = ["prev", "current", "next"] as const;

/** `lan` depends on endpoint and operation and is looked at in check.ts. */
const rules: Record<Exclude<Field, "lan">, FieldRule> = {
  sign: signRule,
  sign_1: signRule,
  sign_2: signRule,
  h_day: oneOf(dayWords),
  week: oneOf(periodWords),
  month: (value, operation) =>
    operations[operation].family === "horoscope"
      ? oneOf(periodWords)(value, operation)
      : wholeNumber(1, 12)(value, operation),
  year: (value, operation) =>
    operations[operation].family === "horoscope"
      ? oneOf(periodWords)(value, operation)
      : wholeNumber(1900, 2100)(value, operation),
  day: wholeNumber(1, 31),
  tzone: offsetRule,
  cards_count: wholeNumber(1, 5),
  card_image: wholeNumber(1, 3),
  full_name: (value) =>
    value.trim() !== "" && value.length <= 200 ? undefined : "a name of at most 200 characters",
};

/** The expected value of this field; undefined if the value is valid. */
export function expectedIn(
  field: Exclude<Field, "lan">,
  value: string,
  operation: Operation,
): string | undefined {
  return rules[field](value, operation);
}

/** `today` and its like as steps from the current period. */
export function stepOf(word: string): -1 | 0 | 1 {
  switch (word) {
    case "yesterday":
    case "prev":
      return -1;
    case "tomorrow":
    case "next":
      return 1;
    default:
      return 0;
  }
}

function signRule(value: string): string | undefined {
  return isSign(value.toLowerCase()) ? undefined : "the English name of a zodiac sign";
}

function oneOf(allowed: readonly string[]): FieldRule {
  return (value) => (allowed.includes(value) ? undefined : `one of ${allowed.join(", ")}`);
}

function wholeNumber(least: number, most: number): FieldRule {
  return (value) => {
    const number = Number(value);
    const fine = /^\d{1,4}$/.test(value) && number >= least && number <= most;
    return fine ? undefined : `a whole number from ${least} to ${most}`;
  };
}

/** Every offset in use is a multiple of a quarter of an hour: 5.5, 5.75, -3.5. */
function offsetRule(value: string): string | undefined {
  const hours = Number(value);
  const fine =
    /^-?\d{1,2}(?:\.\d{1,2})?$/.test(value) && hours >= -12 && hours <= 14 && (hours * 4) % 1 === 0;
  return fine ? undefined : "hours from UTC between -12 and 14 in steps of 0.25, such as 5.75";
}
