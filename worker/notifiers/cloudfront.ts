// CloudFront: one invalidation has tags or paths, and is signed like every AWS call. The SDK's CloudFront client would add 5 MB for
// this one call; signing and the credential chain come with the S3 client.
import { createHash } from "node:crypto";
import { type CachePart, tagOf } from "../../publish/state/headers.ts";
import { html } from "../../site/html.ts";
import { type OutsideQuestion, passes } from "../webhook.ts";
import type { Environment } from "../settings/environment.ts";
import {
  notifiedByPart,
  type Notifier,
  type News,
  NotNotified,
  callOutside,
  type OutsideAnswer,
  pathsOfParts,
} from "./notifier.ts";

export interface CloudFrontSettings {
  readonly distribution: string;
  readonly by: "tag" | "path";
  /** Public URL of the site. Its path prefixes the paths of the files. */
  readonly siteUrl: string;
  readonly siteId: string;
  readonly proxies: Environment["proxies"];
  /** Default: Amazon's endpoint. */
  readonly endpoint?: string;
}

const version = "2020-05-31";
/** CloudFront's limit on wildcard paths (ending in `*`) under invalidation at a time. */
const mostWildcards = 15;

export function createCloudFront(settings: CloudFrontSettings): Notifier {
  return {
    name: "cloudfront",
    ...notifiedByPart,
    async tell(news) {
      for (const batch of batchesOf(invalidated(news.items, settings)))
        await invalidate(batch, settings, news);
    },
  };
}

function invalidated(parts: readonly CachePart[], { by, siteId, siteUrl }: CloudFrontSettings): string[] {
  if (by === "tag") return parts.map((part) => `#${tagOf(siteId, part)}`);
  const { exact, beginnings } = pathsOfParts(parts);
  const root = new URL(siteUrl).pathname.replace(/\/*$/, "/");
  return [...exact.map((path) => root + path), ...beginnings.map((path) => `${root}${path}*`)];
}

function batchesOf(items: readonly string[]): string[][] {
  const isMany = (item: string) => item.endsWith("*");
  const batches = [items.filter((item) => !isMany(item))];
  const many = items.filter(isMany);
  for (let at = 0; at < many.length; at += mostWildcards) batches.push(many.slice(at, at + mostWildcards));
  return batches.filter((batch) => batch.length > 0);
}

/** The caller reference is an idempotency key: CloudFront does not repeat an invalidation if its first response was lost. */
async function invalidate(
  items: readonly string[],
  settings: CloudFrontSettings,
  { reference, signal }: Omit<News, "items">,
) {
  const own = createHash("sha256")
    .update([reference, ...items].join(" "))
    .digest("hex");
  const body = html`<InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/${version}/"><CallerReference>${own}</CallerReference><Paths><Items>${items.map((item) => html`<Path>${item}</Path>`)}</Items><Quantity>${String(items.length)}</Quantity></Paths></InvalidationBatch>`;
  const answer = await askCloudFront("POST", "invalidation", settings, { body: body.toString(), signal });
  if (answer.status !== 201) throw refusedByCloudFront(answer, settings, "cloudfront:CreateInvalidation");
}

/** Turns an error response into its error code with a remedy. */
export function refusedByCloudFront(
  { status, text, afterMs }: OutsideAnswer,
  { distribution }: CloudFrontSettings,
  permission: string,
): NotNotified {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? "no reason";
  const isBusy = /Throttl|TooMany|ServiceUnavailable/.test(code);
  const seen = `CloudFront answered ${status} (${code}) for distribution ${distribution}`;
  return new NotNotified({
    seen,
    remedy: remedyFor(code, permission),
    again: isBusy || passes(status),
    afterMs,
  });
}

function remedyFor(code: string, permission: string) {
  if (code === "AccessDenied")
    return `allow ${permission} on that distribution for the worker's AWS credentials`;
  if (code === "NoSuchDistribution") return "check cdn.cloudfront.distribution";
  if (/Token|Signature|Credential/.test(code)) return "check the worker's AWS credentials";
  return "CloudFront limits the rate or has an outage. If it persists, check its console";
}

export async function askCloudFront(
  method: "GET" | "POST",
  what: "invalidation" | "config",
  { distribution, endpoint = "https://cloudfront.amazonaws.com", proxies }: CloudFrontSettings,
  sent: Pick<OutsideQuestion, "body" | "signal"> = {},
): Promise<OutsideAnswer> {
  const url = new URL(`/${version}/distribution/${distribution}/${what}`, endpoint);
  const headers = await signedHeaders(url, method, sent.body);
  return callOutside({ url, method, headers, ...sent }, proxies);
}

async function signedHeaders(url: URL, method: string, body: string | undefined) {
  const { S3 } = await import("@aws-sdk/client-s3");
  const { SignatureV4 } = await import("@smithy/signature-v4");
  const { Sha256 } = await import("../../store/s3-client.ts");
  const client = new S3({ region: "us-east-1" });
  try {
    const credentials = await client.config.credentials();
    const signer = new SignatureV4({
      credentials,
      region: "us-east-1",
      service: "cloudfront",
      sha256: Sha256,
    });
    const { headers } = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { "content-type": "application/xml", host: url.host },
      body,
    });
    return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "host"));
  } catch {
    const seen = "no AWS credentials for CloudFront";
    throw new NotNotified({ seen, remedy: "set the worker's AWS credentials as for S3", again: false });
  } finally {
    client.destroy();
  }
}
