// The way from the front page to a page, as a line above the text; structured-data.ts has the same for search engines.
import type { Context } from "./page-context.ts";
import { html, type Markup } from "./html.ts";
import type { Page, PlacedPage, Step } from "./page.ts";
import type { TreePath } from "./tree.ts";

/** The way from the front page over the published steps to the page itself, which is the last; empty for a page without one. */
export function trailTo(context: Context, own: TreePath, { trail }: Page): Required<Step>[] {
  const { labels, language } = context;
  if (trail === undefined) return [];
  const steps: Step[] = [{ name: labels.frontPage, at: { row: "frontPage", language } }, ...trail];
  return steps.map(({ name, at = own }) => ({ name, at })).filter(({ at }) => at === own || context.has(at));
}

export function trailLine(context: Context, { trail }: PlacedPage): Markup | undefined {
  const here = trail.at(-1);
  if (here === undefined) return undefined;
  return html`<nav class="trail small" aria-label="${context.labels.trail}">
    <ol>
      ${trail.slice(0, -1).map(({ name, at }) => html`<li>${context.linkTo(at, name)}</li>`)}
      <li><span aria-current="page">${here.name}</span></li>
    </ol>
  </nav>`;
}
