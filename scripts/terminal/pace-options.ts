// A configuration with another rate or other calls in flight, the same for every address: --rate and --concurrency.
import { perAddress } from "../../service/limits.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";

interface TypedPace {
  readonly rate?: number;
  readonly concurrency?: number;
}

/** The sandbox answers at once, so `almanac local` need not wait for it. */
export const sandboxPace: Required<TypedPace> = { rate: 300, concurrency: 32 };

export function paced(configuration: Configuration, { rate, concurrency }: TypedPace): Configuration {
  const { service } = configuration;
  return {
    ...configuration,
    service: {
      ...service,
      ratePerSecond: rate === undefined ? service.ratePerSecond : perAddress(() => rate),
      concurrency: concurrency === undefined ? service.concurrency : perAddress(() => concurrency),
    },
  };
}
