// Dependencies of activities, composed like a worker's, on empty stores in memory and with a silent log.
import { Secret } from "../../service/secret.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { openMemory } from "./memory.ts";
import { compose } from "../../worker/compose.ts";

/** Without an endpoint, no request is possible. */
export function composed(settings: Partial<Parameters<typeof compose>[0]> = {}) {
  const nothing = () => undefined;
  return compose({
    configuration: configurationSchema.parse({}),
    endpoints: { english: undefined, translator: undefined, legacy: undefined },
    credentials: async () => ({ token: new Secret("token"), apiKey: new Secret("key") }),
    proxies: { http: undefined, https: undefined, none: "" },
    vault: openMemory(),
    site: openMemory(),
    log: { info: nothing, warn: nothing, error: nothing },
    alert: async () => undefined,
    now: () => new Date(),
    ...settings,
  });
}
