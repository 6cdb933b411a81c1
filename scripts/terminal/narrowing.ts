// What a command is narrowed to has to be part of the site: anything else would silently be nothing.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { languagesOf } from "../../readings/operations.ts";
import type { RunRequest } from "../../readings/run-messages.ts";
import { WrongUsage } from "./errors.ts";

export function requirePart(
  { languages, operations }: Configuration,
  only: Pick<RunRequest, "languages" | "operations">,
): void {
  requireThere("languages", only.languages, languages);
  requireThere("operations", only.operations, operations);
  const wanted = only.languages ?? languages;
  const offered = (only.operations ?? operations).some((one) =>
    languagesOf(one).some((each) => wanted.includes(each)),
  );
  if (!offered) {
    throw new WrongUsage(
      `the service gives none of these operations in ${wanted.join(", ")}: \`almanac reading --list\` shows what it gives`,
    );
  }
}

function requireThere(option: string, only: readonly string[] | undefined, there: readonly string[]) {
  const missing = only?.find((one) => !there.includes(one));
  if (missing === undefined) return;
  throw new WrongUsage(`--${option}: this site has no ${missing}`, undefined, {
    allowed: `it has ${there.join(", ")} ("${option}" in almanac.config.ts)`,
  });
}

/** Dates that were given one by one may still be no span, such as a first one after tomorrow. */
export async function wrongDates<Result>(planning: Promise<Result>): Promise<Result> {
  return wrongWhere(RangeError, planning, "--from and --to: ");
}

/** What only the work itself can find wrong in a command line arises there as an error of its own kind. */
export async function wrongWhere<Result>(
  kind: new (message: string) => Error,
  work: Promise<Result>,
  before = "",
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof kind ? new WrongUsage(before + error.message) : error;
  }
}
