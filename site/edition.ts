// What press is given and what it gives: an edition in, files out.
import type { Language } from "../readings/languages.ts";
import type { CardOperation, Operation } from "../readings/operations.ts";
import type { PeriodKind } from "../readings/periods.ts";
import type { Reading } from "../readings/reading.schema.ts";
import type { Sign } from "../readings/signs.ts";
import type { SeenCard } from "./data.schema.ts";
import type { Colors } from "./palette.ts";
import type { TreePath } from "./tree.ts";

export interface SiteSettings {
  readonly id: string;
  readonly name: string;
  /** Where the site's root is, perhaps with a path of its own. */
  readonly url: string;
  /** In place of ours; each was looked at for its contrast when the configuration was read. */
  readonly colors?: Colors;
  readonly footer?: Footer;
  /** One's own in place of ours: read with the configuration, because press reads nothing. */
  readonly stylesheet?: Stylesheet;
}

/** The publisher's own words under every page and letter. */
export interface Footer {
  readonly text: string;
  /** `https:` only. */
  readonly link?: string;
}

export interface Stylesheet {
  readonly path: string;
  readonly css?: string;
}

export interface ReceivedReading {
  readonly reading: Reading;
  /** When the service's answer came: an instant such as `2026-11-20T08:05:00.000Z`. */
  readonly receivedAt: string;
}

/** One whole sheet. The current ones press the current paths, and their dated ones too. */
export interface Sheet {
  readonly operation: Operation;
  readonly period: string;
  readonly current: boolean;
  readonly readings: readonly ReceivedReading[];
  /** The signs whose text an operator has withdrawn: the sheet is whole without them. */
  readonly withdrawn?: readonly Sign[];
}

/** Every card of an operation that is published on any day, as one file of each day's cards would give it. */
export interface Deck {
  readonly operation: CardOperation;
  readonly cards: readonly SeenCard[];
}

/** A month of the archive, and the nearest ones before and after that the archive has too. */
export interface ArchiveMonth {
  readonly month: string;
  readonly before?: string;
  readonly after?: string;
}

/** Horoscopes that were asked for once: their current pages lead to the archive's newest month. */
export interface EndedHoroscope {
  readonly kind: PeriodKind;
  readonly month: string | undefined;
}

export interface LanguageEdition {
  readonly language: Language;
  /** The home zone, in which the day turns. */
  readonly zone: string;
  /** The local date that is today. */
  readonly date: string;
  readonly sheets: readonly Sheet[];
  /** Of the operations that have a sheet here. */
  readonly decks?: readonly Deck[];
  /** Those in which a dated page of a sign comes or may go. */
  readonly months?: readonly ArchiveMonth[];
  readonly ended?: readonly EndedHoroscope[];
  /** Sheets of the past with their decks and months: the current pages stay as they are. */
  readonly pastAlone?: boolean;
}

export interface PressedFile {
  /** Without a leading slash: `en/daily/aries/index.html`. */
  readonly path: string;
  /** What the path is. */
  readonly at: TreePath;
  readonly bytes: Uint8Array;
  readonly type: string;
  /** Of a page: when the newest reading on it was received, which is when it last changed. */
  readonly receivedAt?: string;
}
