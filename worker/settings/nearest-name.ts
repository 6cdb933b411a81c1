// Spelling suggestions: the known name with the smallest edit distance (letters changed, added, omitted or transposed).
import { guessLanguage, type Language, languageNames, languagesByName } from "../../readings/tables.ts";

/** Undefined when no name is near: more than two letters off, more than one in a short word, or all of it. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distanceBetween(text, name) }))
    .filter(
      ({ name, distance }) =>
        distance < name.length && distance <= (Math.max(text.length, name.length) < 6 ? 1 : 2),
    )
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

/** By its names in English and in itself too: `deutsh` is nearest to `Deutsch`. */
export function nearestLanguage(text: string): Language | undefined {
  const sure = guessLanguage(text);
  if (sure !== undefined) return sure;
  const byName = languagesByName();
  const known = new Map([...byName, ...languageNames.map((language) => [language, language] as const)]);
  return known.get(nearestName(text.toLowerCase(), [...known.keys()]) ?? "");
}

/** Letters changed, added, left out or exchanged with their neighbor. */
function distanceBetween(one: string, other: string) {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of one.split("").entries()) {
    const next = [above + 1];
    for (const [index, otherLetter] of other.split("").entries()) {
      const changed = (row[index] ?? 0) + (letter === otherLetter ? 0 : 1);
      const isExchanged = index > 0 && letter === other[index - 1] && one[above - 1] === otherLetter;
      const exchanged = isExchanged ? (before[index - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(changed, exchanged, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
