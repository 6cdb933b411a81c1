// Requests the reading service's time if there is no other time source: a worker whose stores and Temporal are on its own machine has
// only the responses of the night.
import { fetchServerTime } from "../service/server-time.ts";
import type { TimeSource } from "../vault/time-source.ts";
import type { Environment } from "./settings/environment.ts";
import type { RealService } from "./settings/location.ts";

/** Rate limit, shorter than the 15 minutes between turns. A publish calls it for each language whose date is in doubt. */
const repeatAfterMs = 10 * 60_000;

interface TimeServers {
  readonly endpoints: RealService["endpoints"];
  readonly proxies: Environment["proxies"];
}

/** Calls the first endpoint that uses HTTPS, because only that can be a time source. */
export function createTimeRequest(
  { endpoints, proxies }: TimeServers,
  timeSource: TimeSource,
): () => Promise<boolean> {
  const address = Object.values(endpoints).find((one) => one?.startsWith("https:"));
  let requestedMs = -Infinity;
  return async () => {
    if (address === undefined || performance.now() - requestedMs < repeatAfterMs) return false;
    requestedMs = performance.now();
    const date = await fetchServerTime(address, proxies);
    if (date !== undefined) timeSource.record(address, date);
    return date !== undefined;
  };
}
