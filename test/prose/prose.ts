// Prose as paragraphs: from Markdown without its code, from the program's messages, and from the English labels.
import { lexer, type Token } from "marked";
import { mostWords, rules } from "./rules.ts";

export interface Paragraph {
  readonly file: string;
  readonly text: string;
}

export interface Hit {
  readonly file: string;
  readonly text: string;
  readonly write: string;
}

/** The paragraphs, headings, list items and table cells of a Markdown file. */
export function paragraphsOf(file: string, markdown: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  const add = (tokens: readonly Token[]): void => {
    for (const piece of plainText(tokens).split("\n\n"))
      if (piece.trim() !== "") paragraphs.push({ file, text: piece.replaceAll(/\s+/g, " ").trim() });
  };
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === "table") {
        for (const row of [token["header"], ...token["rows"]]) for (const cell of row) add(cell.tokens);
      } else if (token.type === "list") for (const item of token["items"]) visit(item.tokens);
      else if (token.type === "blockquote") visit(token.tokens ?? []);
      else if (token.type === "paragraph" || token.type === "heading" || token.type === "text")
        add(token.tokens ?? [token]);
    }
  };
  visit(lexer(markdown));
  return paragraphs;
}

/** Code, links' targets and HTML are not prose; code counts as one word. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "codespan") return "Code";
      if (token.type === "html" || token.type === "image" || token.type === "br") return "\n\n";
      return "tokens" in token && token.tokens !== undefined ? plainText(token.tokens) : token.raw;
    })
    .join("");
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** Hits of the rules, and sentences of more words than allowed. */
export function hitsIn(paragraph: Paragraph): Hit[] {
  const { file, text } = paragraph;
  const found: Hit[] = rules
    .filter(({ pattern }) => pattern.test(text))
    .map(({ write, pattern }) => ({ file, text: around(text, pattern), write }));
  for (const { segment } of sentences.segment(text)) {
    const count = countWords(segment);
    if (count > mostWords) found.push({ file, text: segment.trim(), write: `${count} words in a sentence` });
  }
  return found;
}

function around(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return text.slice(Math.max(0, at - 40), at + 60);
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
