// Schema of theme.ts, with the values that its error messages expect. The owner's labels are checked against those of the pages.
import { z } from "zod";
import { type Language, languageNames, languages, signs } from "../../readings/tables.ts";
import { hostPattern } from "../../readings/picture-hosts.ts";
import { labelsIn } from "../../site/labels.ts";
import { rowNames } from "../../site/paths.ts";
import {
  hostUses,
  isGroup,
  type OwnWords,
  type PageKind,
  type ThemeSlot,
  themeSlots,
} from "../../site/theme/theme.ts";

const file = z.string().min(1, "the name of a file of the theme");
const sign = z.enum(signs);
const languageCode = z.enum(languageNames);
const scripts = [...new Set(Object.values(languages).map(({ script }) => script))];

export function isPageKind(row: string): row is PageKind {
  return row.endsWith("Page") || row === "archiveStart" || row === "languageNotFound";
}
const pageKind = z.enum(rowNames.filter(isPageKind));

const filledSlot = z.strictObject({
  file,
  pages: z.array(pageKind).min(1).optional(),
  languages: z.array(languageCode).min(1).optional(),
});
type FilledSlotInput = string | z.input<typeof filledSlot>;

const host = z
  .string()
  .refine(
    (name) => hostPattern.test(name.replace(/^\*\./, "")),
    "the name of a host, in lower case, such as stats.example or *.ads.example",
  );
const hostUse = z.enum(Object.keys(hostUses).filter((name) => Object.hasOwn(hostUses, name)));

const color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, "a color such as #1a2b3c")
  .optional();
const ownColors = z.strictObject({ accent: color, paper: color, ink: color }).optional();

const size = z.int().min(1).max(2_000);

/** Maximum length of a label, which still fits on a page. */
const mostLetters = 600;
const form = `a text of at most ${mostLetters} characters`;
const word = z.string(form).trim().min(1, form).max(mostLetters, form);

/** Words in place of these labels, with the same placeholders. */
function wordsLike(labels: unknown): z.ZodType {
  if (typeof labels === "string") {
    const placeholders = labels.match(/\{\w+\}/g) ?? [];
    const error = `a text with ${placeholders.join(" and ")}`;
    return word.refine((text) => placeholders.every((one) => text.includes(one)), error);
  }
  if (!isGroup(labels)) return z.array(word, "a list of paragraphs").min(1, "a list of paragraphs");
  const words = Object.entries(labels).map(([name, label]) => [name, wordsLike(label).optional()]);
  const error = `an object with words for ${Object.keys(labels).join(", ")}`;
  return z.strictObject(Object.fromEntries(words), {
    error: ({ code }) => (code === "invalid_type" ? error : undefined),
  });
}
const ownWordsByLanguage = Object.fromEntries(
  languageNames.map((language) => {
    const labels = () => wordsLike({ ...labelsIn(language), name: "Stars" });
    return [language, z.lazy(labels).optional()];
  }),
);
/** The words of a theme that fits its schema. */
export const ownWords = z.custom<Readonly<Partial<Record<string, OwnWords>>>>(isGroup);

export const themeSchema = z.strictObject({
  colors: z.strictObject({ light: ownColors, dark: ownColors }).optional(),
  properties: z
    .record(
      z.string().regex(/^--[a-z][a-z0-9-]*$/, "the name of a custom property, such as --face"),
      z.string().regex(/^[^{};<>]+$/, "a value without { } ; < or >"),
    )
    .default({}),
  stylesheets: z.array(file).default([]),
  fonts: z
    .array(
      z.strictObject({
        family: z.string().regex(/^[\p{L}\p{N} _-]+$/u, "letters, digits and spaces"),
        file: z.string().regex(/\.woff2$/, "a file that ends in .woff2"),
        weight: z
          .string()
          .regex(/^\d{3}(?: \d{3})?$/, 'a weight such as "400", or "300 700"')
          .default("400"),
        style: z.enum(["normal", "italic"]).default("normal"),
        display: z.enum(["optional", "swap"]).default("optional"),
        scripts: z.array(z.enum(scripts)).min(1).default(["Latin"]),
      }),
    )
    .default([]),
  logo: z.strictObject({ file, width: size, height: size }).optional(),
  icon: file.optional(),
  sharing: z
    .strictObject({ site: file.optional(), signs: z.partialRecord(sign, file).default({}) })
    .prefault({}),
  signs: z.partialRecord(sign, file).default({}),
  cards: z
    .strictObject({
      folder: z.string().min(1).default("cards"),
      use: z.enum(["fallback", "replacement"]).default("fallback"),
    })
    .optional(),
  slots: z.partialRecord(z.enum(themeSlots), z.array(filledSlot).min(1)).default({}),
  newsletter: z
    .strictObject({
      footer: z
        .strictObject({
          text: z.string().trim().min(1).max(300),
          link: z.url({ protocol: /^https$/, error: "an address that begins with https://" }).optional(),
        })
        .optional(),
    })
    .prefault({}),
  words: z.strictObject(ownWordsByLanguage).default({}),
  pages: z
    .strictObject({
      menu: z.array(z.string()).optional(),
      fallback: z.array(languageCode).default([]),
    })
    .prefault({}),
  templates: z
    .partialRecord(pageKind, z.string().regex(/\.[mc]?[jt]s$/, "a module such as sign.ts"))
    .default({}),
  hosts: z.partialRecord(hostUse, z.array(host).min(1)).default({}),
});

export type ThemeGiven = z.infer<typeof themeSchema>;
export type ThemeInput = Omit<z.input<typeof themeSchema>, "slots" | "words"> & {
  readonly words?: { readonly [Name in Language]?: OwnWords };
  readonly slots?: { readonly [Slot in ThemeSlot]?: FilledSlotInput | readonly FilledSlotInput[] };
};

const slotsGiven = z.looseObject({ slots: z.record(z.string(), z.unknown()) });

/** Normalizes slots to lists of objects: a slot may also be just a file name, or a single object. */
export function withSlotLists(given: unknown): unknown {
  const { data } = slotsGiven.safeParse(given);
  if (data === undefined) return given;
  const slots = Object.entries(data.slots).map(([slot, one]) => [slot, listOf(one)] as const);
  return { ...data, slots: Object.fromEntries(slots) };
}

function listOf(one: unknown): unknown[] {
  const all: readonly unknown[] = Array.isArray(one) ? one : [one];
  return all.map((given) => (typeof given === "string" ? { file: given } : given));
}
