// Accessibility fixes for the generator's pages: wide tables scroll with the keyboard too, and Mermaid diagrams become pictures for
// the light and the dark scheme.
import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

export function readable(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table">\n<table>\n';
  rules.table_close = () => "</table>\n</div>\n";
  const inline = rules.code_inline;
  rules.code_inline = (tokens, at, ...others) => {
    tokens[at]?.attrSet("v-pre", ""); // two braces are a placeholder of a theme's file here, not of the generator
    return inline?.(tokens, at, ...others) ?? "";
  };
  const code = rules.fence;
  rules.fence = (tokens, at, options, env, self) => {
    const token = tokens[at];
    if (token?.info.trim() === "mermaid") return drawing(token.content, headingBefore(tokens, at));
    return code?.(tokens, at, options, env, self) ?? "";
  };
}

type Tokens = readonly { readonly type: string; readonly content: string }[];

function headingBefore(tokens: Tokens, at: number): string {
  const heading = tokens.slice(0, at).findLastIndex(({ type }) => type === "heading_open");
  return tokens[heading + 1]?.content ?? "";
}

/** Draws diagrams as pictures, in their original size, because a page of the generator can't contain their styles. */
function drawing(text: string, name: string): string {
  const looks = {
    light: { bg: "#ffffff", fg: "#24242a", line: "#5c5c66", muted: "#5c5c66", border: "#8a8a94" },
    dark: { bg: "#1b1b1f", fg: "#ecece6", line: "#a8a8b2", muted: "#b4b4bd", border: "#84848f" },
  };
  const pictures = Object.entries(looks).map(([look, colors]) => {
    const svg = renderMermaidSVG(text, { ...colors, transparent: true, font: "system-ui" });
    const data = Buffer.from(svg).toString("base64");
    return `<img class="only-${look}" alt="${name}, drawn" src="data:image/svg+xml;base64,${data}">`;
  });
  return `<div class="wide" tabindex="0" role="group" aria-label="${name}, drawn">${pictures.join("")}</div>\n`;
}
