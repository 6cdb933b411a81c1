// Which languages `almanac local` gathers before all others: those that whoever sits at this machine can read.
import type { Language } from "../../readings/languages.ts";

/**
 * The language of this system and English, as far as the site has them; without either the site's first one. Where the system
 * is in English that is one alone: no other is known to be read here, and one is there sooner than two. None where they are
 * all that is wanted: then the night itself is as soon.
 */
export function firstLanguages(wanted: readonly Language[], locale: string): readonly Language[] {
  const { language: own } = new Intl.Locale(locale);
  const readable = [...new Set([own, "en"])].flatMap((code) =>
    wanted.filter((language) => language === code),
  );
  const first = readable.length > 0 ? readable : wanted.slice(0, 1);
  return first.length < wanted.length ? first : [];
}

/** By the environment's LC_ALL or LANG, or as the system was set up; the same in Node. */
export function systemLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale;
}
