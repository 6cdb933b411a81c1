// What a path is made of where it shows not one text, nor twelve: a language's current sheets, its pairs, a deck, a month of
// the archive, other pages, or nothing of the service. site/showing.ts has the paths of texts.
import { isLanguage, type Language } from "../readings/languages.ts";
import { type CardOperation, isOfCards, operationNames } from "../readings/operations.ts";
import { isPeriodKey } from "../readings/periods.ts";
import { type Sign, signs } from "../readings/signs.ts";
import { shapeNames } from "./data.schema.ts";
import {
  aboutPath,
  archivePath,
  deckDataPath,
  deckPath,
  feedPath,
  frontPath,
  isCardPicturePath,
  languageDataPath,
  operationPath,
  picturePath,
  schemaPath,
  sharedPaths,
  sitemapPath,
} from "./paths.ts";

export type Gathering =
  /** Every current sheet of a language. */
  | { readonly kind: "edition"; readonly language: Language }
  /** The current day's twelve. */
  | { readonly kind: "day"; readonly language: Language }
  | { readonly kind: "pairs"; readonly language: Language }
  | { readonly kind: "deck"; readonly language: Language; readonly operation: CardOperation }
  | { readonly kind: "month"; readonly language: Language; readonly sign: Sign; readonly month: string }
  /** A list of pages: the current ones, or those that are dated in a month. */
  | { readonly kind: "list"; readonly language: Language; readonly month: string | undefined }
  /** Made of what every language says of itself. */
  | { readonly kind: "site" }
  /** A copy of a card's picture, under its hash. */
  | { readonly kind: "picture" }
  /** Words and pictures of Almanac's own. */
  | { readonly kind: "own"; readonly language: Language | undefined };

/** Undefined for what is no path of the tree, and for what shows one text or twelve. */
export function gatheringOn(path: string): Gathering | undefined {
  const [first = "", second = ""] = path.split("/");
  const language = first === "v1" ? second : first;
  return isLanguage(language) ? ofLanguage(language, path) : ofSite(path);
}

function ofLanguage(language: Language, path: string): Gathering | undefined {
  switch (path) {
    case frontPath(language):
    case languageDataPath(language):
      return { kind: "edition", language };
    case feedPath(language, "json"):
    case feedPath(language, "xml"):
      return { kind: "day", language };
    case operationPath(language, "love-compatibility"):
      return { kind: "pairs", language };
    case aboutPath(language):
      return { kind: "own", language };
    default:
      return deckOn(language, path) ?? monthOn(language, path);
  }
}

function deckOn(language: Language, path: string): Gathering | undefined {
  const operation = operationNames
    .filter(isOfCards)
    .find((one) => path === deckPath(language, one) || path === deckDataPath(language, one));
  return operation === undefined ? undefined : { kind: "deck", language, operation };
}

function monthOn(language: Language, path: string): Gathering | undefined {
  if (path === sitemapPath(language)) return { kind: "list", language, month: undefined };
  const month = /\d{4}-\d{2}(?=[/.])/.exec(path)?.[0] ?? "";
  if (!isPeriodKey("monthly", month)) return undefined;
  if (path === sitemapPath(language, month)) return { kind: "list", language, month };
  const sign = signs.find((one) => path === archivePath(language, one, month));
  return sign === undefined ? undefined : { kind: "month", language, sign, month };
}

const ownFiles: ReadonlySet<string> = new Set([
  sharedPaths.notFound,
  sharedPaths.robots,
  sharedPaths.icon,
  sharedPaths.client,
  sharedPaths.clientTypes,
  picturePath(),
  ...signs.map(picturePath),
]);
function ofSite(path: string): Gathering | undefined {
  if (isCardPicturePath(path)) return { kind: "picture" };
  const isSchema = shapeNames.some((name) => path === schemaPath(name));
  if (isSchema || ownFiles.has(path)) return { kind: "own", language: undefined };
  return Object.values(sharedPaths).some((one) => one === path) ? { kind: "site" } : undefined;
}
