// The operations and the languages as docs/operations.md shows them.
import { type Language, languageNames, languages, wireOf } from "../../readings/languages.ts";
import { languagesOf, operationNames, rowOf } from "../../readings/operations.ts";
import { englishName, flagsOf } from "../reading/request.ts";
import { table } from "./markdown.ts";

export function operationsTable(): string {
  const rows = operationNames.map((operation) => {
    const { about, due } = rowOf(operation);
    const flags = flagsOf(operation).map(({ flag, required }) =>
      required ? `\`${flag}\`` : `[\`${flag}\`]`,
    );
    return [`\`${operation}\``, about, due, flags.join(" "), languagesInWords(languagesOf(operation))];
  });
  return table(["operation", "gives", "due", "takes", "languages"], rows);
}

/** `24: all but hu, gu`, unless it is easier to say which there are. */
function languagesInWords(has: readonly Language[]) {
  if (has.length === languageNames.length) return `all ${has.length}`;
  const lacks = languageNames.filter((language) => !has.includes(language));
  return has.length < lacks.length ? has.join(", ") : `${has.length}: all but ${lacks.join(", ")}`;
}

export function languagesTable(): string {
  const rows = languageNames.map((language) => {
    const { zone } = languages[language];
    const operations = operationNames.filter((operation) => languagesOf(operation).includes(language));
    return [
      `\`${language}\``,
      englishName(language),
      `\`${wireOf(language)}\``,
      zone,
      String(operations.length),
    ];
  });
  return table(["code", "language", "the service's code", "home time zone", "operations"], rows);
}
