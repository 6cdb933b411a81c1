// The status of each language of the site, as data and as a page. It has instants and no ages, which a reader works out, so that
// the files stay the same as long as nothing newer is published.
import { type Language, languageNames } from "../readings/languages.ts";
import { type Operation, operations } from "../readings/operations.ts";
import { isPeriodKind, periodOf } from "../readings/calendar.ts";
import type { LanguageDocument, LanguageStatus } from "./data.schema.ts";
import { renderData } from "./data.ts";
import type { Draft } from "./draft.ts";
import { directionOf, Formats } from "./formats.ts";
import { type Content, html } from "./html.ts";
import type { Context } from "./page-context.ts";
import { pageDraft } from "./pages/document.ts";
import type { Page } from "./pages/page.ts";

/** The editions that a language of the site should have. */
export interface Expected {
  readonly language: Language;
  readonly zone: string;
  readonly operations: readonly Operation[];
  /** When the language's newest edition was published, where that is known. */
  readonly publishedAt?: string;
}

export function statusesOf(
  expected: readonly Expected[],
  summaries: readonly LanguageDocument[],
): LanguageStatus[] {
  return languageNames.flatMap((name) => {
    const own = expected.find(({ language }) => language === name);
    return own === undefined
      ? []
      : statusOf(
          own,
          summaries.find(({ language }) => language === name),
        );
  });
}

function statusOf(
  { language, zone, operations: wanted, publishedAt }: Expected,
  summary: LanguageDocument | undefined,
): LanguageStatus {
  const { newest = {}, date, nextAt } = summary ?? {};
  const missing = wanted.flatMap((operation) => {
    const { due } = operations[operation];
    const period = date !== undefined && isPeriodKind(due) ? periodOf(due, date) : undefined;
    const shown = newest[operation];
    if (shown !== undefined && (period === undefined || shown >= period)) return [];
    return [period === undefined ? { operation } : { operation, period }];
  });
  return { language, zone: summary?.zone ?? zone, date, publishedAt, nextAt, newest, missing };
}

export function statusDrafts(languages: LanguageStatus[]): Draft[] {
  return [
    { at: { row: "status" }, render: (context) => renderData(context, "status", { languages }) },
    pageDraft({ row: "statusPage" }, (context) => statusPage(context, languages)),
  ];
}

function statusPage(context: Context, languages: readonly LanguageStatus[]): Page {
  const { status } = context.labels;
  return {
    trail: [{ name: status.title }],
    kind: "website",
    title: status.title,
    description: `${status.title} · ${context.settings.name}`,
    data: { row: "status" },
    body: html`<header class="hero"><h1>${status.title}</h1></header>
      <div class="text columns">${languages.map((language) => section(context, language))}</div>`,
  };
}

/** Times in UTC, so that languages can be compared. */
function section(context: Context, { language, zone, date, publishedAt, nextAt, missing }: LanguageStatus) {
  const { labels, formats } = context;
  const { status } = labels;
  const own = new Formats(language, zone).languageName();
  const clock = new Formats(context.language, "UTC");
  const instant = (at: string | undefined) =>
    at !== undefined && html`<time datetime="${at}">${clock.time(at)} UTC</time>`;
  const absent = [...new Set(missing.map(({ operation }) => labels.operations[operation]))];
  const line = (word: string, content: Content) =>
    content !== false &&
    html`<div>
      <dt>${word}</dt>
      <dd>${content}</dd>
    </div>`;
  return html`<section>
    <h2>
      <bdi lang="${language}" dir="${directionOf(language)}"
        >${context.linkTo({ row: "frontPage", language }, own) ?? own}</bdi
      >
    </h2>
    <dl>
      ${line(status.edition, date !== undefined && formats.date(date))}
      ${line(status.published, instant(publishedAt))} ${line(status.next, instant(nextAt))}
      ${line(status.missing, absent.length > 0 && formats.list(absent))}
    </dl>
  </section>`;
}
