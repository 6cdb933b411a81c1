// The type of a page, and pieces that several pages have; document.ts puts head, masthead and footer around a page.
import { type PeriodKind, spanOf } from "../readings/periods.ts";
import type { Sign } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { moon } from "./drawings.ts";
import { type Content, html, type Markup } from "./html.ts";
import type { Crumb } from "./breadcrumbs.ts";
import type { TreePath } from "./tree.ts";

export interface Page {
  readonly at: TreePath;
  /** The path under which search engines are to know the page, when it isn't its own. */
  readonly canonical?: TreePath;
  readonly kind: "website" | "article";
  readonly title: string;
  readonly description: string;
  /** The sign whose colour the page has. */
  readonly sign?: Sign;
  /** The period of the text, which also stands in the masthead. */
  readonly dateline?: Content;
  readonly body: Content;
  /** The way from the front page to this one; none for the front page itself. */
  readonly trail?: readonly Crumb[];
  /** The sign whose picture is shown where the page is shared; without one the site's picture. */
  readonly picture?: Sign;
  /** When the newest reading on the page was received. */
  readonly receivedAt?: string;
  /** Whether search engines are to pass the page over. */
  readonly isHidden?: boolean;
  /** The sign whose own feed the page links to. */
  readonly feed?: Sign;
  /** The path of the page's data. */
  readonly data?: TreePath;
}

/** A day with its moon, or another period. */
export function dateline(context: Context, kind: PeriodKind, key: string): Markup {
  return html`${kind === "daily" && moon(key)}<time datetime="${spanOf(kind, key).first}"
      >${context.formats.period(kind, key)}</time
    >`;
}

/** When a text came, in the language's words. */
export function received({ labels, formats }: Context, receivedAt: string): Markup {
  const [before = "", after = ""] = labels.received.split("{time}");
  return html`${before}<time datetime="${receivedAt}">${formats.time(receivedAt)}</time>${after}`;
}

/** A heading that stands between sections like a printed title. */
export function sectionTitle(text: string): Markup {
  return html`<h2 class="title">${text}</h2>`;
}

export function paragraphs(texts: readonly string[]): Markup[] {
  return texts.map((text) => html`<p>${text}</p>`);
}
