// What almanac-reading.js gives: the element <almanac-reading>, which shows a published reading in any page. The script defines
// it when it is loaded. How to use it: docs/client.md.
import type { Shown, AlmanacError, Horoscope, Cards, PairText } from "./almanac.js";

/**
 * What it shows is said by its attributes:
 *
 * - `period`: `daily` unless said, `weekly`, `monthly` or `yearly`; with `sign`;
 * - `sign`, and for two signs together `with`, the other one;
 * - `operation`: a card reading such as `daily-tarot`, in place of a period;
 * - `date`: that of a date in place of the current one;
 * - `lang`: its language; unless said that of the page around;
 * - `follow`: `language`, `sign` or both, the visitor's own;
 * - `level`: of its title, 2 unless said;
 * - `url`: the site's root, unless the script comes from its `/assets/`;
 * - `keys`: those by which the site must be signed, as bare base64 with blanks between them;
 * - `no-storage`: nothing is kept on the visitor's device.
 */
export class AlmanacReading extends HTMLElement {
  addEventListener<Name extends keyof AlmanacReadingEvents>(
    type: Name,
    listener: (this: AlmanacReading, event: AlmanacReadingEvents[Name]) => unknown,
    options?: Parameters<HTMLElement["addEventListener"]>[2],
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: Parameters<HTMLElement["addEventListener"]>[2],
  ): void;
}

export interface AlmanacReadingEvents extends HTMLElementEventMap {
  /** Whenever the site has been asked. */
  reading: CustomEvent<FoundReading>;
}

/**
 * What is shown, as the client gave it; or the reason why nothing is; or nothing, while a visitor whose sign is to be followed has
 * not chosen it.
 */
export type FoundReading =
  | Shown<Horoscope | Cards | PairText>
  | { data?: undefined; stale?: undefined; reason: AlmanacError }
  | { data?: undefined; stale?: undefined; reason?: undefined };

declare global {
  interface HTMLElementTagNameMap {
    "almanac-reading": AlmanacReading;
  }
}
