// Cloudflare: a call purges at most a hundred tags, addresses or beginnings of addresses of a zone.
import { z } from "zod";
import { type CachePart, tagOf } from "../../publish/state/headers.ts";
import type { Secret } from "../../service/secret.ts";
import { siteRootOf } from "../../site/address.ts";
import { type OutsideQuestion, passes } from "../webhook.ts";
import type { Environment } from "../settings/environment.ts";
import {
  notifiedByPart,
  type Notifier,
  NotNotified,
  callOutside,
  type OutsideAnswer,
  pathsOfParts,
} from "./notifier.ts";

export interface CloudflareSettings {
  readonly zone: string;
  readonly by: "tag" | "url";
  readonly token: () => Secret;
  readonly siteUrl: string;
  readonly siteId: string;
  readonly proxies: Environment["proxies"];
  /** Default: Cloudflare's endpoint. */
  readonly endpoint?: string;
}

const mostAtOnce = 100;
type Purged = "tags" | "files" | "prefixes";

export function createCloudflare(settings: CloudflareSettings): Notifier {
  return {
    name: "cloudflare",
    ...notifiedByPart,
    async tell({ items: parts, signal }) {
      for (const [what, items] of purgedOf(parts, settings)) {
        for (let at = 0; at < items.length; at += mostAtOnce)
          await purgeSome(what, items.slice(at, at + mostAtOnce), settings, signal);
      }
    },
  };
}

function purgedOf(
  parts: readonly CachePart[],
  { by, siteId, siteUrl }: CloudflareSettings,
): [Purged, string[]][] {
  if (by === "tag") return [["tags", parts.map((part) => tagOf(siteId, part))]];
  const { exact, beginnings } = pathsOfParts(parts);
  const { full } = siteRootOf(siteUrl);
  const withoutScheme = full.replace(/^https?:\/\//, "");
  return [
    ["files", exact.map((path) => full + path)],
    ["prefixes", beginnings.map((path) => withoutScheme + path.replace(/\/$/, ""))],
  ];
}

const success = z.object({ success: z.literal(true) });

async function purgeSome(
  what: Purged,
  items: readonly string[],
  settings: CloudflareSettings,
  signal: AbortSignal,
) {
  const body = JSON.stringify({ [what]: items });
  const answer = await askCloudflare("POST", `zones/${settings.zone}/purge_cache`, settings, {
    body,
    signal,
  });
  if (!isSuccess(answer)) throw refusedByCloudflare(answer, settings);
}

export function isSuccess({ status, text }: OutsideAnswer): boolean {
  return status === 200 && success.safeParse(jsonIn(text)).success;
}

const refusal = z.object({ errors: z.array(z.object({ code: z.int() })) });

/** The number of Cloudflare's own error and what to do about it, without its words. */
export function refusedByCloudflare(
  { status, text, afterMs }: OutsideAnswer,
  { zone }: CloudflareSettings,
): NotNotified {
  const codes = refusal.safeParse(jsonIn(text)).data?.errors.map(({ code }) => code) ?? [];
  const seen = `Cloudflare answered ${status}${codes.length > 0 ? ` (error ${codes.join(", ")})` : ""} for zone ${zone}`;
  const isOurs = status >= 400 && status < 500 && status !== 429;
  const remedy = isOurs
    ? "check cdn.cloudflare.zone, and that ALMANAC_CLOUDFLARE_TOKEN may purge its cache"
    : "Cloudflare limits the rate or has an outage. If it persists, check its dashboard";
  return new NotNotified({ seen, remedy, again: passes(status), afterMs });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function askCloudflare(
  method: "GET" | "POST",
  path: string,
  { token, proxies, endpoint = "https://api.cloudflare.com" }: CloudflareSettings,
  sent: Pick<OutsideQuestion, "body" | "signal"> = {},
): Promise<OutsideAnswer> {
  const url = new URL(`/client/v4/${path}`, endpoint);
  const authorization = `Bearer ${token().reveal()}`;
  const headers = { authorization, "content-type": "application/json" };
  return callOutside({ url, method, headers, ...sent }, proxies);
}
