// Self-contained HTML page of a run's report, for the operator. It contains the reasons for refusals, but no reading text.
import { minuteOf } from "../../readings/calendar.ts";
import type { RunProgress } from "../../readings/run-messages.ts";
import { sumOfTallies } from "../../readings/tally.ts";
import { type Content, html } from "../../site/html.ts";
import type { LeftOutPictures } from "../../vault/site-notes.ts";
import { exitCodes } from "../terminal/errors.ts";
import { operatorPage, pageTable } from "../terminal/operator-page.ts";
import { figureOf } from "../terminal/output.ts";
import { durationWords, type Totals, totalsOf } from "../terminal/progress.ts";
import { earlierLines, type EndedRun, exitCodeOf, refusedLines, spanWords } from "../terminal/run-words.ts";

/** A report of the vault, or the progress of a run that has no report yet. */
export type Reported = RunProgress & { readonly endedAt?: string };

/** `before` is the run of its kind before it; `earlier` are the starts of the same run before this one. */
export function reportPage(
  run: Reported,
  before: Reported | undefined,
  earlier: readonly EndedRun[] = [],
  leftOut?: LeftOutPictures,
): string {
  const { state, asOf, startedAt, endedAt, failure, published } = run;
  const isGood = exitCodeOf(run) === exitCodes.done && state === "done";
  const how = state === "done" && !isGood ? "done, but incomplete" : state;
  const when = endedAt === undefined ? `began ${minuteOf(startedAt)} UTC` : spanWords({ startedAt, endedAt });
  return operatorPage(
    run.run,
    html`<p class="${isGood ? "good" : "poor"}">${how}: ${when}, as of ${minuteOf(asOf)}</p>
      ${failure !== undefined && html`<p class="poor">${failure}</p>`} ${figuresTable(run, before)}
      ${countsTable("By language", languageRows(run, before), before !== undefined)}
      ${countsTable("By operation", operationRows(run), false)}
      ${section("What went wrong", list(trouble(run, leftOut)))} ${section("Skipped", skippedSection(run))}
      ${section("Published", list(published.map((one) => `version ${one.version}: ${one.languages.join(", ")}`)))}
      ${section(
        "Started before",
        earlier.map(
          (one) => html`<p>${earlierLines([one])}</p>
          ${list(skippedItems(one))} `,
        ),
      )}`,
  );
}

/** Undefined without content. */
function section(title: string, content: Content) {
  if (content === undefined || (Array.isArray(content) && content.length === 0)) return undefined;
  return html`<section>
    <h2>${title}</h2>
    ${content}
  </section> `;
}

function list(items: readonly Content[]) {
  if (items.length === 0) return undefined;
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li> `)}
  </ul>`;
}

function figuresTable(run: Reported, before: Reported | undefined) {
  const figuresBefore = before && figuresOf(before);
  const rows = figuresOf(run).map(
    ([name, figure], index) => [name, figure, beforeCell(figuresBefore?.[index]?.[1])] as const,
  );
  return before === undefined
    ? pageTable(["", "this run"], rows, "No earlier run of this kind is known")
    : pageTable(["", "this run", "the previous run"], rows, `Compared with ${before.run}`);
}

function beforeCell(figure = "–") {
  return html`<span class="before">${figure}</span>`;
}

function figuresOf(run: Reported): readonly (readonly [name: string, figure: string])[] {
  const { planned, languages, held, outOfReach, leftOut, published, startedAt, endedAt } = run;
  const { done, retried, skipped, calls } = totalsOf(Object.values(languages));
  const counts: readonly (readonly [string, number])[] = [
    ["requested", planned],
    ["stored", done - skipped],
    ["already stored", held],
    ["retried", retried],
    ["skipped", skipped],
    ["out of reach", outOfReach],
    ["left out over the daily ceiling", leftOut],
    ["calls", calls],
    ["published", published.length],
  ];
  const seconds = endedAt === undefined ? undefined : (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return [
    ...counts.map(([name, count]) => [name, figureOf(count)] as const),
    ["duration", seconds === undefined ? "–" : durationWords(seconds)], // not known while it is under way
  ];
}

function languageRows(run: Reported, before: Reported | undefined) {
  const then: Readonly<Record<string, Reported["languages"]["en"]>> = before?.languages ?? {};
  return Object.entries(run.languages).map(([language, tally]) => {
    const known = then[language] && totalsOf([then[language]]);
    const stored = known && figureOf(known.done - known.skipped);
    return countsRow(language, totalsOf([tally]), beforeCell(stored));
  });
}

function operationRows({ languages }: Reported) {
  const sums = Object.entries(sumOfTallies(Object.values(languages)));
  return sums.map(([name, counts]) => countsRow(name, totalsOf([{ [name]: counts }])));
}

function countsRow(name: string, { planned, done, retried, skipped }: Totals, before?: Content) {
  const stored = done - skipped;
  return [
    name,
    html`<progress max="${Math.max(1, planned)}" value="${stored}" aria-label="${name}"></progress>`,
    figureOf(planned),
    figureOf(stored),
    retried > 0 && figureOf(retried),
    skipped > 0 && html`<b>${figureOf(skipped)}</b>`,
    before,
  ] as const;
}

function countsTable(title: string, rows: Parameters<typeof pageTable>[1], hasBefore: boolean) {
  if (rows.length === 0) return undefined;
  const headings = [
    "",
    "",
    "requested",
    "stored",
    "retried",
    "skipped",
    ...(hasBefore ? ["stored before"] : []),
  ];
  return section(title, html`<div class="wide">${pageTable(headings, rows)}</div>`);
}

function trouble(
  { refused, broken, damaged = [], rejectedSets = [] }: Reported,
  leftOut: LeftOutPictures | undefined,
): Content[] {
  return [
    ...Object.entries(broken).map(([language, why]) => `${language} ended early: ${why}`),
    ...refusedLines(refused),
    ...damaged.map(({ key, reason }) => html`<code>${key}</code> ${reason}`),
    ...rejectedSets.map(
      ({ key, reason }) => html`<code>${key}</code> was accepted, but its set is rejected: ${reason}`,
    ),
    ...(leftOut === undefined ? [] : [`${leftOut.seen}; ${leftOut.remedy}`]),
  ];
}

function skippedSection(run: Reported): Content {
  const items = skippedItems(run);
  if (items.length === 0) return undefined;
  const more = totalsOf(Object.values(run.languages)).skipped - items.length;
  return [
    list(items),
    html`<p>${more > 0 && `${more} more. `}<code>almanac quarantine list</code> has them all.</p>`,
  ];
}

function skippedItems({ skipped }: Pick<Reported, "skipped">) {
  return skipped.map(({ key, type, reason }) => html`<code>${key}</code> <b>${type}</b> ${reason}`);
}
