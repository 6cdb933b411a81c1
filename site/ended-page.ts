// The pages of an operation that the configuration no longer has. Bookmarks, letters and dated pages still lead to its current
// pages, so these stay, without a text and hidden from search engines, and lead to the archive; its feeds stay, empty.
import type { Language } from "../readings/languages.ts";
import type { PeriodKind } from "../readings/periods.ts";
import { type Sign, signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import type { Draft } from "./draft.ts";
import type { EndedHoroscope } from "./edition.ts";
import { emptyFeeds } from "./feed.ts";
import { html } from "./html.ts";
import { pageDraft } from "./document.ts";
import { type Page, signHero } from "./page.ts";
import { periodLinks } from "./sign-page.ts";
import { stripInPieces } from "./sign-strip.ts";
import type { TreePath } from "./tree.ts";

export function endedDrafts(language: Language, ended: readonly EndedHoroscope[]): Draft[] {
  return ended.flatMap(({ kind, month }) => [
    ...signs.map((sign) =>
      pageDraft({ row: "signPage", language, kind, sign }, (context) =>
        endedPage(context, kind, sign, month),
      ),
    ),
    ...(kind === "daily" ? emptyFeeds(language) : []),
  ]);
}

function endedPage(context: Context, kind: PeriodKind, sign: Sign, month: string | undefined): Page {
  const { language, labels, formats } = context;
  const name = context.signNames[sign];
  const operation = labels.operations[`${kind}-horoscope`];
  const archive = (of: Sign): TreePath => ({ row: "archivePage", language, sign: of, month: month ?? "" });
  return {
    kind: "website",
    isHidden: true,
    title: `${name} · ${operation}`,
    description: `${name} · ${labels.archive}`,
    sign,
    trail: [{ name }],
    body: [
      ...stripInPieces(context, labels.signs, sign, archive),
      html`
      ${signHero(context, sign, operation)}
      ${periodLinks(context, sign)}
      ${
        month !== undefined &&
        html`<p class="onward">
          ${context.linkTo({ row: "archivePage", language, sign, month }, `${labels.archive} · ${formats.period("monthly", month)}`)}
        </p>`
      }`,
    ],
  };
}
