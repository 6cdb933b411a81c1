// The settings as docs/configuration.md shows them, from the schema; `npm run reference` writes the page.
import { z } from "zod";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { languageNames, operationNames } from "../../readings/tables.ts";
import { table, withPart } from "./markdown.ts";

/** The parts of a JSON Schema that this page uses. */
const part = z.object({
  type: z.string().optional(),
  description: z.string().default(""),
  default: z.json().optional(),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  propertyNames: z.object({ enum: z.array(z.string()) }).optional(),
  additionalProperties: z.unknown().optional(),
});
type Part = z.infer<typeof part>;

export function renewedConfiguration(page: string): string {
  const schema = part.parse(z.toJSONSchema(configurationSchema, { io: "input" }));
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => rowsOf(name, one));
  const settings = table(["Setting", "Meaning", "Value", "Default"], rows);
  return withPart("docs/configuration.md", page, "settings", settings);
}

/** Rows for its nested settings, or a row for a setting that has none. */
function rowsOf(name: string, node: unknown): string[][] {
  const setting = part.parse(node);
  const { properties, items, additionalProperties } = setting;
  const inner = Object.entries(properties ?? {}).flatMap(([each, one]) => rowsOf(`${name}.${each}`, one));
  const ofEach = part.safeParse(items ?? additionalProperties).data?.properties ?? {};
  const word = items === undefined ? "<name>" : "<n>";
  const within = Object.entries(ofEach).flatMap(([each, one]) => rowsOf(`${name}.${word}.${each}`, one));
  const [meaning = "", saidDefault = ""] = setting.description.split(". Default: ");
  const own = [`\`${name}\``, linked(meaning), kindOf(setting), defaultOf(setting) || saidDefault];
  return [...(inner.length > 0 ? [] : [own]), ...inner, ...within];
}

/** Turns the path of a page into a link. */
function linked(description: string): string {
  return description.replaceAll(
    /\bdocs\/([\w-]+\.md)/g,
    (_all, page: string) => `[${titleOf(page)}](${page})`,
  );
}

/** The words of a page's file name. */
function titleOf(page: string): string {
  const words = page.replace(".md", "").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function kindOf(setting: Part): string {
  const {
    type,
    enum: words,
    format,
    propertyNames,
    additionalProperties,
    items,
    prefixItems,
    anyOf,
  } = setting;
  if (words !== undefined) return wordsOf(words);
  if (prefixItems !== undefined) return `[${prefixItems.map((one) => kindOf(part.parse(one))).join(", ")}]`;
  if (type === "array") return `list of ${kindOf(part.parse(items)).replace(/^\w+[^s]$/, "$&s")}`;
  if (propertyNames !== undefined) {
    return `${kindOf(part.parse(additionalProperties))} per ${wordsOf(propertyNames.enum)}`;
  }
  if (format === "uri") return "URL";
  if (format === "date") return "date, such as 1980-02-29";
  if (type === "number" || type === "integer") return numberOf(setting);
  if (type === "boolean") return "`true` or `false`";
  if (anyOf?.some((one) => part.parse(one).type === "object")) return "string or object";
  return type === "string" || anyOf !== undefined ? "string" : "object";
}

function numberOf({ type, minimum, maximum }: Part) {
  const kind = type === "integer" ? "integer" : "number";
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return `${kind}, ${minimum} ${isBounded ? `to ${maximum}` : "or more"}`;
}

function wordsOf(words: readonly string[]) {
  if (words.includes("signPage")) return "page kind";
  if (words.length === languageNames.length) return "language";
  if (words.length === operationNames.length) return "operation";
  if (words.includes("aries")) return "sign";
  return words.map((word) => `\`${word}\``).join(words.length === 2 ? " or " : ", ");
}

function defaultOf({ default: value, properties }: Part) {
  if (value === undefined || properties !== undefined) return "";
  if (Array.isArray(value) && value.length > 3) return `all ${value.length}`;
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty ? "none" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
