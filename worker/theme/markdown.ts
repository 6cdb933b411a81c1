// Makes the body of an owner's page of its Markdown. HTML in it is not taken: it could be left open, load from a host that is not
// declared or run what the policy keeps out, and slots have a place for it.
import { z } from "zod";
import type { TextPiece } from "../../site/theme/theme.ts";
import {
  type cell,
  escaped,
  imageOf,
  linkOf,
  type Making,
  type MarkdownFile,
  noteOn,
  type Token,
  token,
} from "./markdown-links.ts";

/** The parser is loaded where a theme has pages; what it gives is looked through as anything that comes from outside. */
const parserName = "marked";
const parserModule = z.object({
  lexer: z.custom<(text: string) => unknown>((value) => typeof value === "function"),
});

export interface MarkdownPage {
  readonly title: string;
  readonly description: string;
  readonly body: readonly TextPiece[];
}

export async function readMarkdown(
  source: MarkdownFile,
  parts: Pick<Making, "files" | "mistakes">,
): Promise<MarkdownPage | undefined> {
  const { lexer } = parserModule.parse(await import(parserName));
  const tokens = z.array(token).parse(lexer(source.text));
  const making = { ...source, ...parts };
  const [first, ...rest] = tokens.filter(({ type }) => type !== "space");
  if (first === undefined || first.type !== "heading" || first.depth !== 1) {
    parts.mistakes.note(
      source.file,
      1,
      "a page begins with its title: write it as `# Imprint` on the first line",
    );
    return undefined;
  }
  const opening = rest.find(({ type }) => type === "paragraph");
  return {
    title: plainText(first),
    description: (opening === undefined ? plainText(first) : plainText(opening)).slice(0, 160),
    body: joined(rest.flatMap((one) => blockOf(one, making))),
  };
}

/** Literal parts that follow each other are one. */
function joined(pieces: readonly TextPiece[]): TextPiece[] {
  const all: TextPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === "string" && typeof last === "string") all[all.length - 1] = last + piece;
    else all.push(piece);
  }
  return all;
}

function plainText({ text, tokens }: Pick<Token, "text" | "tokens">): string {
  return tokens.length === 0 ? text : tokens.map(plainText).join("");
}

type Pieces = readonly TextPiece[];

function around(tag: string, within: Pieces, attributes = ""): Pieces {
  return [`<${tag}${attributes}>`, ...within, `</${tag}>`];
}

function blockOf(one: Token, making: Making): Pieces {
  const inner = () => one.tokens.flatMap((child) => blockOf(child, making));
  switch (one.type) {
    case "heading":
      return around(`h${Math.min(Math.max(one.depth, 2), 6)}`, inlineOf(one.tokens, making));
    case "paragraph":
      return around("p", inlineOf(one.tokens, making));
    case "blockquote":
      return around("blockquote", inner());
    case "list": {
      const start =
        one.ordered && typeof one.start === "number" && one.start !== 1 ? ` start="${one.start}"` : "";
      const items = one.items.flatMap((item) =>
        around(
          "li",
          item.tokens.flatMap((child) => blockOf(child, making)),
        ),
      );
      return around(one.ordered ? "ol" : "ul", items, start);
    }
    case "table":
      return tableOf(one, making);
    case "code":
      return around("pre", [`<code>${escaped(one.text)}</code>`]);
    case "hr":
      return ["<hr />"];
    default:
      return inlineOf([one], making);
  }
}

function tableOf({ header, rows }: Token, making: Making): Pieces {
  const cells = (of: readonly z.infer<typeof cell>[], tag: string) =>
    around(
      "tr",
      of.flatMap(({ tokens }) => around(tag, inlineOf(tokens, making))),
    );
  const head = typeof header === "boolean" ? [] : cells(header, 'th scope="col"');
  const body = rows.flatMap((row) => cells(row, "td"));
  const opened = [...around("thead", head), ...around("tbody", body)];
  return around("table", opened).map((piece) =>
    typeof piece === "string" ? piece.replace('</th scope="col">', "</th>") : piece,
  );
}

const wrappers: Readonly<Record<string, string>> = { strong: "strong", em: "em", del: "del" };

function inlineOf(tokens: readonly Token[], making: Making): Pieces {
  return tokens.flatMap((one): Pieces => {
    const { type, text, tokens: children } = one;
    const wrapper = wrappers[type];
    if (wrapper !== undefined) return around(wrapper, inlineOf(children, making));
    switch (type) {
      case "text":
      case "escape":
        return children.length > 0 ? inlineOf(children, making) : [escaped(text)];
      case "codespan":
        return [`<code>${escaped(text)}</code>`];
      case "br":
        return ["<br />"];
      case "link":
        return linkOf(one, inlineOf(children, making), making);
      case "image":
        return imageOf(one, making);
      case "space":
      case "def":
      case "checkbox":
        return [];
      default:
        noteOn(
          one,
          making,
          "HTML and the like is not taken on a page: say it in Markdown, or put it into a slot",
        );
        return [];
    }
  });
}
