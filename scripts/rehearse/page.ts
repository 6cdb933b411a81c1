// Self-contained HTML page of a rehearsal, for the operator: the answers, a chart, and the figures behind them.
import { headOf, languageHead, languageRows, verdictsOf, type Rehearsal } from "./results.ts";
import { operatorPage, pageTable } from "../terminal/operator-page.ts";
import { html, type Markup } from "../../site/html.ts";

const pictureStyle = `
dt { font-weight: 600; margin-top: .8rem; }
dd { margin: 0; }
figure { margin: 1.5rem 0; }
figcaption { color: var(--soft); font-size: .9rem; max-width: 32rem; }
svg { display: block; width: 100%; max-width: 32rem; height: auto; margin-bottom: .5rem; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); font-size: 10px; }
.there { fill: var(--good); background: var(--good); }
.behind { fill: var(--behind); background: var(--behind); }
.missed { fill: var(--missed); background: var(--missed); }
.key { display: inline-block; width: .7em; height: .7em; }
:root { --good: light-dark(#7ba487, #5f9775); --behind: light-dark(#e0a458, #d6b04c);
  --missed: light-dark(#9a3412, #f0654d); }
.scrolled { overflow-x: auto; }
`;

export function rehearsalPage(of: Rehearsal): string {
  return operatorPage(
    `Rehearsal of ${of.wish.configuration.site.name}`,
    html`<p>${headOf(of)}.</p>
      <dl>
        ${verdictsOf(of).map(
          ({ question, isWell, answer }) =>
            html`<dt>${question}</dt>
              <dd class="${isWell ? "good" : "poor"}">${answer}</dd> `,
        )}
      </dl>
      ${daysPicture(of)}
      <h2>By language</h2>
      <div class="scrolled">${pageTable(["", ...languageHead.slice(1)], languageRows(of))}</div>`,
    pictureStyle,
  );
}

// The chart is as wide as a phone, so that its text is legible there.

const width = 360;
const left = 30;
const rowHeight = 15;
const top = 20;
const plotted = width - left - 6;

/** Chart of the pages that changed in time: a row per language, a column per day. */
function daysPicture({ figures }: Rehearsal): Markup | undefined {
  const rows = figures.languages.filter(({ days }) => days > 0);
  const days = Math.max(0, ...rows.map((row) => row.days));
  if (days === 0) return undefined;
  const height = top + rows.length * rowHeight;
  const cell = plotted / days;
  const gap = cell > 4 ? 1 : 0;
  const dates = rows[0]?.midnights.slice(1).map(({ date }) => date) ?? [];
  const named = [0, Math.floor(days / 2), days - 1].filter((day, at, all) => all.indexOf(day) === at);
  const names = named.map((day, at) => {
    const anchor = at === 0 ? "start" : at === named.length - 1 ? "end" : "middle";
    const x = at === 0 ? left : at === named.length - 1 ? left + plotted : left + (day + 0.5) * cell;
    return html`<text class="soft" x="${round(x)}" y="11" text-anchor="${anchor}">${dates[day]?.slice(5) ?? ""}</text> `;
  });
  const cells = rows.map(({ language, midnights }, index) => {
    const y = top + index * rowHeight;
    return html`<text x="0" y="${y + 10}">${language}</text> ${midnights
      .slice(1)
      .map(({ dueAt, wholeAt }, day) => {
        const kind = wholeAt === null ? "missed" : wholeAt > dueAt ? "behind" : "there";
        return html`<rect class="${kind}" x="${round(left + day * cell)}" y="${y}" width="${round(cell - gap)}" height="${rowHeight - 3}" />`;
      })} `;
  });
  return html`<figure>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="For each language and day, whether its page changed in time">
      ${names} ${cells}
    </svg>
    <figcaption>
      Each language's days: <span class="key there"></span> changed at its midnight,
      <span class="key behind"></span> came later, <span class="key missed"></span> never had a page of its own.
    </figcaption>
  </figure> `;
}

function round(figure: number) {
  return Math.round(figure * 100) / 100;
}
