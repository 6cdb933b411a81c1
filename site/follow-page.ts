// How new texts come to a reader by themselves: the feeds of all signs and of each, and the day's letter.
import { signs } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { html } from "./html.ts";
import { nothingYet, type Page } from "./page.ts";
import type { TreePath } from "./tree.ts";

/** `date`: of the newest letter, where there is one. */
export function followPage(context: Context, date: string | undefined): Page {
  const { language, labels } = context;
  const { follow } = labels;
  const letter = date && context.linkTo({ row: "letter", language, date }, follow.letterText);
  const feeds = [
    line(context, labels.signs, { row: "rss", language }, { row: "feed", language }),
    ...signs.map((sign) =>
      line(
        context,
        context.signNames[sign],
        { row: "signRss", language, sign },
        { row: "signFeed", language, sign },
      ),
    ),
  ];
  const isEmpty = letter === undefined && feeds.every((feed) => feed === undefined);
  const ways = html`<div class="prose text">
    <p>${follow.text}</p>
    ${
      letter &&
      html`<section>
        <h2>${follow.letter}</h2>
        <p>${letter}</p>
      </section>`
    }
    <section>
      <h2>${follow.feeds}</h2>
      <p>${follow.feedsText}</p>
      <dl class="feeds">${feeds}</dl>
    </section>
  </div>`;
  return {
    trail: [{ name: follow.title }],
    kind: "website",
    title: follow.title,
    description: follow.text,
    body: html`<header class="hero"><h1>${follow.title}</h1></header>
      ${isEmpty ? nothingYet(context) : ways}`,
  };
}

/** The two forms are named as all feed readers name them. */
function line(context: Context, name: string, rss: TreePath, json: TreePath) {
  const links = [context.linkTo(rss, "RSS"), context.linkTo(json, "JSON Feed")];
  if (links.every((link) => link === undefined)) return undefined;
  return html`<div>
    <dt>${name}</dt>
    <dd lang="en" dir="ltr">${links[0]} ${links[1]}</dd>
  </div>`;
}
