// The way from the front page to a page, as a line above the text; structured-data.ts has the same for search engines.
import type { Context } from "./page-context.ts";
import { html, type Markup } from "./html.ts";
import type { TreePath } from "./tree.ts";

export interface Crumb {
  readonly name: string;
  readonly at: TreePath;
}

/** The way from the front page over the published ones of these to the page itself, which is the last. */
export function trailTo(context: Context, ...crumbs: readonly Crumb[]): readonly Crumb[] {
  const front: Crumb = {
    name: context.labels.frontPage,
    at: { row: "frontPage", language: context.language },
  };
  return [front, ...crumbs].filter(({ at }) => context.has(at));
}

export function trailLine(context: Context, trail: readonly Crumb[]): Markup | undefined {
  const here = trail.at(-1);
  if (here === undefined) return undefined;
  return html`<nav class="trail small" aria-label="${context.labels.trail}">
    <ol>
      ${trail.slice(0, -1).map(({ name, at }) => html`<li>${context.linkTo(at, name)}</li>`)}
      <li><span aria-current="page">${here.name}</span></li>
    </ol>
  </nav>`;
}
