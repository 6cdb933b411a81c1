// The drafts of one set: its dated paths always, the current paths while the set is current.
import { type Language, operations, type Sign, signs } from "../readings/tables.ts";
import { shiftPeriod } from "../readings/calendar.ts";
import type { HoroscopeReading, Reading } from "../readings/reading.schema.ts";
import type { CardReading } from "./data.schema.ts";
import { factsOf, renderData, timesOf, timesOfOne } from "./data.ts";
import type { Draft, Rendered, Context } from "./context.ts";
import {
  horoscopesIn,
  inSignOrder,
  type Received,
  type ReceivedHoroscope,
  type ReadingSet,
} from "./edition.ts";
import { html } from "./html.ts";
import { newsletterDrafts } from "./newsletter/newsletter.ts";
import { animalPage, type AnimalReading, cardPage } from "./pages/card-pages.ts";
import { headStart, noIndex, pageDraft } from "./pages/document.ts";
import { openingOf, signHero } from "./pages/page.ts";
import { pairPage, type PairReading } from "./pages/pair-pages.ts";
import {
  type SignContent,
  signContent,
  signPage,
  type SignPath,
  withdrawnContent,
} from "./pages/sign-page.ts";
import { cardsIn } from "./seen-cards.ts";
import { framedDress, policyOf } from "./style.ts";
import type { TreePath } from "./tree.ts";

/** `others`: the sets that are rendered together. A page of cards shows the previous day's. */
export function draftsOfSet(
  language: Language,
  set: ReadingSet,
  others: readonly ReadingSet[] = [],
): Draft[] {
  const facts = factsOf(set);
  const drafts = set.readings.flatMap(({ reading, ...times }) => {
    requireOwn(language, set, reading);
    if (reading.family === "horoscope") return [];
    return otherDrafts({ reading, ...times }, set.current, facts, others);
  });
  return [...drafts, ...horoscopeDrafts(language, set, horoscopesIn(set.readings), facts)];
}

/** Throws for a reading with another language or period than its set. */
function requireOwn(language: Language, { operation, period }: ReadingSet, reading: Reading) {
  if (reading.language === language && reading.operation === operation && reading.period === period) return;
  throw new Error(
    `the set ${language} ${operation} ${period} contains a reading of ${reading.language} ${reading.operation} ` +
      `${reading.period}. Give every set its own readings`,
  );
}

type FactsOf = ReturnType<typeof factsOf>;

function horoscopeDrafts(
  language: Language,
  set: ReadingSet,
  received: readonly ReceivedHoroscope[],
  facts: FactsOf,
): Draft[] {
  const [first] = received;
  const times = timesOf(received);
  if (first === undefined || times === undefined) return [];
  const { current, period } = set;
  const readings = bySign(set, received);
  const kind = operations[first.reading.operation].due;
  const withdrawn = signs.filter((sign) => set.withdrawn?.includes(sign));
  const render = (context: Context) =>
    renderData(context, "signs", {
      ...facts(context, first.reading),
      ...times,
      readings,
      ...(withdrawn.length === 0 ? {} : { withdrawn }),
    });
  const drafts = received.flatMap((one) => signDrafts(language, one, current, facts));
  drafts.push({ at: { row: "signsData", language, kind, key: period }, render });
  if (kind === "daily") {
    const inOrder = inSignOrder(received);
    drafts.push(...newsletterDrafts({ language, date: period, received: inOrder, withdrawn, facts }));
  }
  if (!current) return drafts;
  drafts.push({ at: { row: "currentSigns", language, kind }, render });
  if (kind === "daily") drafts.push(...embedDrafts(language, period, received, withdrawn));
  // A current page stays without its text and says why, because others link to it; the dated page is removed.
  for (const sign of withdrawn) {
    const at: SignPath = { row: "signPage", language, kind, sign };
    drafts.push(
      pageDraft(at, (context) => signPage(context, at, period, withdrawnContent(context), current)),
    );
  }
  return drafts;
}

type BySign = Partial<Record<Sign, HoroscopeReading>>;

/** The readings in the order of the signs. */
function bySign({ operation, period, withdrawn = [] }: ReadingSet, received: readonly ReceivedHoroscope[]) {
  const readings: BySign = {};
  for (const { reading } of inSignOrder(received)) readings[reading.sign] = reading;
  const missing = signs.filter((sign) => readings[sign] === undefined && !withdrawn.includes(sign));
  if (missing.length === 0) return readings;
  throw new Error(
    `the set ${operation} ${period} lacks ${missing.join(", ")}. Only complete sets are rendered`,
  );
}

function signDrafts(
  language: Language,
  received: ReceivedHoroscope,
  current: boolean,
  facts: FactsOf,
): Draft[] {
  const { reading } = received;
  const { sign, period, operation } = reading;
  const kind = operations[operation].due;
  const data: TreePath = { row: "signData", language, kind, key: period, sign };
  let kept: SignContent | undefined; // shared by both pages of a current reading; a past one has one page, and caches nothing
  const page = (at: SignPath) =>
    pageDraft(
      at,
      (context) => {
        const content = kept ?? signContent(context, reading, data);
        if (current) kept = content;
        return signPage(context, at, period, content, current);
      },
      timesOfOne(received),
      [reading],
      { isCurrent: current && at.row === "datedPage" },
    );
  return [
    page({ row: "datedPage", language, kind, sign, key: period }),
    { at: data, render: dataRenderer(received, facts) },
    ...(current ? [page({ row: "signPage", language, kind, sign })] : []),
  ];
}

/** Renders the data of one reading. */
function dataRenderer(received: Received<HoroscopeReading | PairReading | CardReading>, facts: FactsOf) {
  const { reading } = received;
  const { family } = reading;
  const name = family === "horoscope" ? "sign" : family === "pair" ? "pair" : "card";
  return (context: Context) =>
    renderData(context, name, { ...facts(context, reading), ...timesOfOne(received), reading });
}

function otherDrafts(
  { reading, ...times }: Received<CardReading | PairReading | AnimalReading>,
  current: boolean,
  facts: FactsOf,
  others: readonly ReadingSet[],
): Draft[] {
  const { language } = reading;
  const shown = timesOfOne(times);
  if (reading.family === "pair") {
    const { sign1, sign2 } = reading;
    const page: TreePath = { row: "pairPage", language, sign1, sign2 };
    if (!current) return [];
    return [
      pageDraft(page, (context) => pairPage(context, reading), shown, [reading]),
      { at: { ...page, row: "pairData" }, render: dataRenderer({ reading, ...times }, facts) },
    ];
  }
  if (reading.family === "animal") {
    const at: TreePath = { row: "personPage", language, person: reading.person };
    return current ? [pageDraft(at, (context) => animalPage(context, reading), shown, [reading])] : [];
  }
  const { operation, period } = reading;
  const render = dataRenderer({ reading, ...times }, facts);
  const dated: Draft = { at: { row: "cardsData", language, operation, date: period }, render };
  const page: TreePath = { row: "cardPage", language, operation };
  if (!current) return [dated];
  return [
    dated,
    { at: { row: "currentCards", language, operation }, render },
    pageDraft(page, (context) => cardPage(context, reading, cardsBefore(reading, others)), shown, [reading]),
  ];
}

/** The previous day's cards without pictures, which would be loaded for collapsed texts. */
function cardsBefore({ operation, period }: CardReading, others: readonly ReadingSet[]) {
  const before = shiftPeriod("daily", period, -1);
  const sets = others.filter((other) => other.operation === operation && other.period === before);
  return sets
    .flatMap(({ readings }) => readings)
    .flatMap(({ reading, receivedAt }) =>
      cardsIn({ receivedAt, reading: "images" in reading ? { ...reading, images: [] } : reading }),
    );
}

// A sign's day as a small card for an <iframe> on another site: without script or cookie, and hidden from search engines.
/** The number of characters of a text that a card shows. */
const letters = 240;

function embedDrafts(
  language: Language,
  period: string,
  kept: readonly ReceivedHoroscope[],
  withdrawn: readonly Sign[],
): Draft[] {
  const draft = (sign: Sign, shown?: ReceivedHoroscope): Draft => ({
    at: { row: "embed", language, sign },
    render: (context) => renderEmbed(context, period, sign, shown),
  });
  return [...kept.map((one) => draft(one.reading.sign, one)), ...withdrawn.map((sign) => draft(sign))];
}

/** Shows nothing if the text was withdrawn. Links open outside the frame, where the page has more space. */
function renderEmbed(context: Context, period: string, sign: Sign, shown?: ReceivedHoroscope): Rendered {
  const { language, labels, formats, settings } = context;
  const date = formats.date(period);
  const page: TreePath = { row: "signPage", language, kind: "daily", sign };
  const policy = policyOf(context.dress.sources, framedDress.sources);
  const head = html`${headStart(context, sign, policy)}
        ${noIndex}
        <title>${context.signNames[sign]} · ${date} · ${settings.name}</title>
        <meta name="description" content="${labels.operations["daily-horoscope"]}" />`;
  const link = (at: TreePath, words: string) =>
    html`<a href="${context.address(at)}" target="_blank" rel="noopener">${words}</a>`;
  const rest = html`</head>
    <body class="framed">
      <main>
        ${signHero(context, sign, html`<time datetime="${period}">${date}</time>`)}
        <section class="prose" aria-label="${labels.operations["daily-horoscope"]}" tabindex="0">
          <p>${shown === undefined ? labels.withdrawn : html`<bdi>${openingOf(shown.reading, letters)}</bdi>`}</p>
        </section>
      </main>
      <footer class="small">
        <p>${shown && link(page, labels.readOn)} ${link({ row: "frontPage", language }, settings.name)}</p>
      </footer>
    </body>
    </html> `;
  return [head, context.dress.style, framedDress.style, rest];
}
