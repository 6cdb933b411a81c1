// The further draws of a language that the vault keeps, by operation, for the decks (readings/further-draws.ts): those of a day
// whose set is held back, and those that were withdrawn, are left out.
import type { Language } from "../readings/languages.ts";
import type { Operation } from "../readings/operations.ts";
import { isFurtherDraw, requestKey, requestOf } from "../readings/request.ts";
import type { ReceivedReading } from "../site/edition.ts";
import { storedReader } from "./stored-readings.ts";
import type { Log } from "./log.ts";
import type { Vault } from "./vault.ts";
import type { Withheld } from "./withheld.ts";

export type DrawsOn = (date: string) => Promise<ReadonlyMap<Operation, readonly ReceivedReading[]>>;

/** Reads each date once. A draw that is damaged is said and left out: a deck is good without it. */
export function drawsReader(
  language: Language,
  withheld: Withheld,
  { vault, log }: { readonly vault: Vault; readonly log: Log },
): DrawsOn {
  const read = storedReader(vault);
  const found = new Map<string, ReturnType<DrawsOn>>();
  const on: DrawsOn = async (date) => {
    const requests = (await vault.held(`daily/${date}/${language}/`))
      .map(requestOf)
      .filter((request) => request !== undefined && isFurtherDraw(request))
      .filter((request) => !withheld.isWithdrawn(requestKey(request)) && !withheld.isSetPinned(request));
    const { stored, damaged } = await read(requests);
    for (const { key, reason } of damaged) log.error({ key }, reason);
    return Map.groupBy(stored, ({ reading }) => reading.operation);
  };
  return (date) => {
    const reading = found.get(date) ?? on(date);
    found.set(date, reading);
    return reading;
  };
}
