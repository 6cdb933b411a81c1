// A rehearsal as one page that stands alone, for the operator: the answers, two pictures, and the figures behind them.
import { html, type Markup } from "../../site/html.ts";
import { figureOf } from "../terminal/output.ts";
import { durationWords } from "../terminal/progress.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { daysPicture, nightPicture } from "./picture.ts";
import { ageWords, headOf } from "./print.ts";
import { verdictsOf } from "./verdicts.ts";
import { operatorPage } from "../terminal/operator-page.ts";

const pictureStyle = `
dt { font-weight: 600; margin-top: .8rem; }
dd { margin: 0; }
figure { margin: 1.5rem 0; }
figcaption { color: var(--soft); font-size: .9rem; max-width: 32rem; }
svg { display: block; width: 100%; max-width: 32rem; height: auto; margin-bottom: .5rem; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); font-size: 10px; }
svg .grid { stroke: var(--line); }
svg .away { fill: light-dark(#e7dfcd, #2b2f45); }
svg .wait { stroke: var(--line); stroke-width: 2; stroke-dasharray: 2 3; }
svg .worst { stroke: var(--good); stroke-width: 2; }
svg .usual { stroke: var(--good); stroke-width: 7; }
svg .late { stroke: var(--poor); }
svg .due { stroke: var(--ink); stroke-width: 2; }
.there { fill: var(--good); background: var(--good); }
.behind { fill: var(--behind); background: var(--behind); }
.missed { fill: var(--missed); background: var(--missed); }
.key { display: inline-block; width: .7em; height: .7em; }
:root { --good: light-dark(#7ba487, #5f9775); --behind: light-dark(#e0a458, #d6b04c);
  --missed: light-dark(#9a3412, #f0654d); }
.scrolled { overflow-x: auto; }
summary { cursor: pointer; margin: 2rem 0 .5rem; font-weight: 600; }
`;

export function rehearsalPage(of: Rehearsal): string {
  return operatorPage(
    `A rehearsal of ${of.wish.configuration.site.name}`,
    html`<p>${headOf(of)}.</p>
      <dl>
        ${verdictsOf(of).map(
          ({ question, isWell, answer }) =>
            html`<dt>${question}</dt>
              <dd class="${isWell ? "good" : "poor"}">${answer}</dd> `,
        )}
      </dl>
      ${nightPicture(of)} ${daysPicture(of)} ${languagesTable(of)} ${nightsTable(of)}`,
    pictureStyle,
  );
}

function languagesTable({ figures }: Rehearsal) {
  const rows = figures.languages.map(
    ({ language, late, days, overdueSeconds, ageSeconds, lost, calls }) =>
      html`<tr>
        <th scope="row">${language}</th>
        <td>${late > 0 ? html`<b>${late}</b> of ${days}` : ""}</td>
        <td>${overdueSeconds > 0 && durationWords(overdueSeconds)}</td>
        <td>${ageWords(ageSeconds?.usual, days)}</td>
        <td>${ageWords(ageSeconds?.worst, days)}</td>
        <td>${lost > 0 && html`<b>${figureOf(lost)}</b>`}</td>
        <td>${figureOf(calls)}</td>
      </tr> `,
  );
  return table(
    "By language",
    ["", "days late", "by at most", "usual age", "worst age", "lost", "calls"],
    rows,
  );
}

function nightsTable({ figures }: Rehearsal) {
  const hasBudget = figures.budgetLeft !== undefined;
  const rows = figures.nights.map(
    ({ asOf, planned, calls, unanswered, refused, unfinished, leftOut, seconds, budgetLeft }) =>
      html`<tr>
        <th scope="row">${asOf.slice(0, 10)}</th>
        <td>${figureOf(planned)}</td>
        <td>${figureOf(calls)}</td>
        <td>${unanswered > 0 && figureOf(unanswered)}</td>
        <td>${refused > 0 && figureOf(refused)}</td>
        <td>${unfinished + leftOut > 0 && html`<b>${figureOf(unfinished + leftOut)}</b>`}</td>
        <td>${durationWords(seconds)}</td>
        ${hasBudget && html`<td>${figureOf(budgetLeft ?? 0)}</td>`}
      </tr> `,
  );
  const heads = ["", "asked", "calls", "no answer", "refused", "left for later", "how long"];
  return html`<details>
    <summary>Each night</summary>
    ${table("", hasBudget ? [...heads, "budget left"] : heads, rows)}
  </details> `;
}

function table(title: string, heads: readonly string[], rows: readonly Markup[]) {
  return html`<section>
    ${title !== "" && html`<h2>${title}</h2>`}
    <div class="scrolled">
      <table>
        <thead>
          <tr>
            ${heads.map((head) => (head === "" ? html`<td></td>` : html`<th scope="col">${head}</th>`))}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </section> `;
}
