// The languages and sheets that rollbacks hold, for a person: until when each stays as it is, and the command that lets go.
import { isOperation, rowOf } from "../../readings/operations.ts";
import { isPeriodKind, spanOf } from "../../readings/periods.ts";
import { localDate } from "../../readings/zones.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { type Hold, readSheetName } from "../../vault/withheld.ts";
import { counted } from "./findings.ts";

/** `en hi through 2026-11-21 (the date there), and 2 sheets for longer` */
export function heldInWords(holds: readonly Hold[]): string {
  const dates = [...Map.groupBy(holds, ({ date }) => date)].map(
    ([date, alike]) => `${alike.map(({ language }) => language).join(" ")} through ${date}`,
  );
  const sheets = holds.reduce((sum, hold) => sum + hold.sheets.length, 0);
  const longer = sheets === 0 ? "" : `, and ${counted(sheets, "sheet")} for longer`;
  return `${dates.join(", ")} (the date there)${longer}`;
}

/** The command that lets go of holds, and publishes all that was taken back: a press of today's pages leaves out the past. */
export function pressCommand(holds: readonly Hold[]): string {
  const languages = [...new Set(holds.map(({ language }) => language))].join(",");
  const past = holds.flatMap(({ date, sheets }) => sheets.flatMap((sheet) => beginningBefore(date, sheet)));
  const from = past.toSorted()[0];
  return `almanac press --languages ${languages}${from === undefined ? "" : ` --from ${from}`}`;
}

/** The first day of a sheet whose last day is before the date. */
function beginningBefore(date: string, sheet: string): string[] {
  const { operation, period } = readSheetName(sheet);
  const due = isOperation(operation) ? rowOf(operation).due : "once";
  if (!isPeriodKind(due)) return [];
  const { first, last } = spanOf(due, period);
  return last < date ? [first] : [];
}

export interface HoldInForce {
  readonly hold: Hold;
  readonly seen: string;
  readonly remedy: string;
}

/** The holds that still keep something as it is, in words. */
export function holdsInForce(holds: readonly Hold[], configuration: Configuration, now: Date): HoldInForce[] {
  return holds.flatMap((hold) => {
    const { language, date, sheets, at, to } = hold;
    const today = localDate(zoneOf(configuration, language), now);
    const kept = [
      ...(today <= date ? [`all of it through ${date} (the date there)`] : []),
      ...(sheets.length > 0 ? [`${counted(sheets.length, "sheet")} until \`almanac press\``] : []),
    ];
    if (kept.length === 0) return [];
    const state = to === undefined ? "" : ` to version ${to.version}`;
    const seen = `${language} was rolled back${state} at ${utcMinute(at)} and stays as it is: ${kept.join(", and ")}`;
    const command = pressCommand([{ ...hold, date: today }]);
    return [{ hold, seen, remedy: `\`${command}\` publishes what was taken back` }];
  });
}
