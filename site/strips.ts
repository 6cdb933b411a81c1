// How a long text is laid over several tables of a newsletter, because Outlook breaks a table that is higher than its page.

/** What fits in the script that takes most room. */
const stripLetters = 1400;

/** As much as that: up to a sentence's end, else to a blank, else whole characters. */
const longPart = /^.{700,1399}[.!?。！？।؟](?=[\s\u3000-\u9fff])|^.{700,1399}\s|^.{1,1400}/su;

/** Whole paragraphs together as far as they fit. */
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

/** A paragraph far longer than any that was seen. */
function parted(paragraph: string): string[] {
  const parts: string[] = [];
  let rest = paragraph;
  while (rest.length > stripLetters) {
    const [part = rest] = longPart.exec(rest) ?? [];
    parts.push(part.trim());
    rest = rest.slice(part.length).trim();
  }
  return [...parts, rest];
}
