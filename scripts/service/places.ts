// Where the service's files lie on its machine. Below another root they lie there all together, to be looked at or tried.
import { join, resolve } from "node:path";

export type Places = ReturnType<typeof placesBelow>;

export function placesBelow(root: string) {
  const below = (path: string) => join(resolve(root), path);
  return {
    /** Whether it is of this root: what settings name may lie elsewhere. */
    has: (path: string) => `${resolve(path)}/`.startsWith(below("/")),
    units: below("/etc/systemd/system"),
    /** The owner's: settings, and the two credentials each in a file of its own. */
    environment: below("/etc/almanac/environment"),
    token: below("/etc/almanac/token"),
    apiKey: below("/etc/almanac/api-key"),
    /** The worker's folder, for a vault too. */
    state: below("/var/lib/almanac"),
    database: below("/var/lib/almanac-temporal/temporal.sqlite"),
    /** Temporal's program, a file for each version. */
    programs: below("/usr/local/lib/almanac"),
  };
}

/** By another user the worker would meet files that it may not change. */
export const serviceUser = "almanac";
