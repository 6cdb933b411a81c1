// Checks a page with a theme for screen readers: one main element with one heading, distinguishable landmarks, unique ids, and names for
// pictures, links and buttons. A finding names the theme file that has the element's opening tag.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "htmlparser2";
import type { Theme } from "../../../site/theme/theme.ts";
import { lineAt, shownPlace } from "../../theme/theme-files.ts";

interface Finding {
  readonly seen: string;
  readonly remedy: string;
}

interface Element {
  /** The opening tag as written. */
  readonly tag: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parents: readonly Element[];
  /** Text that a screen reader reads out. */
  text: string;
}

const landmarks = ["header", "footer", "nav", "aside"];
const sections = new Set(["article", "aside", "main", "nav", "section"]);

export class StructureCheck {
  readonly #folder: string;
  readonly #texts: readonly { readonly file: string; readonly text: string }[];

  constructor({ slots, templates }: Theme, folder: string) {
    this.#folder = folder;
    this.#texts = [...slots, ...Object.values(templates)].flatMap((part) =>
      part === undefined ? [] : [{ file: part.file, text: readFileSync(join(folder, part.file), "utf8") }],
    );
  }

  findings(page: string): Finding[] {
    const elements = elementsIn(page);
    return [
      ...elements.flatMap((element) => this.#unnamed(element)),
      ...this.#headings(elements.filter(({ name }) => name === "h1")),
      ...landmarks.flatMap((name) => this.#landmarks(name, elements)),
      ...this.#repeatedIds(elements),
    ];
  }

  /** Undefined for an element that is not written out in a theme file. */
  #placeOf({ tag }: Element): string | undefined {
    const found = this.#texts.find(({ text }) => text.includes(tag));
    return found && shownPlace(this.#folder, found.file, lineAt(found.text, found.text.indexOf(tag)));
  }

  #finding(element: Element | undefined, seen: string, remedy: string): Finding {
    const place = (element && this.#placeOf(element)) ?? shownPlace(this.#folder, "");
    return { seen: `${place}: ${element === undefined ? "" : `${opened(element)} `}${seen}`, remedy };
  }

  #unnamed(element: Element): Finding[] {
    const { name, attributes, parents } = element;
    if (name === "img" && attributes["alt"] === undefined) {
      const remedy = 'describe it in alt="", or leave that empty for a decoration';
      return [this.#finding(element, "has no alt attribute", remedy)];
    }
    if (hasName(element)) return [];
    if (name === "iframe") return [this.#finding(element, "has no name", 'describe its content in title=""')];
    const isHidden = [element, ...parents].some((one) => one.attributes["aria-hidden"] === "true");
    const isControl = name === "button" || (name === "a" && attributes["href"] !== undefined);
    if (!isControl || isHidden) return [];
    const remedy = 'add text, an alt attribute for its picture, or an aria-label=""';
    return [this.#finding(element, "has no accessible name", remedy)];
  }

  /** Loading the theme already refuses a second <main>. */
  #headings(all: readonly Element[]): Finding[] {
    if (all.length === 1) return [];
    if (all.length === 0)
      return [
        this.#finding(undefined, "the page has no <h1>", "add one to the template of this kind of page"),
      ];
    const remedy = "make it an <h2>. The page's heading is its only <h1>";
    return [this.#finding(this.#ownersOf(all), `is one of ${all.length} on a page`, remedy)];
  }

  /** Repeated landmarks without a unique name: a screen reader distinguishes several of a kind by their names. */
  #landmarks(name: string, elements: readonly Element[]): Finding[] {
    const isOfPage = ({ parents }: Element) =>
      name === "nav" || name === "aside" || !parents.some((one) => sections.has(one.name));
    const all = elements.filter((one) => one.name === name && isOfPage(one));
    const named = all.map(
      ({ attributes }) => attributes["aria-label"] ?? attributes["aria-labelledby"] ?? "",
    );
    return all.flatMap((one, index) => {
      const own = named[index] ?? "";
      const isUnique = own.trim() !== "" && named.indexOf(own) === index;
      // Owners can't name our own landmarks.
      if (all.length < 2 || isUnique || this.#placeOf(one) === undefined) return [];
      const seen = `is one of ${all.length} <${name}> on a page, without a unique name`;
      return [this.#finding(one, seen, 'give it a unique aria-label=""')];
    });
  }

  #repeatedIds(elements: readonly Element[]): Finding[] {
    const withId = elements.filter(({ attributes }) => (attributes["id"] ?? "") !== "");
    const byId = Map.groupBy(withId, ({ attributes }) => attributes["id"]);
    return [...byId.values()]
      .filter((all) => all.length > 1)
      .map((all) =>
        this.#finding(
          this.#ownersOf(all),
          `has the id of ${all.length} elements of a page`,
          "give each element a unique id",
        ),
      );
  }

  #ownersOf(all: readonly Element[]): Element | undefined {
    return all.find((one) => this.#placeOf(one) !== undefined) ?? all[0];
  }
}

function elementsIn(page: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const tag = page.slice(parser.startIndex, parser.endIndex + 1);
      const element = { tag, name, attributes, parents: [...open], text: "" };
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
  parser.end(page);
  return elements;
}

function opened({ name, attributes }: Element) {
  const shown = ["id", "class", "href", "src"].find((attribute) => attributes[attribute] !== undefined);
  return shown === undefined ? `<${name}>` : `<${name} ${shown}="${attributes[shown]}">`;
}

/** Whether the element has an accessible name. */
function hasName({ attributes, text }: Element) {
  return (
    [attributes["aria-label"], attributes["title"], text].some((name) => (name ?? "").trim() !== "") ||
    attributes["aria-labelledby"] !== undefined
  );
}
