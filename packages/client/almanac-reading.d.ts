// Types of almanac-reading.js, which defines the element <almanac-reading>. The element shows a published reading in any page.
// docs/client.md explains its use.
import type { Shown, AlmanacError, Horoscope, Cards, PairText } from "./almanac.js";

/**
 * Its attributes select the reading:
 *
 * - `sign`: `aries` to `pisces`
 * - `period`: `daily`, `weekly`, `monthly` or `yearly`. Default: `daily`
 * - `with`: second sign of a pair
 * - `operation`: card reading such as `daily-tarot`, instead of `sign`
 * - `date`: date of the reading. Default: the current one
 * - `lang`: language of the reading. Default: the page's language
 * - `follow`: `language`, `sign` or both: the visitor's own choice
 * - `level`: heading level of the title. Default: 2
 * - `url`: root URL of the site. Default: the site that serves the script
 * - `keys`: public keys as base64, separated by spaces. One of them must have signed the site
 * - `no-storage`: stores nothing on the visitor's device
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
  /** Fired after each request. */
  reading: CustomEvent<FoundReading>;
}

/**
 * The client's result, or the reason if there is none. Both are absent while the visitor has not chosen a sign (`follow="sign"`).
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
