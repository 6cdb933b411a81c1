// Looks at a page that was pressed with a theme as a screen reader would: one main part and one heading of it, landmarks that can be
// told apart, ids that are there once, pictures, links and buttons with a name. Says which of it comes from which file of the theme.
import { Parser } from "htmlparser2";
import { lineAt } from "../../theme/theme-mistakes.ts";

/** Comments around what comes from a file of the theme as it stands there, around what a file makes, and around what is ours in it. */
export const marks = {
  copied: (file: string): string => `<!--copied:${encodeURIComponent(file)}-->`,
  made: (file: string): string => `<!--made:${encodeURIComponent(file)}-->`,
  ours: "<!--ours:-->",
  end: "<!--/theme-->",
} as const;

export interface StructureFinding {
  /** Undefined where no file of the theme has the element. */
  readonly file?: string;
  readonly line?: number;
  readonly seen: string;
  readonly remedy: string;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parents: readonly Element[];
  readonly file?: string;
  readonly line?: number;
  /** What is read out of it. */
  text: string;
}

export function structureFindings(page: string): StructureFinding[] {
  const elements = elementsIn(page);
  return [
    ...elements.flatMap(ownFindings),
    ...headingFindings(elements),
    ...landmarks.flatMap((name) => unnamed(name, elements)),
    ...repeatedIds(elements),
  ];
}

interface Mark {
  /** Undefined for what is ours. */
  readonly file?: string;
  readonly start: number;
  /** Whether its lines are those of the file. */
  readonly isCopied: boolean;
  /** How many lines of ours stand in it, up to here. */
  lines: number;
}

function elementsIn(page: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const around: Mark[] = [];
  const parser = new Parser({
    oncomment(text) {
      const [, kind, file = ""] = /^(copied|made|ours|\/theme)(?::(.*))?$/.exec(text) ?? [];
      const start = parser.endIndex + 1;
      if (kind === "/theme") {
        const ended = around.pop();
        const outer = around.at(-1);
        if (ended !== undefined && outer !== undefined)
          outer.lines += lineAt(page.slice(ended.start), parser.startIndex - ended.start) - 1;
      } else if (kind !== undefined) {
        const named = file === "" ? undefined : decodeURIComponent(file);
        around.push({ file: named, start, isCopied: kind === "copied", lines: 0 });
      }
    },
    onopentag(name, attributes) {
      const element = { name, attributes, parents: [...open], ...placeIn(around.at(-1)), text: "" };
      elements.push(element);
      open.push(element);
      const heard = attributes["aria-label"] ?? (name === "img" ? attributes["alt"] : undefined) ?? "";
      for (const one of open) one.text += heard;
    },
    ontext(text) {
      if (open.some(({ name }) => name === "script" || name === "style")) return;
      for (const one of open) one.text += text;
    },
    onclosetag: () => void open.pop(),
  });
  const placeIn = (mark: Mark | undefined) => {
    if (mark?.isCopied !== true) return { file: mark?.file };
    const line = lineAt(page.slice(mark.start), parser.startIndex - mark.start) - mark.lines;
    return { file: mark.file, line };
  };
  parser.end(page);
  return elements;
}

const at = ({ file, line }: Element) => ({ file, line });
const opened = ({ name, attributes }: Element) => {
  const told = ["id", "class", "href", "src"].find((attribute) => attributes[attribute] !== undefined);
  return told === undefined ? `<${name}>` : `<${name} ${told}="${attributes[told]}">`;
};

/** Whether a screen reader has something to call it by. */
function hasName({ attributes, text }: Element) {
  return (
    [attributes["aria-label"], attributes["title"], text].some((name) => (name ?? "").trim() !== "") ||
    attributes["aria-labelledby"] !== undefined
  );
}

function ownFindings(element: Element): StructureFinding[] {
  const { name, attributes } = element;
  const found: StructureFinding[] = [];
  const note = (seen: string, remedy: string) => found.push({ ...at(element), seen, remedy });
  if (name === "img" && attributes["alt"] === undefined)
    note(`${opened(element)} has no alt`, 'say in alt="" what it shows, or leave that empty for an ornament');
  if (name === "iframe" && !hasName(element))
    note(`${opened(element)} has no name`, 'say in title="" what is in it');
  const isHidden = [element, ...element.parents].some((one) => one.attributes["aria-hidden"] === "true");
  const isLed = (name === "a" && attributes["href"] !== undefined) || name === "button";
  if (isLed && !isHidden && !hasName(element))
    note(
      `${opened(element)} has no name for those who do not see it`,
      'put words into it, an alt to its picture, or an aria-label=""',
    );
  return found;
}

/** A second <main> is refused where the theme is read. */
function headingFindings(elements: readonly Element[]): StructureFinding[] {
  const all = elements.filter(({ name }) => name === "h1");
  const [first] = all;
  if (first === undefined)
    return [{ seen: "the page has no <h1>", remedy: "let the template of its kind print one" }];
  if (all.length === 1) return [];
  const told = all.find(({ file }) => file !== undefined) ?? first;
  const seen = `${opened(told)} is one of ${all.length} on a page`;
  return [{ ...at(told), seen, remedy: "make it an <h2>: the page's own heading is its only <h1>" }];
}

const landmarks = ["header", "footer", "nav", "aside"] as const;
const sections = new Set(["article", "aside", "main", "nav", "section"]);

/** Where a page has several of a landmark, a screen reader tells them apart by their names. */
function unnamed(name: (typeof landmarks)[number], elements: readonly Element[]): StructureFinding[] {
  const isOfPage = ({ parents }: Element) =>
    name === "nav" || name === "aside" || !parents.some((one) => sections.has(one.name));
  const all = elements.filter((one) => one.name === name && isOfPage(one));
  if (all.length < 2) return [];
  const named = new Set<string>();
  return all.flatMap((one) => {
    const { "aria-label": label, "aria-labelledby": by } = one.attributes;
    const own = label ?? by ?? "";
    const isNew = own.trim() !== "" && !named.has(own);
    named.add(own);
    // To ours an owner can give none.
    if (isNew || one.file === undefined) return [];
    const seen = `${opened(one)} is one of ${all.length} <${name}> on a page and has no name of its own`;
    return [{ ...at(one), seen, remedy: `give it an aria-label="" that none of the others has` }];
  });
}

function repeatedIds(elements: readonly Element[]): StructureFinding[] {
  const byId = Map.groupBy(elements, ({ attributes }) => attributes["id"] ?? "");
  return [...byId].flatMap(([id, all]) => {
    const [first, second] = all;
    if (id === "" || first === undefined || second === undefined) return [];
    const told = all.find(({ file }) => file !== undefined) ?? second;
    const seen = `id="${id}" stands on ${all.length} elements of a page`;
    return [{ ...at(told), seen, remedy: "give each element an id of its own" }];
  });
}
