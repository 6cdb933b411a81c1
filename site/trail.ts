// The way from the front page to a page: a quiet line above the text, and the same for search engines in structured.ts.
import type { Context } from "./context.ts";
import { html, type Markup } from "./html.ts";
import { frontPath } from "./paths.ts";

export interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** From the front page over what is there to the page itself, which is the last. */
export function trailTo(context: Context, ...crumbs: readonly Crumb[]): readonly Crumb[] {
  const front = { name: context.labels.frontPage, path: frontPath(context.language) };
  return [front, ...crumbs].filter(({ path }) => context.has(path));
}

export function trailLine(context: Context, trail: readonly Crumb[]): Markup | undefined {
  const here = trail.at(-1);
  if (here === undefined) return undefined;
  return html`<nav class="trail small" aria-label="${context.labels.trail}">
    <ol>
      ${trail.slice(0, -1).map(({ name, path }) => html`<li>${context.linkTo(path, name)}</li>`)}
      <li><span aria-current="page">${here.name}</span></li>
    </ol>
  </nav>`;
}
