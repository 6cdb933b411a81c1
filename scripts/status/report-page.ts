// A run's report as one page that stands alone, for the operator: no text of a reading is in it, but why some were refused.
import type { RunProgress } from "../../readings/run-messages.ts";
import { minuteOf } from "../../readings/instant-words.ts";
import { type Content, html } from "../../site/html.ts";
import type { LeftOutPictures } from "../../vault/left-out-pictures.ts";
import { sumOfTallies } from "../../readings/tally.ts";
import { type Totals, totalsOf, durationWords } from "../terminal/progress.ts";
import { type EndedRun, earlierLines, refusedLines, spanWords, exitCodeOf } from "../terminal/run-words.ts";
import { exitCodes } from "../terminal/errors.ts";
import { operatorPage } from "../terminal/operator-page.ts";
import { figureOf } from "../terminal/output.ts";

/** A report of the vault, or the progress of a run that has no report yet. */
export type Reported = RunProgress & { readonly endedAt?: string };

/** `earlier`: the starts of the same run before it. */
export function reportPage(
  run: Reported,
  before: Reported | undefined,
  earlier: readonly EndedRun[] = [],
  leftOut?: LeftOutPictures,
): string {
  return operatorPage(
    run.run,
    html`<p class="${isGood(run) ? "good" : "poor"}">${wordsOf(run)}</p>
      ${run.failure !== undefined && html`<p class="poor">${run.failure}</p>`}
      ${figures(run, before)} ${byLanguage(run, before)} ${byOperation(run)} ${trouble(run, leftOut)}
      ${setAside(run)} ${publishes(run)} ${startedBefore(earlier)}`,
  );
}

/** Whether the run is good, by the same rule as the exit code. */
function isGood(run: Reported) {
  return exitCodeOf(run) === exitCodes.done && run.state === "done";
}

/** `done, but not whole: 2026-11-22 03:05 to 05:17 UTC, as of 2026-11-22 03:05`. */
function wordsOf(run: Reported) {
  const { state, asOf, startedAt, endedAt } = run;
  const how = state === "done" && !isGood(run) ? "done, but not whole" : state;
  const of = minuteOf(asOf);
  const when = endedAt === undefined ? `began ${minuteOf(startedAt)} UTC` : spanWords({ startedAt, endedAt });
  return `${how}: ${when}, as of ${of}`;
}

const totals = ({ languages }: Reported): Totals => totalsOf(Object.values(languages));

/** A figure that is not known while the run is under way. */
type Figure = number | undefined;

const rows: readonly (readonly [string, (run: Reported) => Figure, ((figure: number) => string)?])[] = [
  ["asked", ({ planned }) => planned],
  ["kept", (run) => totals(run).done - totals(run).setAside],
  ["held before", ({ held }) => held],
  ["asked again", (run) => totals(run).retried],
  ["set aside", (run) => totals(run).setAside],
  ["out of reach", ({ outOfReach }) => outOfReach],
  ["left out under the day's ceiling", ({ leftOut }) => leftOut],
  ["calls", (run) => totals(run).calls],
  ["publishes", ({ published }) => published.length],
  ["how long", secondsOf, durationWords],
];

function secondsOf({ startedAt, endedAt }: Reported): Figure {
  if (endedAt === undefined) return undefined;
  return (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
}

function figures(run: Reported, before: Reported | undefined) {
  const lines = rows.map(([name, of, words = figureOf]) => {
    const cell = (one: Reported) => {
      const figure = of(one);
      return figure === undefined ? "–" : words(figure);
    };
    return html`<tr>
      <th scope="row">${name}</th>
      <td>${cell(run)}</td>
      ${before !== undefined && html`<td class="before">${cell(before)}</td>`}
    </tr> `;
  });
  return html`<table>
    <caption>
      ${before === undefined ? "No run of its kind is known before it" : `Against ${before.run}`}
    </caption>
    <thead>
      <tr>
        <td></td>
        <th scope="col">this run</th>
        ${before !== undefined && html`<th scope="col">the one before</th>`}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table> `;
}

function byLanguage(run: Reported, before: Reported | undefined) {
  const lines = Object.entries(run.languages).map(([language, tally]) => {
    const was = Object.entries(before?.languages ?? {}).find(([name]) => name === language)?.[1];
    const again =
      before !== undefined && html`<td class="before">${was === undefined ? "–" : keptOf(was)}</td>`;
    return countsRow(language, totalsOf([tally]), again);
  });
  return countsTable("By language", lines, before !== undefined && html`<th scope="col">kept before</th>`);
}

function byOperation({ languages }: Reported) {
  const lines = Object.entries(sumOfTallies(Object.values(languages))).map(([name, counts]) =>
    countsRow(name, totalsOf([{ [name]: counts }]), false),
  );
  return countsTable("By operation", lines, false);
}

function keptOf(tally: Reported["languages"]["en"]) {
  const { done, setAside: aside } = totalsOf([tally]);
  return figureOf(done - aside);
}

function countsTable(title: string, lines: readonly Content[], more: Content) {
  const table = html`<div class="wide">
      <table>
        <thead>
          <tr>
            <td></td>
            <td></td>
            <th scope="col">asked</th>
            <th scope="col">kept</th>
            <th scope="col">again</th>
            <th scope="col">aside</th>
            ${more}
          </tr>
        </thead>
        <tbody>
          ${lines}
        </tbody>
      </table>
    </div>`;
  return section(title, lines, table);
}

function countsRow(name: string, { planned, done, retried, setAside: aside }: Totals, more: Content) {
  const kept = done - aside;
  return html`<tr>
    <th scope="row">${name}</th>
    <td><progress max="${Math.max(1, planned)}" value="${kept}" aria-label="${name}"></progress></td>
    <td>${figureOf(planned)}</td>
    <td>${figureOf(kept)}</td>
    <td>${retried === 0 ? "" : figureOf(retried)}</td>
    <td>${aside > 0 && html`<b>${figureOf(aside)}</b>`}</td>
    ${more}
  </tr> `;
}

function trouble({ refused, broken, damaged = [] }: Reported, leftOut: LeftOutPictures | undefined) {
  return listed("What went wrong", [
    ...Object.entries(broken).map(([language, why]) => `${language} broke off: ${why}`),
    ...refusedLines(refused),
    ...damaged.map(({ key, reason }) => html`<code>${key}</code> ${reason}`),
    ...(leftOut === undefined ? [] : [`${leftOut.seen}; ${leftOut.remedy}`]),
  ]);
}

function setAside(run: Reported) {
  const more = totals(run).setAside - run.setAside.length;
  return section("Set aside", run.setAside, [
    setAsideList(run),
    html`<p>${more > 0 && `${more} more. `}<code>almanac quarantine list</code> has them all.</p>`,
  ]);
}

function setAsideList({ setAside: aside }: Reported) {
  return list(aside.map(({ key, type, reason }) => html`<code>${key}</code> <b>${type}</b> ${reason}`));
}

function startedBefore(earlier: readonly EndedRun[]) {
  const runs = earlier.map(
    (one) =>
      html`<p>${earlierLines([one])}</p>
        ${one.setAside.length > 0 && setAsideList(one)} `,
  );
  return section("Started before", runs, runs);
}

function publishes({ published }: Reported) {
  return listed(
    "Published",
    published.map(({ version, languages }) => `version ${version}: ${languages.join(", ")}`),
  );
}

function listed(title: string, lines: readonly Content[]) {
  return section(title, lines, list(lines));
}

function list(lines: readonly Content[]) {
  return html`<ul>
    ${lines.map((line) => html`<li>${line}</li> `)}
  </ul>`;
}

/** Left out where there is nothing that it would be of. */
function section(title: string, of: readonly unknown[], content: Content) {
  if (of.length === 0) return undefined;
  return html`<section>
    <h2>${title}</h2>
    ${content}
  </section> `;
}
