// Messages to the outside, at the addresses that the environment has: alerts, and a ping after each good night.
// Without an address nothing is sent, and nothing is sent about a site of the sandbox.
import type { Store } from "../../store/store.ts";
import type { Log } from "../../vault/log.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { createAlerts } from "./alerts.ts";
import { readerOf } from "../settings/credentials.ts";
import type { Environment, SecretFrom } from "../settings/environment.ts";
import type { SiteLocation } from "../settings/location.ts";
import { createWebhook } from "./webhook.ts";

interface OutsideSettings {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly place: SiteLocation;
  readonly log: Log;
  readonly say?: (line: string) => void;
  readonly now: () => Date;
}

export function createOutside(settings: OutsideSettings, vault: Store) {
  const { environment, configuration, log, say, now } = settings;
  const { alert, settled } = createAlerts({
    site: configuration.site,
    vault,
    webhook: webhookTo("ALMANAC_ALERT_URL", environment.alertUrl, settings),
    form: environment.alertForm,
    log,
    say,
    now,
  });
  const ping = webhookTo("ALMANAC_PING_URL", environment.pingUrl, settings);
  return {
    alert,
    settled,
    wentWell: async (run: string) => {
      if (await ping?.send()) log.info({ run }, "told that the night went well");
    },
  };
}

function webhookTo(
  name: string,
  from: SecretFrom | undefined,
  { environment: { proxies }, place, log }: OutsideSettings,
) {
  if (from === undefined || place.kind === "sandbox") return undefined;
  return createWebhook({ name, address: readerOf(from), proxies, log });
}
