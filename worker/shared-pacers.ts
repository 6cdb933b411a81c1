// The pacers of all addresses, whose shares of the rate are noted in a site's vault: for a worker, and for commands that make a
// call or two beside the workers.
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import type { Log } from "../vault/log.ts";
import { rateNote } from "../vault/rate-note.ts";
import { lookAt } from "../vault/note.ts";
import { perAddress } from "../service/limits.ts";
import { kindOf, openStore } from "../store/kinds.ts";
import type { Store } from "../store/store.ts";
import type { Environment } from "./settings/environment.ts";
import type { SiteLocation } from "./settings/location.ts";
import { type RateShareSettings, SharedPacer } from "./rate-share.ts";

interface PacersSettings extends Pick<RateShareSettings, "store" | "isHeedless" | "log" | "most"> {
  readonly configuration: Pick<Configuration, "service">;
  readonly onShare?: (address: ServiceAddress, share: number) => void;
}

export function createSharedPacers({ configuration, onShare, ...settings }: PacersSettings) {
  const pacers = perAddress(
    (address) =>
      new SharedPacer({
        ...settings,
        address,
        ratePerSecond: configuration.service.ratePerSecond[address],
        onShare: (share) => onShare?.(address, share),
      }),
  );
  return {
    pacers,
    close: async (): Promise<void> => {
      await Promise.all(serviceAddresses.map((address) => pacers[address].close()));
    },
  };
}

export type CallTurns = ReturnType<typeof openCallTurns>;

/** A worker that lives gives way within seconds, and one that died within half a minute. */
export const longestTurnMs = 60_000;

/**
 * For a command that makes a call or two. Where no worker has ever shared a rate, or the vault can't be reached, there is nobody to
 * share it with, and nothing is written.
 */
export function openCallTurns(
  { vault }: Pick<SiteLocation, "vault">,
  { s3 }: Pick<Environment, "s3">,
  configuration: Pick<Configuration, "service">,
) {
  const store = openStore(vault, s3);
  const { pacers, close } = createSharedPacers({
    store,
    configuration,
    isHeedless: kindOf(vault).conditions(s3) === "none",
    log: silent,
    most: 1,
  });
  return {
    async turn(address: ServiceAddress): Promise<() => void> {
      if (!(await isShared(store, address))) return () => undefined;
      return pacers[address].turn(AbortSignal.timeout(longestTurnMs)).catch((cause: unknown) => {
        throw new RateTaken(address, { cause });
      });
    },
    close,
  };
}

async function isShared(store: Store, address: ServiceAddress): Promise<boolean> {
  return lookAt(store, rateNote(address)).then(
    ({ version }) => version !== undefined,
    () => false,
  );
}

const silent: Pick<Log, "info" | "warn"> = { info: () => undefined, warn: () => undefined };

/** Thrown where the workers leave no room for one more call. */
export class RateTaken extends Error {
  override readonly name = "RateTaken";
  constructor(address: ServiceAddress, options: ErrorOptions) {
    const seen = `no turn for a call to the ${address} address within ${longestTurnMs / 1000} s`;
    super(`${seen}: workers have all of its rate (service.ratePerSecond); try again`, options);
  }
}
