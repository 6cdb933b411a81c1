// Checks of the servers that get messages, without a message: whether webhooks can be reached, the configured caches accept our
// credentials, and the hub answers.
import type { Configuration } from "../../readings/configuration.schema.ts";
import {
  askCloudflare,
  type CloudflareSettings,
  isSuccess,
  refusedByCloudflare,
} from "../notifiers/cloudflare.ts";
import { askCloudFront, type CloudFrontSettings, refusedByCloudFront } from "../notifiers/cloudfront.ts";
import { callOutside, NotNotified } from "../notifiers/notifier.ts";
import { keyLocationOf } from "../notifiers/index-now.ts";
import { cloudflareOf, cloudFrontOf } from "../notifiers/notifying.ts";
import { CredentialsUnreadable, readerOf } from "../settings/credentials.ts";
import { type Environment, WrongSettings, type SecretFrom } from "../settings/environment.ts";
import { broken, type Check, right, warning, wrongSetting } from "./check.ts";
import { answerFrom, answerMs } from "../webhook.ts";
import { reasonOf } from "../../store/probe.ts";
import { reportingWait } from "../../store/clock.ts";

export async function checkNotifiers(
  environment: Environment,
  configuration: Configuration,
): Promise<Check[]> {
  const given = { environment, configuration };
  const { hub, indexNow, url } = configuration.site;
  const checks = await Promise.all([
    checked("CloudFront", async () => {
      const settings = cloudFrontOf(given);
      return settings && checkCloudFront(settings);
    }),
    checked("Cloudflare", async () => {
      const settings = cloudflareOf(given);
      return settings && checkCloudflare(settings);
    }),
    checked("hub", async () => (hub === undefined ? undefined : checkHub(hub, environment))),
    checked("IndexNow", async () => indexNow && checkIndexNow(indexNow.key, url, environment)),
  ]);
  return checks.flatMap((check) => check ?? []);
}

async function checked(name: string, check: () => Promise<Check | undefined>): Promise<Check | undefined> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof NotNotified) return broken(name, error.facts.seen, error.facts.remedy);
    if (error instanceof CredentialsUnreadable) return wrongSetting(name, error.message, "fix that file");
    const wrong = error instanceof WrongSettings ? error.wrong[0] : undefined;
    if (wrong === undefined) throw error;
    return wrongSetting(name, `${wrong.name}: ${wrong.problem}`, `set ${wrong.name} where the worker runs`);
  }
}

const tagHeader = "x-amz-meta-cache-tag";

/** Checks whether the distribution reads cache tags. The permission to purge is a separate one, which only a purge can test. */
export async function checkCloudFront(settings: CloudFrontSettings): Promise<Check> {
  const name = "CloudFront";
  const answer = await askCloudFront("GET", "config", settings);
  const permission = "cloudfront:GetDistributionConfig";
  if (answer.status === 403 && answer.text.includes("<Code>AccessDenied<")) {
    const looked = "the AWS credentials are valid, but may not read the distribution's settings";
    return warning(name, looked, `to check the settings too, allow ${permission}`);
  }
  if (answer.status !== 200) throw refusedByCloudFront(answer, settings, permission);
  const header = /<CacheTagConfig>\s*<HeaderName>([^<]+)</.exec(answer.text)?.[1];
  if (settings.by === "path" || header?.toLowerCase() === tagHeader)
    return right(name, `distribution ${settings.distribution} found, purged by ${settings.by}`);
  const without = header === undefined ? "reads no cache tags" : `reads cache tags from ${header}`;
  const remedy = `set its CacheTagConfig to ${tagHeader}, or cdn.cloudfront.by to "path"`;
  return broken(name, `distribution ${settings.distribution} ${without}`, remedy);
}

/** Verifies the token. Only a purge can test its permission to purge. */
export async function checkCloudflare(settings: CloudflareSettings): Promise<Check> {
  const answer = await askCloudflare("GET", "user/tokens/verify", settings);
  if (isSuccess(answer) && answer.text.includes('"active"'))
    return right("Cloudflare", `the token is active; zone ${settings.zone} is purged by ${settings.by}`);
  const { seen: refusal } = refusedByCloudflare(answer, settings).facts;
  const remedy = 'set ALMANAC_CLOUDFLARE_TOKEN to a user token with the permission "Cache Purge"';
  return broken("Cloudflare", refusal, remedy);
}

async function checkHub(hub: string, { proxies }: Environment): Promise<Check> {
  const { status } = await callOutside({ url: new URL(hub), method: "GET", headers: {} }, proxies);
  return right("hub", `${new URL(hub).host} answers (HTTP ${status} to a test request)`);
}

/** Looks for the key file as a search engine does. */
async function checkIndexNow(key: string, siteUrl: string, { proxies }: Environment): Promise<Check> {
  const url = keyLocationOf(siteUrl);
  const { status, text } = await callOutside({ url, method: "GET" }, proxies);
  if (status === 200 && text === key) return right("IndexNow", `${url.href} contains the key`);
  const seen = status === 200 ? `${url.href} contains another key` : `${url.href} answers HTTP ${status}`;
  return warning("IndexNow", seen, "run `almanac publish`, then check site.url and the site's web server");
}

export async function checkWebhooks(environment: Environment): Promise<Check[]> {
  const { alertUrl, pingUrl, publishedUrl, purgeUrl, proxies } = environment;
  const named = [
    ["alerts", "ALMANAC_ALERT_URL", alertUrl],
    ["ping", "ALMANAC_PING_URL", pingUrl],
    ["published", "ALMANAC_PUBLISHED_URL", publishedUrl],
    ["purge", "ALMANAC_PURGE_URL", purgeUrl],
  ] as const;
  const checks = named.map(([name, variable, from]) =>
    checked(name, async () => from && checkWebhook(name, variable, from, proxies)),
  );
  return (await Promise.all(checks)).flatMap((check) => check ?? []);
}

async function checkWebhook(
  name: string,
  variable: string,
  from: SecretFrom,
  proxies: Environment["proxies"],
): Promise<Check> {
  const url = URL.parse(readerOf(from)().reveal());
  if (url === null) return wrongSetting(name, `${variable} contains no URL`, `set ${variable} to a URL`);
  try {
    const head = () => answerFrom({ url, method: "HEAD" }, proxies, (response) => response.status);
    const status = await reportingWait(`the server of ${variable}`, answerMs, head);
    return right(name, `the server of ${variable} answers (HTTP ${status} to a test request)`);
  } catch (error) {
    const seen = `${variable}: ${url.host} does not answer: ${reasonOf(error)}`;
    return broken(name, seen, `check that ${variable} is correct, and that this machine can reach it`);
  }
}
