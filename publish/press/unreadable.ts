// The captures that could not be read on the way: the log names each, and so does whoever pressed.
import { requestOf, type RequestKey, sheetKey } from "../../readings/request.ts";
import type { PassedOver } from "../../vault/editions.ts";
import type { Log } from "../../vault/log.ts";
import type { Withheld } from "../../vault/withheld.ts";

interface Unreadable {
  readonly log: Log;
  /** These, and the sheets of the captures that could not be read. */
  named(passedOver: readonly PassedOver[], withheld: Withheld): PassedOver[];
}

export function unreadableIn(log: Log): Unreadable {
  const keys = new Set<RequestKey>();
  return {
    log: {
      info: (facts, message) => log.info(facts, message),
      warn: (facts, message) => log.warn(facts, message),
      error(facts, message) {
        if ("key" in facts && typeof facts.key === "string") keys.add(facts.key);
        log.error(facts, message);
      },
    },
    named(passedOver, withheld) {
      const reasons = new Map(passedOver.map(({ sheet, reason }) => [sheet, reason]));
      for (const key of keys) {
        const request = requestOf(key);
        if (request === undefined || withheld.isWithdrawn(key)) continue;
        reasons.set(sheetKey(request), `captures/${key}.json can't be read`);
      }
      return [...reasons].map(([sheet, reason]) => ({ sheet, reason }));
    },
  };
}
