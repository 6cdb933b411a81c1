// The faces of the cards: where an answer says that they are, and the pictures themselves, drawn ahead of time (`npm run pictures`).
// They are PNG, because copies of pictures are published from the site's own address, where an SVG could bring scripts along.
import { readFileSync } from "node:fs";
import { decks, faceName, isDeck, type DeckName } from "./decks.ts";

/** A reserved name, whose addresses lead nowhere. */
const nowhere = "https://cards.example";

interface Shown {
  readonly style?: number | undefined;
  readonly number?: number;
  /** Root URL of the pictures, without a slash at the end. */
  readonly pictures: string | undefined;
}

export function faceAddress(
  deck: DeckName,
  card: string,
  { style = 1, number = 1, pictures }: Shown,
): string {
  const suffix = number === 1 ? "" : `-${number}`;
  return `${pictures ?? nowhere}/${deck}/style-${style}/${faceName(card)}${suffix}.png`;
}

/** The picture that an address leads to that ends like this: `tarot/style-1/the-fool.png`. */
export function faceAt(path: string): Uint8Array | undefined {
  const [deck = "", , file = ""] = path.split("/");
  if (!isDeck(deck)) return undefined;
  const wanted = file.replace(/(?:-[23])?\.png$/, "");
  const names: readonly string[] = decks[deck];
  const card = names.map(faceName).find((name) => name === wanted);
  return card === undefined ? undefined : readFileSync(new URL(`faces/${deck}/${card}.png`, import.meta.url));
}
