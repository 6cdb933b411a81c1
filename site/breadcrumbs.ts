// The way from the front page to a page, as a line above the text; structured-data.ts has the same for search engines.
import type { Context } from "./page-context.ts";
import { html, type Markup } from "./html.ts";
import type { PlacedPage, Step } from "./page.ts";

/** The way from the front page over the published steps to the page itself, which is the last; empty for a page without one. */
export function trailTo(context: Context, { at: own, trail }: PlacedPage): Required<Step>[] {
  const { labels, language } = context;
  if (trail === undefined) return [];
  const steps: Step[] = [{ name: labels.frontPage, at: { row: "frontPage", language } }, ...trail];
  return steps.map(({ name, at = own }) => ({ name, at })).filter(({ at }) => context.has(at));
}

export function trailLine(context: Context, page: PlacedPage): Markup | undefined {
  const trail = trailTo(context, page);
  const here = trail.pop();
  if (here === undefined) return undefined;
  return html`<nav class="trail small" aria-label="${context.labels.trail}">
    <ol>
      ${trail.map(({ name, at }) => html`<li>${context.linkTo(at, name)}</li>`)}
      <li><span aria-current="page">${here.name}</span></li>
    </ol>
  </nav>`;
}
