// Every word of the site's own that a reader can see. Dates, numbers, lists and language names come from Intl, the
// names of the signs from readings/sign-names.ts. No label counts anything, so none has plural forms.
import type { Operation } from "../../readings/operations.ts";
import type { PeriodKind } from "../../readings/periods.ts";
import type { luckKinds, sectionNames } from "../../readings/reading.schema.ts";

type Words<Name extends string> = Readonly<Record<Name, string>>;

export interface Labels {
  readonly tagline: string;
  readonly skip: string;
  /** What the way from the front page to a page is called to those who can't see it. */
  readonly trail: string;
  readonly chooseLanguage: string;
  readonly frontPage: string;
  readonly today: string;
  readonly previous: string;
  readonly next: string;
  readonly period: string;
  readonly periods: Words<PeriodKind>;
  readonly signs: string;
  readonly cards: string;
  readonly chooseSigns: string;
  readonly operations: Words<Operation>;
  readonly sections: Words<(typeof sectionNames)[number]>;
  readonly luck: string;
  readonly luckKinds: Words<(typeof luckKinds)[number]>;
  readonly scores: string;
  readonly pair: Words<"overall" | "positive" | "negative" | "elements" | "idealDate">;
  readonly pairScores: Words<"general" | "communication" | "sex">;
  readonly spread: Words<"past" | "present" | "future" | "keywords" | "advice">;
  readonly triangle: Words<"you" | "firstLove" | "secondLove">;
  readonly wisdom: Words<"yin" | "yang">;
  readonly tarot: Words<"upright" | "reversed" | "career" | "love" | "finance">;
  readonly birthNumber: string;
  /** In place of a text that an operator took away. */
  readonly withdrawn: string;
  /** From the beginning of a text to the whole of it. */
  readonly readOn: string;
  readonly unsubscribe: string;
  /** From the day's cards to the page of every card that came up before. */
  readonly deck: string;
  readonly status: Words<"title" | "edition" | "published" | "next" | "missing">;
  readonly archive: string;
  /** The links at the head of every page, under the first of these words. */
  readonly navigation: Words<"contents" | "horoscopes" | "cards" | "pairs">;
  readonly yesterday: string;
  readonly tomorrow: string;
  /** By the means of the reader's device. */
  readonly share: string;
  readonly follow: Words<"title" | "text" | "feeds" | "feedsText" | "letter" | "letterText">;
  /** Who is who of two signs, the steps to choose them, and what leads from one pair to the other order and to all. */
  readonly pairRoles: Words<"you" | "partner" | "chooseYou" | "choosePartner" | "otherWay" | "table">;
  /** Over the colours, numbers and letters of luck; `luck` itself is a score. */
  readonly bringsLuck: string;
  /** `known` with `{count}`, a number of cards. */
  readonly draw: Words<"title" | "text" | "known" | "shuffle" | "back" | "yesterday">;
  /** A reader's own sign, by her birthday; `stays` says where it is kept. */
  readonly birthday: Words<"title" | "sign" | "stays">;
  readonly about: string;
  /** The first with `{name}`, the site's. */
  readonly aboutText: readonly string[];
  readonly notFound: string;
  readonly notFoundText: string;
}
