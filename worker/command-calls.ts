// The calls of a command that makes one or two, such as `almanac reading`: under the endpoint's lease, as every call. During a night
// the worker has it, and the command reports that.
import type { Configuration } from "../readings/configuration.schema.ts";
import type { EndpointName } from "../readings/tables.ts";
import { RateLimiter } from "../service/rate-limiter.ts";
import type { Lease } from "../store/held-lease.ts";
import { openStore } from "../store/kinds.ts";
import { holderWords, LeaseHeld } from "../store/lease.ts";
import { layout } from "../vault/files.ts";
import { requireVaultLayout, WrongInstallation } from "../vault/installation.ts";
import { openLeases, type SiteLocation } from "./opened-site.ts";
import type { Environment } from "./settings/environment.ts";

export const longestWaitMs = 60_000;

interface Owned {
  readonly lease: Lease;
  readonly limiter: RateLimiter;
}

export type CommandCalls = ReturnType<typeof openCommandCalls>;

export function openCommandCalls(
  location: SiteLocation,
  environment: Environment,
  configuration: Pick<Configuration, "service">,
  purpose: string,
) {
  const store = openStore(location.vault, environment.s3);
  const leases = openLeases({ environment, location }, { warn: () => undefined });
  const taken = new Map<EndpointName, Promise<Owned | undefined>>();

  async function take(endpoint: EndpointName): Promise<Owned | undefined> {
    // Without a vault, or if it can't be reached, nobody shares the endpoint, and nothing is written.
    const marker = await store.read(layout.vault).catch(() => undefined);
    if (marker === undefined) return undefined;
    const lease = await leases
      .take(layout.lease(endpoint), { purpose, maxWaitMs: 0 })
      .catch((error: unknown) => {
        throw error instanceof LeaseHeld ? new EndpointInUse(endpoint, error) : error;
      });
    const limiter = new RateLimiter(configuration.service.ratePerSecond[endpoint], leases.clock);
    limiter.beginAfter(lease);
    return { lease, limiter };
  }

  return {
    /** Resolves when a call may go out, with a function to call when it does. */
    async acquire(endpoint: EndpointName): Promise<() => void> {
      const taking = taken.get(endpoint) ?? take(endpoint);
      taken.set(endpoint, taking);
      const owned = await taking;
      if (owned === undefined) return () => undefined;
      const leave = await owned.limiter.acquire(AbortSignal.timeout(longestWaitMs));
      return () =>
        leave(() => {
          if (owned.lease.remainingMs() <= 0) throw owned.lease.signal.reason;
        });
    },
    async close(): Promise<void> {
      const all = await Promise.all([...taken.values()].map((one) => one.catch(() => undefined)));
      for (const one of all) await one?.lease.release(one.limiter.isQuiet() ? "idle" : "released");
    },
  };
}

/** Throws if an earlier version made the vault. One that can't be reached does not keep a person from trying the service. */
export async function requireCurrentLayout(location: SiteLocation, environment: Environment): Promise<void> {
  await requireVaultLayout(openStore(location.vault, environment.s3)).catch((error: unknown) => {
    if (error instanceof WrongInstallation) throw error;
  });
}

export class EndpointInUse extends Error {
  override readonly name = "EndpointInUse";
  constructor(endpoint: EndpointName, { wait }: LeaseHeld) {
    super(
      `the ${endpoint} endpoint is in use by ${holderWords(wait.holder)}. It is free a minute after the last call`,
    );
  }
}
