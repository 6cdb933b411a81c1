// Which paths show which text: from a path of the tree to the text on it, by its row, and from a request to all its paths.
import type { Language } from "../readings/languages.ts";
import { isOfCards, languagesOf, type Operation, operations, rowOf } from "../readings/operations.ts";
import { isPeriodKind } from "../readings/periods.ts";
import { type HoroscopeRequest, isFurtherDraw, type ReadingRequest, requestOf } from "../readings/request.ts";
import { signs } from "../readings/signs.ts";
import { isTreePath, parsePath, pathOf, rowNames } from "./paths.ts";
import { type PathShowing, type Shows, tree, type TreePath } from "./tree.ts";

type AtPeriod = (period: string) => ReadingRequest | undefined;

/** One text or, of the twelve of a sheet, that of a sign, which stands for all. */
export type ShownText = { readonly isAll: boolean } & (
  | { readonly kind: "text"; readonly request: ReadingRequest }
  /** The newest text of its operation; for a pair, the text of the season that its file names. */
  | {
      readonly kind: "current";
      readonly language: Language;
      readonly operation: Operation;
      readonly at: AtPeriod;
    }
  | { readonly kind: "pair"; readonly data: TreePath; readonly at: AtPeriod }
);

export function shows<Kind extends Shows>(at: TreePath, kind: Kind): at is PathShowing<Kind> {
  return tree[at.row].shows === kind;
}

/** The text on a path; undefined where it shows several texts or none, or its date does not exist. */
export function textAt(at: TreePath): ShownText | undefined {
  const operation = operationAt(at);
  if (!("language" in at) || operation === undefined) return undefined;
  const { language } = at;
  if (!languagesOf(operation).includes(language)) return undefined;
  const last =
    "sign" in at
      ? at.sign
      : "sign1" in at
        ? `${at.sign1}-${at.sign2}`
        : "person" in at
          ? at.person
          : undefined;
  const usual = isOfCards(operation) ? "reading" : "aries";
  const requestIn = (period: string) =>
    requestOf(`${rowOf(operation).due}/${period}/${language}/${operation}/${last ?? usual}`);
  switch (tree[at.row].shows) {
    case "text":
    case "twelve": {
      const request = requestIn("key" in at ? at.key : "date" in at ? at.date : "always");
      return request && { kind: "text", request, isAll: shows(at, "twelve") };
    }
    case "current text":
    case "current twelve":
      return { kind: "current", language, operation, at: requestIn, isAll: shows(at, "current twelve") };
    case "pair":
      return shows(at, "pair")
        ? { kind: "pair", data: { ...at, row: "pairData" }, at: requestIn, isAll: false }
        : undefined;
    default:
      return undefined;
  }
}

export function textOnPath(path: string): ShownText | undefined {
  const at = parsePath(path);
  return at && textAt(at);
}

/** The operation whose texts are on a path. */
export function operationAt(at: TreePath): Operation | undefined {
  if ("kind" in at) return `${at.kind}-horoscope`;
  return "operation" in at ? at.operation : tree[at.row].of;
}

/** The paths of all rows that show a request in one of these ways. */
function pathsShowing(request: ReadingRequest, ways: readonly Shows[]): TreePath[] {
  const { language, operation, period } = request;
  const values: Readonly<Record<string, string>> =
    "sign" in request
      ? { language, sign: request.sign, kind: operations[request.operation].due, key: period, date: period }
      : "sign1" in request
        ? { language, sign1: request.sign1, sign2: request.sign2 }
        : "person" in request
          ? { language, person: request.person }
          : { language, operation, date: period };
  return rowNames.flatMap((row) => {
    // A further draw stands in its deck alone, and never as the day's card.
    const isOther =
      (tree[row].of !== undefined && tree[row].of !== operation) ||
      (isFurtherDraw(request) && tree[row].shows !== "deck");
    if (isOther || !ways.includes(tree[row].shows)) return [];
    const at: Readonly<Record<string, string>> = { row, ...values };
    return isTreePath(at) ? [at] : [];
  });
}

/** Each language has these as soon as it has anything. */
const alwaysThere = ["frontPage", "cardsPage", "archiveStart", "followPage", "aboutPage"] as const;

/** The paths of the listed pages of a language of which these are the current requests. */
export function currentPagesOf(language: Language, requests: readonly ReadingRequest[]): string[] {
  if (requests.length === 0) return [];
  const ways = ["text", "pair", "pairs", "deck", "current text"] as const;
  const shown = requests
    .flatMap((request) => pathsShowing(request, ways))
    .filter(({ row }) => row !== "drawPage"); // comes when a deck is known well enough
  const isOfPairs = requests.some((request) => "sign1" in request);
  const choosing = isOfPairs ? signs.map((sign) => ({ row: "partnerPage", language, sign }) as const) : [];
  const pages: TreePath[] = [...alwaysThere.map((row) => ({ row, language })), ...choosing, ...shown];
  return [
    ...new Set(pages.filter(({ row }) => tree[row].isListed && tree[row].stage !== "dated").map(pathOf)),
  ];
}

/** The paths of this text alone; only a pair's path can show another text, that of another season. */
export function ownPaths(request: ReadingRequest): string[] {
  return pathsShowing(request, ["text", "pair"]).map(pathOf);
}

/** The paths that show the text among others or, if it is the current one, until the next: pressed anew, they lose it. */
export function passingPaths(request: ReadingRequest, isCurrent: boolean): string[] {
  const current = isCurrent ? (["current text", "current twelve"] as const) : [];
  return pathsShowing(request, ["twelve", "deck", ...current]).map(pathOf);
}

/** The feeds that have a day's text as long as it is the current one. */
export function feedPaths(request: HoroscopeRequest): string[] {
  const current = pathsShowing(request, ["current text", "current twelve"]);
  return current.filter(({ row }) => tree[row].isFeed).map(pathOf);
}

/** The path of the text's data; a person's text has none. */
export function dataPathOf(request: ReadingRequest): string | undefined {
  const data = pathsShowing(request, ["text", "pair"]).find(({ row }) => tree[row].schemas !== undefined);
  return data && pathOf(data);
}

/** The data path of a dated sheet: all twelve signs, or a card reading. */
export function sheetDataPath(language: Language, operation: Operation, period: string): string | undefined {
  const { due } = rowOf(operation);
  if (isOfCards(operation)) return pathOf({ row: "cardsData", language, operation, date: period });
  return isPeriodKind(due) ? pathOf({ row: "signsData", language, kind: due, key: period }) : undefined;
}
