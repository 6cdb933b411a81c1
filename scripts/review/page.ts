// Self-contained HTML page for an editor without a terminal: the texts of a language that are new on a date, with English next to each,
// the sentences that differ from the text before, and the command for each decision.
import type { NextStep } from "../../insight/set-states.ts";
import type { ReadField, ReadText } from "../../insight/set-texts.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { signNames } from "../../readings/sign-names.ts";
import type { Language, Operation } from "../../readings/tables.ts";
import { Address } from "../../site/address.ts";
import { directionOf, writersFor } from "../../site/formats.ts";
import { type Content, html, type Markup } from "../../site/html.ts";
import { labelsIn } from "../../site/labels.ts";
import { englishName } from "../reading/request.ts";
import { operatorPage } from "../terminal/operator-page.ts";

export interface SetToRead {
  readonly set: string;
  readonly operation: Operation;
  readonly steps: readonly NextStep[];
  readonly texts: readonly ReadText[];
}

export interface ToRead {
  readonly language: Language;
  readonly date: string;
  readonly sets: readonly SetToRead[];
  /** The operations whose texts stay the same on this date. */
  readonly unchanged: readonly Operation[];
}

export function editorPage({ language, date, sets, unchanged }: ToRead): string {
  const steps = sets.flatMap((one) => one.steps);
  return operatorPage(
    `${englishName(language)}, ${writersFor("en", "UTC").daily.format(new Date(date))}`,
    html`<p>
        These texts are new on this date. Sentences with a <span class="known">dotted underline</span> are also in the previous text. To
        decide, copy a command and send it to the person who runs the site.
      </p>
      ${steps.length === 0 ? html`<p>All texts are ready.</p>` : html`<h2>To decide</h2>${stepList(steps)}`}
      ${sets.length > 1 && html`<h2>Contents</h2><nav aria-label="Contents">${linkList(sets.map(({ set, operation }) => [set, names[operation]]))}</nav>`}
      ${sets.map((one) => setSection(one, language))}
      ${unchanged.length > 0 && html`<h2>Unchanged on this date</h2><p>${unchanged.map((one) => names[one]).join(", ")}</p>`}`,
    style,
  );
}

const names = labelsIn("en").operations;

function linkTo(id: string, words: Content): Markup {
  return html`<a href="${Address.own("#", id)}">${words}</a>`;
}

function linkList(links: readonly (readonly [id: string, words: Content])[]): Markup {
  return html`<ul>${links.map(([id, words]) => html`<li>${linkTo(id, words)}</li> `)}</ul>`;
}

function stepList(steps: readonly NextStep[]): Markup {
  const items = steps.map(
    ({ about, reason, command }) =>
      html`<li>${linkTo(about, about)}: ${reason}<br /><code>${command}</code></li> `,
  );
  return html`<ul>${items}</ul>`;
}

function setSection({ set, operation, steps, texts }: SetToRead, language: Language): Markup {
  const name = names[operation];
  const links = texts.map(({ key, request }) => [key, titleOf(request, language)] as const);
  return html`<section id="${set}">
    <h2>${name}</h2>
    ${steps.filter(({ about }) => about === set).map(({ reason }) => html`<p class="poor">${reason}</p>`)}
    ${links.length > 1 && html`<nav aria-label="${name}">${linkList(links)}</nav>`}
    ${texts.map((text) => article(text, steps, language))}
  </section> `;
}

/** Signs in both languages, the person, or the operation. */
function titleOf(request: ReadingRequest, language: Language): Content {
  if ("person" in request) return request.person;
  const signs = "sign" in request ? [request.sign] : "sign1" in request ? [request.sign1, request.sign2] : [];
  if (signs.length === 0) return names[request.operation];
  const namesIn = (one: Language) => signs.map((sign) => signNames[one][sign]).join(" + ");
  if (language === "en") return namesIn("en");
  return html`<span lang="${language}" dir="${directionOf(language)}">${namesIn(language)}</span> ${namesIn("en")}`;
}

function article(
  { key, request, refusal, isThere, fields }: ReadText,
  steps: readonly NextStep[],
  language: Language,
): Markup {
  const sentences = fields.flatMap(({ paragraphs }) => paragraphs.flat());
  const known = sentences.filter(({ isKnown }) => isKnown).length;
  const notes = [
    ...(refusal === undefined ? [] : [`in quarantine: ${refusal}`]),
    ...steps.filter(({ about }) => about === key && refusal === undefined).map(({ reason }) => reason),
    ...(isThere ? [] : ["the text cannot be read"]),
    ...(known === 0 ? [] : [`${known} of ${sentences.length} sentences are also in the previous text`]),
  ];
  return html`<article id="${key}">
    <h3>${titleOf(request, language)}</h3>
    ${notes.map((note) => html`<p class="poor">${note}</p>`)}
    ${fields.map((field, index) => fieldRow(field, fields[index - 1], language))}
    ${isThere && refusal === undefined && html`<p>To change this text: <code>almanac correct ${key} --field ... --reason "..."</code></p>`}
  </article> `;
}

function fieldRow(
  { field, isCorrected, name, paragraphs, english, englishName: otherName }: ReadField,
  before: ReadField | undefined,
  language: Language,
): Markup {
  const own = paragraphs.map((sentences) =>
    sentences.map(({ text, isKnown }) => (isKnown ? html`<span class="known">${text}</span>` : text)),
  );
  return html`<div class="field">
    <h4>${field.replace(/^sections\./, "")}${isCorrected && " (corrected)"}</h4>
    <div lang="${language}" dir="${directionOf(language)}">
      ${name !== before?.name && nameLine(name)}${own.map((one) => html`<p>${one}</p>`)}
    </div>
    ${
      english.length > 0 &&
      html`<div lang="en" class="before">
        ${otherName !== before?.englishName && nameLine(otherName)}${english.map((one) => html`<p>${one}</p>`)}
      </div>`
    }
  </div> `;
}

function nameLine(name: string | undefined): Content {
  return name !== undefined && html`<p class="name">${name}</p>`;
}

const style = `
main { max-width: 72rem; }
h3 { font-size: 1.1rem; margin: 2rem 0 .3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h4 { font-size: .9rem; font-weight: 400; color: var(--soft); margin: .6rem 0 0; grid-column: 1 / -1; }
p { max-width: 42rem; }
.field { display: grid; grid-template-columns: 1fr 1fr; column-gap: 2rem; }
.field p { margin: .2rem 0 .6rem; }
.field .name { font-weight: 600; }
.known { color: var(--soft); text-decoration: underline dotted var(--poor); text-underline-offset: .25em; }
code { user-select: all; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none; }
a { color: inherit; padding-block: .2rem; }
@media (max-width: 44rem) { .field { grid-template-columns: 1fr; } }
@media print { nav { display: none; } h3, h4 { break-after: avoid; } }
`;
