// Sentences for the problems of a configuration: the setting, its value, the expected value and, if it can be guessed, the intended
// one. worker/settings/configuration.ts shows them all at once, also those of its valid part.
import { z } from "zod";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { nearestLanguage, nearestName } from "./nearest-name.ts";

/** Thrown for a configuration that can't be used; the message names every setting that is wrong. */
export class WrongConfiguration extends Error {
  override readonly name = "WrongConfiguration";
  /** The problems, each with its setting and a colon before it. */
  readonly problems: readonly string[];

  constructor(what: string, problems: readonly string[], options?: ErrorOptions) {
    super([what, ...problems].join("\n  "), options);
    this.problems = problems.length > 0 ? problems : [what];
  }
}

/** `languages.0: "gr" is not one of .... Did you mean "el"?` */
export function explain(
  issue: z.core.$ZodIssue,
  given: unknown,
  schema: z.ZodType = configurationSchema,
): string {
  return `${issue.path.join(".") || "(the whole configuration)"}: ${problemOf(issue, given, schema)}`;
}

/** The fields of the theme for words that someone may look for under `site`. */
const themeFields: ReadonlyMap<string, string> = new Map([
  ["colors", "`colors`"],
  ["stylesheet", "`stylesheets`"],
  ["footer", "`slots.footer` for pages and `newsletter.footer` for newsletters"],
]);

function problemOf(issue: z.core.$ZodIssue, given: unknown, schema: z.ZodType) {
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys
        .map((key) => {
          const field = issue.path.join(".") === "site" ? themeFields.get(key) : undefined;
          if (field !== undefined) return `"${key}" is not a setting. Set ${field} in the theme's theme.ts`;
          return `"${key}" is not a setting${meant(nearest(key, settingsIn(issue.path, schema)))}`;
        })
        .join("; ");
    case "invalid_value": {
      const seen = valueAt(given, issue.path);
      const known = issue.values.map(String);
      return `${JSON.stringify(seen)} is not one of ${known.join(", ")}${meant(nearest(textOf(seen), known))}`;
    }
    default: {
      const seen = valueAt(given, issue.path);
      const text = textOf(seen);
      const expected = /^[a-z]/.test(issue.message) ? `must be ${issue.message}` : issue.message;
      return `${expected}${shown(seen, issue.path)}${meant(guessed(text, issue.path))}`;
    }
  }
}

/** The parts of a JSON Schema that are of use here. */
const part = z.object({
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  additionalProperties: z.unknown().optional(),
  propertyNames: z.object({ enum: z.array(z.string()) }).optional(),
});

/** The settings that may stand in the place where a path leads, read off the schema. */
function settingsIn(path: readonly PropertyKey[], schema: z.ZodType) {
  const open = (node: unknown) => part.parse(node ?? {});
  let place = open(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  for (const key of path) {
    const { items, properties, additionalProperties } = place;
    place = open(typeof key === "number" ? items : (properties[String(key)] ?? additionalProperties));
  }
  return Object.keys(place.properties).concat(place.propertyNames?.enum ?? []);
}

function guessed(text: string, path: readonly PropertyKey[]) {
  if (path[0] === "zones") return nearestName(text, Intl.supportedValuesOf("timeZone"));
  const isAddress = path.join(".") === "site.url" && /^[\w-]+(?:\.[\w-]+)+(?:[/:]|$)/.test(text);
  return isAddress ? `https://${text}` : undefined;
}

/** The known name that is nearest to a text; a language by any of its codes. */
function nearest(text: string, known: readonly string[]) {
  return (known.includes("el") ? nearestLanguage(text) : undefined) ?? nearestName(text, known);
}

/** The value as the message shows it; nothing of a person, whose name and birth date stand in the configuration alone. */
function shown(seen: unknown, path: readonly PropertyKey[]) {
  if (seen === undefined || typeof seen === "object" || (path[0] === "people" && path[2] !== "id")) {
    return "";
  }
  return `, not ${JSON.stringify(seen)}`;
}

function meant(guess: string | undefined) {
  return guess === undefined ? "" : `. Did you mean "${guess}"?`;
}

function textOf(seen: unknown) {
  return typeof seen === "string" ? seen : "";
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

const group = z.record(z.string(), z.unknown());

/** The valid part of a configuration, if it can be had, and whether settings, such as `schedule.deadlineHours`, are wholly in it. */
export function rightPart(given: unknown, issues: readonly z.core.$ZodIssue[]) {
  const wrong = issues.flatMap(settingsOf);
  const kept = (settings: unknown, within = "") =>
    Object.entries(group.parse(settings)).filter(([name]) => !wrong.includes(within + name));
  const rest = group.safeParse(given).success
    ? kept(given).map(([section, value]) => {
        const isGroup = group.safeParse(value).success;
        return [section, isGroup ? Object.fromEntries(kept(value, `${section}.`)) : value] as const;
      })
    : undefined;
  const isWrong = (setting: string) =>
    wrong.some((one) => `${one}.`.startsWith(`${setting}.`) || `${setting}.`.startsWith(`${one}.`));
  return {
    data: rest && configurationSchema.safeParse(Object.fromEntries(rest)).data,
    areRight: (...settings: string[]) => !settings.some(isWrong),
  };
}

/** The setting with a problem, as `schedule.nightly`: a list counts as a whole, and all that is deeper with its setting. */
function settingsOf(issue: z.core.$ZodIssue): string[] {
  const paths =
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return paths.map((path) => path.slice(0, typeof path[1] === "number" ? 1 : 2).join("."));
}
