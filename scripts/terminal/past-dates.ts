// `--from` and `--to` of the commands that go over the site's past; without them there is no span.
import type { PastDates } from "../../publish/press/archive-units.ts";
import { dayNumber } from "../../readings/periods.ts";
import { WrongUsage } from "./errors.ts";
import { requireOrder } from "./options.ts";
import { now } from "../../worker/settings/clock.ts";

/** As far as the service ever reaches, and as much as a plan takes. */
const longestDays = 3 * 366;

export function pastDates(from: string | undefined, to: string | undefined): PastDates | undefined {
  requireOrder({ from, to });
  if (from === undefined) {
    if (to !== undefined) throw new WrongUsage(`--to ${to} takes a --from with it`);
    return undefined;
  }
  // Somewhere it is tomorrow already.
  const last = new Date(now().getTime() + 86_400_000).toISOString().slice(0, 10);
  if (from > last)
    throw new WrongUsage(
      `--from ${from} has not begun anywhere yet: a date that has not begun is not published`,
    );
  const days = dayNumber(to ?? last) - dayNumber(from);
  if (days >= longestDays)
    throw new WrongUsage(`--from ${from} is too far back: at most ${longestDays} days at a time`);
  return { from, to };
}
