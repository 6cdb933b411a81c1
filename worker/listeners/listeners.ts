// The listeners that the configuration and the environment name. A site of the sandbox has none.
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Alert } from "../../activities/alert-kinds.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../vault/log.ts";
import { createWebhook } from "../alerts/webhook.ts";
import { readerOf } from "../settings/credentials.ts";
import { type Environment, WrongSettings } from "../settings/environment.ts";
import type { SiteLocation } from "../settings/location.ts";
import { createCloudflare, type CloudflareSettings } from "./cloudflare.ts";
import { type CloudFrontSettings, createCloudFront } from "./cloudfront.ts";
import { createHub } from "./hub.ts";
import type { Listener } from "./listener.ts";
import { createPublishedWebhook } from "./published-webhook.ts";
import { createPurgeWebhook } from "./purge-webhook.ts";
import { createTelling, type Telling } from "./telling.ts";

interface ListenerSettings {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly place: SiteLocation;
  readonly log: Log;
  readonly now: () => Date;
}

export function tellingFor(
  settings: ListenerSettings,
  vault: Store,
  alert: (alert: Alert) => Promise<void>,
): Telling | undefined {
  const { log, now } = settings;
  const listeners = { caches: cachesFor(settings), hub: hubFor(settings), builder: builderFor(settings) };
  return createTelling({ vault, ...listeners, alert, log, now });
}

function cachesFor(settings: ListenerSettings): Listener[] {
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

function builderFor({ environment, configuration, place, log, now }: ListenerSettings): Listener | undefined {
  const { publishedUrl, proxies } = environment;
  if (publishedUrl === undefined || place.kind === "sandbox") return undefined;
  const address = readerOf(publishedUrl);
  const webhook = createWebhook({ name: "ALMANAC_PUBLISHED_URL", address, proxies, log });
  return createPublishedWebhook(configuration.site.id, webhook, now);
}

function hubFor({ environment, configuration, place }: ListenerSettings): Listener | undefined {
  const { hub, url: siteUrl } = configuration.site;
  if (hub === undefined || place.kind === "sandbox") return undefined;
  return createHub({ hub, siteUrl, proxies: environment.proxies });
}

type Named = Pick<ListenerSettings, "environment" | "configuration">;

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
