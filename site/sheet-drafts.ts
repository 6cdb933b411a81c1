// The drafts of one sheet: its dated paths always, the current paths while the sheet is current.
import type { Language } from "../readings/languages.ts";
import { operations } from "../readings/operations.ts";
import type { HoroscopeReading, Reading } from "../readings/reading.schema.ts";
import { type Sign, signs } from "../readings/signs.ts";
import { type AnimalReading, cardPage } from "./card-pages.ts";
import type { Context } from "./page-context.ts";
import { factsOf, newest, printData } from "./data.ts";
import type { CardReading } from "./data.schema.ts";
import type { Draft } from "./draft.ts";
import type { Sheet } from "./edition.ts";
import { embedDrafts } from "./embed-page.ts";
import type { Markup } from "./html.ts";
import { newsletterDrafts } from "./newsletter.ts";
import { printPage } from "./document.ts";
import { pairPage, type PairReading } from "./pair-pages.ts";
import { signPage, signText, withdrawnPage } from "./sign-page.ts";
import { inSignOrder } from "./signs.ts";

/** A reading that is narrowed to its family, with when it was received. */
interface ReceivedOf<R> {
  readonly reading: R;
  readonly receivedAt: string;
}

export function sheetDrafts(language: Language, sheet: Sheet): Draft[] {
  const horoscopes: ReceivedOf<HoroscopeReading>[] = [];
  const drafts: Draft[] = [];
  const facts = factsOf(sheet);
  for (const { reading, receivedAt } of sheet.readings) {
    requireOwn(language, sheet, reading);
    switch (reading.family) {
      case "horoscope":
        horoscopes.push({ reading, receivedAt });
        break;
      case "pair":
        if (sheet.current) drafts.push(...pairDrafts({ reading, receivedAt }, facts));
        break;
      case "animal":
        if (sheet.current) drafts.push(animalDraft({ reading, receivedAt }));
        break;
      default:
        drafts.push(...cardDrafts({ reading, receivedAt }, sheet.current, facts));
    }
  }
  return horoscopes.length === 0
    ? drafts
    : [...drafts, ...horoscopeDrafts(language, sheet, horoscopes, facts)];
}

/** Throws for a reading that is of another language or period than its sheet. */
function requireOwn(language: Language, { operation, period }: Sheet, reading: Reading): void {
  if (reading.language === language && reading.operation === operation && reading.period === period) return;
  throw new Error(
    `the sheet ${language} ${operation} ${period} holds a reading of ${reading.language} ${reading.operation} ` +
      `${reading.period}: give every sheet its own readings`,
  );
}

type FactsOf = ReturnType<typeof factsOf>;

function horoscopeDrafts(
  language: Language,
  sheet: Sheet,
  received: readonly ReceivedOf<HoroscopeReading>[],
  facts: FactsOf,
): Draft[] {
  const [first] = received;
  if (first === undefined) return [];
  const readings = bySign(sheet, received);
  const kind = operations[first.reading.operation].due;
  const withdrawn = signs.filter((sign) => sheet.withdrawn?.includes(sign));
  const print = (context: Context) =>
    printData(context, "signs", {
      ...facts(context, first.reading),
      receivedAt: newest(received),
      readings,
      ...(withdrawn.length === 0 ? {} : { withdrawn }),
    });
  const drafts = received.flatMap((one) => signDrafts(language, one, sheet.current, facts));
  if (sheet.current) {
    const { operation, period } = first.reading;
    drafts.push(...withdrawn.map((sign) => withdrawnDraft({ language, operation, period, sign })));
  }
  drafts.push({ at: { row: "signsData", language, kind, key: sheet.period }, print });
  if (kind === "daily")
    drafts.push(
      ...newsletterDrafts({
        language,
        date: sheet.period,
        received: inSignOrder(received),
        withdrawn,
        facts,
      }),
    );
  if (!sheet.current) return drafts;
  drafts.push({ at: { row: "currentSigns", language, kind }, print });
  if (kind === "daily") drafts.push(...embedDrafts(language, sheet.period, received, withdrawn));
  return drafts;
}

type BySign = Partial<Record<Sign, HoroscopeReading>>;

/** The readings in the order of the signs. */
function bySign(
  { operation, period, withdrawn = [] }: Sheet,
  received: readonly ReceivedOf<HoroscopeReading>[],
): BySign {
  const readings: BySign = {};
  for (const sign of signs) {
    const found = received.find(({ reading }) => reading.sign === sign);
    if (found !== undefined) readings[sign] = found.reading;
  }
  const missing = signs.filter((sign) => readings[sign] === undefined && !withdrawn.includes(sign));
  if (missing.length === 0) return readings;
  throw new Error(
    `the sheet ${operation} ${period} lacks ${missing.join(", ")}: only whole sheets are pressed`,
  );
}

/** The current page stays, because others lead to it, and says why it has no text; the dated one goes. */
function withdrawnDraft(place: Pick<HoroscopeReading, "language" | "operation" | "period" | "sign">): Draft {
  return {
    at: {
      row: "signPage",
      language: place.language,
      kind: operations[place.operation].due,
      sign: place.sign,
    },
    print: (context) => printPage(context, withdrawnPage(context, place)),
  };
}

function signDrafts(
  language: Language,
  { reading, receivedAt }: ReceivedOf<HoroscopeReading>,
  current: boolean,
  facts: FactsOf,
): Draft[] {
  const { sign, period, operation } = reading;
  const kind = operations[operation].due;
  let text: Markup | undefined; // the same on both pages
  const page = (dated: boolean) => (context: Context) => {
    text ??= signText(context, reading);
    return printPage(context, signPage(context, reading, { text, dated, current, receivedAt }));
  };
  const drafts: Draft[] = [
    { at: { row: "datedPage", language, kind, sign, key: period }, print: page(true), receivedAt },
    {
      at: { row: "signData", language, kind, key: period, sign },
      print: (context) => printData(context, "sign", { ...facts(context, reading), receivedAt, reading }),
    },
  ];
  if (current) drafts.push({ at: { row: "signPage", language, kind, sign }, print: page(false), receivedAt });
  return drafts;
}

function pairDrafts({ reading, receivedAt }: ReceivedOf<PairReading>, facts: FactsOf): Draft[] {
  const { language, sign1, sign2 } = reading;
  return [
    {
      at: { row: "pairPage", language, sign1, sign2 },
      receivedAt,
      print: (context) => printPage(context, pairPage(context, reading, receivedAt)),
    },
    {
      at: { row: "pairData", language, sign1, sign2 },
      print: (context) => printData(context, "pair", { ...facts(context, reading), receivedAt, reading }),
    },
  ];
}

function cardDrafts(
  { reading, receivedAt }: ReceivedOf<CardReading>,
  current: boolean,
  facts: FactsOf,
): Draft[] {
  const { language, operation, period } = reading;
  const print = (context: Context) =>
    printData(context, "card", { ...facts(context, reading), receivedAt, reading });
  const drafts: Draft[] = [{ at: { row: "cardsData", language, operation, date: period }, print }];
  if (!current) return drafts;
  return [
    ...drafts,
    { at: { row: "currentCards", language, operation }, print },
    {
      at: { row: "cardPage", language, operation },
      receivedAt,
      print: (context) => printPage(context, cardPage(context, reading, receivedAt)),
    },
  ];
}

function animalDraft({ reading, receivedAt }: ReceivedOf<AnimalReading>): Draft {
  return {
    at: { row: "personPage", language: reading.language, person: reading.person },
    receivedAt,
    print: (context) => printPage(context, cardPage(context, reading, receivedAt)),
  };
}
