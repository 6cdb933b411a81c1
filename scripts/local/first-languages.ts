// Languages that `almanac local` gathers first: those that the person at this machine can probably read.
import type { Language } from "../../readings/tables.ts";

/**
 * The system's language and English, as far as the site has them; if it has neither, the site's first language. On an English system
 * that is only one language, which is done sooner than two. Empty if these are all the wanted languages: the night is then as fast.
 */
export function firstLanguages(wanted: readonly Language[], locale: string): readonly Language[] {
  const { language: own } = new Intl.Locale(locale);
  const readable = [...new Set([own, "en"])].flatMap((code) =>
    wanted.filter((language) => language === code),
  );
  const first = readable.length > 0 ? readable : wanted.slice(0, 1);
  return first.length < wanted.length ? first : [];
}

/** The locale from LC_ALL, LANG or the system's settings, as Node determines it. */
export function systemLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale;
}
