// Wraps plain text for mail. Marks above and below a letter take no column, Han and kana take two.

export const columns = 72;

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\u30FC\uFF00-\uFF60\uD800-\uDBFF]/u;
const widthless = /[\p{M}\p{Cf}\uDC00-\uDFFF]/u;
/** Where a script has no spaces, a line may end anywhere but before these characters, and after the opening ones. */
const closing = new Set("、。，．：；？！）」』】》〉…ー”’");
const opening = new Set("「『（《〈【“‘");

/** The width of each code unit that was met, plus one, because asking Unicode each time would take half of the press. */
const widths = new Uint8Array(0x1_0000);

function widthAt(text: string, index: number): 0 | 1 | 2 {
  const unit = text.charCodeAt(index);
  if (widths[unit] === 0) {
    const character = String.fromCharCode(unit);
    widths[unit] = widthless.test(character) ? 1 : wide.test(character) ? 3 : 2;
  }
  return widths[unit] === 1 ? 0 : widths[unit] === 3 ? 2 : 1;
}

export function widthOf(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index += 1) width += widthAt(text, index);
  return width;
}

/** Lines of whole words; a word that is longer than a line is broken between its letters. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  let end = 0; // the last place where the line may end
  let [width, widthAtEnd] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const own = widthAt(text, index);
    if (mayEndBefore(text, index, own)) [end, widthAtEnd] = [index, width];
    if (width + own > columns && text[index] !== " ") {
      if (end <= start) [end, widthAtEnd] = [index, width];
      lines.push(text.slice(start, end).trimEnd());
      start = end;
      width -= widthAtEnd;
    }
    width += own;
  }
  lines.push(text.slice(start).trimEnd());
  return lines.filter((line) => line !== "");
}

function mayEndBefore(text: string, index: number, own: 0 | 1 | 2) {
  if (index === 0 || own === 0 || text[index] === " ") return false;
  const before = text[index - 1] ?? "";
  if (before === " ") return true;
  if (own !== 2 && widthAt(text, index - 1) !== 2) return false;
  return !closing.has(text[index] ?? "") && !opening.has(before);
}
