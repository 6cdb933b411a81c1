// Divides a long text into several tables of a newsletter, because Outlook breaks a table that is higher than its page.

/** How many characters fit in the script that takes most room. */
const stripLetters = 1400;

/** So many characters at most: up to a sentence's end, else to a blank, else anywhere. */
const longPart = /^.{700,1399}[.!?。！？।؟](?=[\s\u3000-\u9fff])|^.{700,1399}\s|^.{1,1400}/su;

/** Strips of whole paragraphs, as many together as fit. */
export function stripsOf(paragraphs: readonly string[]): string[][] {
  const strips: string[][] = [];
  let room = 0;
  for (const paragraph of paragraphs.flatMap(parted)) {
    if (strips.length === 0 || paragraph.length > room) {
      strips.push([]);
      room = stripLetters;
    }
    strips.at(-1)?.push(paragraph);
    room -= paragraph.length;
  }
  return strips;
}

/** Divides a paragraph that is far longer than any that was seen. */
function parted(paragraph: string) {
  const parts: string[] = [];
  let rest = paragraph;
  while (rest.length > stripLetters) {
    const [part = rest] = longPart.exec(rest) ?? [];
    parts.push(part.trim());
    rest = rest.slice(part.length).trim();
  }
  return [...parts, rest];
}
