// The notifiers that the configuration and the environment name. A site of the sandbox has none.
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Alert } from "../../activities/alert-kinds.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../vault/log.ts";
import { webhookFrom } from "../webhook.ts";
import { readerOf } from "../settings/credentials.ts";
import { type Environment, WrongSettings } from "../settings/environment.ts";
import type { SiteLocation } from "../settings/location.ts";
import { createCloudflare, type CloudflareSettings } from "./cloudflare.ts";
import { type CloudFrontSettings, createCloudFront } from "./cloudfront.ts";
import { createHub } from "./hub.ts";
import { createPublishedWebhook, createPurgeWebhook } from "./webhooks.ts";
import { createNotifying, type Notifying } from "./notifying.ts";
import type { Notifier } from "./notifier.ts";

interface NotifierSettings {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly location: SiteLocation;
  readonly log: Log;
  readonly now: () => Date;
}

/** Each notifier as the settings have it; undefined if they do not name it. */
const creators: Readonly<Record<Notifier["name"], (settings: NotifierSettings) => Notifier | undefined>> = {
  cloudfront(settings) {
    const own = cloudFrontOf(settings);
    return own && createCloudFront(own);
  },
  cloudflare(settings) {
    const own = cloudflareOf(settings);
    return own && createCloudflare(own);
  },
  webhook({ environment: { purgeUrl, proxies }, configuration, log }) {
    const webhook = webhookFrom("ALMANAC_PURGE_URL", purgeUrl, { proxies, log });
    return webhook && createPurgeWebhook(configuration.site.id, webhook);
  },
  hub({ environment, configuration }) {
    const { hub, url: siteUrl } = configuration.site;
    return hub === undefined ? undefined : createHub({ hub, siteUrl, proxies: environment.proxies });
  },
  published({ environment: { publishedUrl, proxies }, configuration, log, now }) {
    const webhook = webhookFrom("ALMANAC_PUBLISHED_URL", publishedUrl, { proxies, log });
    return webhook && createPublishedWebhook(configuration.site.id, webhook, now);
  },
};

export function notifyingFor(
  settings: NotifierSettings,
  vault: Store,
  alert: (alert: Alert) => Promise<void>,
): Notifying | undefined {
  const { location, log, now } = settings;
  if (location.kind === "sandbox") return undefined;
  const { hub, published, ...others } = creators;
  const caches = Object.values(others).flatMap((create) => create(settings) ?? []);
  return createNotifying({
    vault,
    caches,
    hub: hub(settings),
    builder: published(settings),
    alert,
    log,
    now,
  });
}

type Named = Pick<NotifierSettings, "environment" | "configuration">;

export function cloudFrontOf({ environment, configuration }: Named): CloudFrontSettings | undefined {
  const { cdn, site } = configuration;
  const { proxies } = environment;
  return cdn.cloudfront && { ...cdn.cloudfront, siteUrl: site.url, siteId: site.id, proxies };
}

/** Throws WrongSettings where the token is missing. */
export function cloudflareOf({ environment, configuration }: Named): CloudflareSettings | undefined {
  const { cdn, site } = configuration;
  const { proxies, cloudflareToken } = environment;
  if (cdn.cloudflare === undefined) return undefined;
  if (cloudflareToken === undefined) {
    const problem = "not set, and neither is ALMANAC_CLOUDFLARE_TOKEN_FILE, but cdn.cloudflare needs it";
    throw new WrongSettings([{ name: "ALMANAC_CLOUDFLARE_TOKEN", problem }]);
  }
  const token = readerOf(cloudflareToken);
  return { ...cdn.cloudflare, token, siteUrl: site.url, siteId: site.id, proxies };
}
