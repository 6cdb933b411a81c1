// Why a reading is never asked for: the configuration does not want it, or the service does not have it.
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/languages.ts";
import { languagesOf, type Operation } from "../../readings/operations.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { allPairs } from "../../readings/pairs.ts";
import type { Absence } from "./answer.ts";

/** Undefined for a reading that the configuration wants. */
export function neverDue(request: ReadingRequest, configuration: Configuration): Absence | undefined {
  const { language, operation } = request;
  const general = neverAsked(language, operation, configuration);
  if (general !== undefined) return general;
  if ("sign1" in request) {
    const isWanted = (configuration.pairs ?? allPairs).some(
      ([one, other]) => one === request.sign1 && other === request.sign2,
    );
    if (!isWanted) return never(`${request.sign1}-${request.sign2} is not among its "pairs"`);
  }
  if ("person" in request && !configuration.people.some(({ id }) => id === request.person)) {
    return never(`"people" has nobody whose id is ${request.person}`);
  }
  return undefined;
}

export function neverAsked(
  language: Language,
  operation: Operation | undefined,
  { languages, operations }: Configuration,
): Absence | undefined {
  if (!languages.includes(language)) {
    return never(`this site has no ${language}: its "languages" are ${languages.join(", ")}`);
  }
  if (operation === undefined) return undefined;
  if (!languagesOf(operation).includes(language)) {
    return {
      kind: "never due",
      reason: `the service gives no ${operation} in ${language}`,
      next: `\`almanac reading --list\` shows what it gives`,
    };
  }
  if (!operations.includes(operation)) return never(`${operation} is not among its "operations"`);
  return undefined;
}

function never(reason: string): Absence {
  return { kind: "never due", reason, next: "almanac.config.ts says what the site has" };
}
