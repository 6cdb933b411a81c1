// A configuration with another rate or other calls in flight, the same for every address: --rate and --concurrency.
import { perAddress } from "../activities/limits.ts";
import type { Configuration } from "../readings/configuration.schema.ts";

export function paced(
  configuration: Configuration,
  { rate, concurrency }: { readonly rate?: number | undefined; readonly concurrency?: number | undefined },
): Configuration {
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
