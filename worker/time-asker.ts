// Asks the service what time it is, where no other witness says it: a worker whose stores and Temporal are on its own machine has
// none but the answers of the night.
import { askTimeOf } from "../service/asked-time.ts";
import type { Witness } from "../vault/witness.ts";
import type { Environment } from "./settings/environment.ts";
import type { RealService } from "./settings/location.ts";

/** The turn comes every quarter of an hour, and asks for each language that is in doubt. */
const askedAgainAfterMs = 10 * 60_000;

interface AskedServers {
  readonly addresses: RealService["addresses"];
  readonly proxies: Environment["proxies"];
}

/** Asks the first address that can be a witness. */
export function createTimeAsker(
  { addresses, proxies }: AskedServers,
  witness: Witness,
): () => Promise<boolean> {
  const address = Object.values(addresses).find((one) => one?.startsWith("https:"));
  let askedMs = -Infinity;
  return async () => {
    if (address === undefined || performance.now() - askedMs < askedAgainAfterMs) return false;
    askedMs = performance.now();
    const date = await askTimeOf(address, proxies);
    if (date !== undefined) witness.saw(address, date);
    return date !== undefined;
  };
}
