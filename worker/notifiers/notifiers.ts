// The notifiers that the configuration and the environment name. A site of the sandbox has none.
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Alert } from "../../activities/alert-kinds.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../vault/log.ts";
import { createWebhook } from "../webhook.ts";
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
  readonly place: SiteLocation;
  readonly log: Log;
  readonly now: () => Date;
}

export function notifyingFor(
  settings: NotifierSettings,
  vault: Store,
  alert: (alert: Alert) => Promise<void>,
): Notifying | undefined {
  const { log, now } = settings;
  const notifiers = { caches: cachesFor(settings), hub: hubFor(settings), builder: builderFor(settings) };
  return createNotifying({ vault, ...notifiers, alert, log, now });
}

function cachesFor(settings: NotifierSettings): Notifier[] {
  const { environment, configuration, place, log } = settings;
  if (place.kind === "sandbox") return [];
  const cloudFront = cloudFrontOf(settings);
  const cloudflare = cloudflareOf(settings);
  const { purgeUrl, proxies } = environment;
  const webhook =
    purgeUrl && createWebhook({ name: "ALMANAC_PURGE_URL", address: readerOf(purgeUrl), proxies, log });
  return [
    ...(cloudFront === undefined ? [] : [createCloudFront(cloudFront)]),
    ...(cloudflare === undefined ? [] : [createCloudflare(cloudflare)]),
    ...(webhook === undefined ? [] : [createPurgeWebhook(configuration.site.id, webhook)]),
  ];
}

function builderFor({ environment, configuration, place, log, now }: NotifierSettings): Notifier | undefined {
  const { publishedUrl, proxies } = environment;
  if (publishedUrl === undefined || place.kind === "sandbox") return undefined;
  const address = readerOf(publishedUrl);
  const webhook = createWebhook({ name: "ALMANAC_PUBLISHED_URL", address, proxies, log });
  return createPublishedWebhook(configuration.site.id, webhook, now);
}

function hubFor({ environment, configuration, place }: NotifierSettings): Notifier | undefined {
  const { hub, url: siteUrl } = configuration.site;
  if (hub === undefined || place.kind === "sandbox") return undefined;
  return createHub({ hub, siteUrl, proxies: environment.proxies });
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
    const problem = "not set, nor ALMANAC_CLOUDFLARE_TOKEN_FILE, and cdn.cloudflare is purged with it";
    throw new WrongSettings([{ name: "ALMANAC_CLOUDFLARE_TOKEN", problem }]);
  }
  const token = readerOf(cloudflareToken);
  return { ...cdn.cloudflare, token, siteUrl: site.url, siteId: site.id, proxies };
}
