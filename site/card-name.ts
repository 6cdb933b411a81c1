// A card's name as the service sends it, which is often English in every language: marked as such, so that it is read aloud and set
// as English, whatever the page's language is.
import { type Language, languages } from "../readings/languages.ts";
import { html, type Markup } from "./html.ts";

/** What only an English name of capitals has. */
const englishWord = /\b(?:THE|OF|AND|IN|ON|WITH)\b/;

export function cardName(language: Language, name: string): Markup {
  return isEnglish(language, name) ? html`<bdi lang="en">${name}</bdi>` : html`<bdi>${name}</bdi>`;
}

/** Latin letters on a page of another script; elsewhere capitals alone with an English word among them. */
function isEnglish(language: Language, name: string): boolean {
  if (language === "en" || !/[a-z]/i.test(name) || /[^\x20-\x7e’]/.test(name)) return false;
  return languages[language].script !== "Latin" || (name === name.toUpperCase() && englishWord.test(name));
}
