// The owner's own pages: an imprint, privacy, an article. They stand in the frame of all pages, which leads to them.
import type { Language } from "../readings/languages.ts";
import { pageDraft } from "./document.ts";
import type { Draft } from "./draft.ts";
import { html, ownMarkup } from "./html.ts";
import type { Context } from "./page-context.ts";
import type { Page } from "./page.ts";
import type { OwnPage } from "./theme/theme.ts";

export function ownPageDrafts(language: Language, pages: readonly OwnPage[]): Draft[] {
  return pages
    .filter(({ at }) => at.language === language)
    .map((page) => pageDraft(page.at, (context) => ownPage(context, page)));
}

function ownPage(context: Context, { title, description, body }: OwnPage): Page {
  const text = body.map((piece) => {
    if (typeof piece === "string") return piece;
    if ("file" in piece) return context.address(piece.file).href;
    return piece.value === "root" ? context.root : context.language;
  });
  return {
    trail: [{ name: title }],
    kind: "website",
    title,
    description,
    body: html`<header class="hero"><h1>${title}</h1></header>
      <div class="prose own">${ownMarkup(text.join(""))}</div>`,
  };
}
