// Checks whether the addresses for alerts, for the ping, for announcements and for purges can be reached, without a message: no webhook
// takes HEAD for one, and any answer shows that the way is open.
import { request } from "undici";
import { proxyAgentFor } from "../../service/connection.ts";
import { reasonOf } from "../../store/probe.ts";
import { reportingWait } from "../../store/waits.ts";
import { CredentialsUnreadable, readerOf } from "../settings/credentials.ts";
import type { Environment, SecretFrom } from "../settings/environment.ts";
import { broken, type Check, right, wrongSetting } from "./check.ts";

const answerMs = 10_000;

export async function checkWebhooks(environment: Environment): Promise<Check[]> {
  const { alertUrl, pingUrl, publishedUrl, purgeUrl, proxies } = environment;
  const named = [
    ["alerts", "ALMANAC_ALERT_URL", alertUrl],
    ["ping", "ALMANAC_PING_URL", pingUrl],
    ["published", "ALMANAC_PUBLISHED_URL", publishedUrl],
    ["purge", "ALMANAC_PURGE_URL", purgeUrl],
  ] as const;
  const checks = named.map(([name, variable, from]) => checkWebhook(name, variable, from, proxies));
  return (await Promise.all(checks)).flat();
}

async function checkWebhook(
  name: string,
  variable: string,
  from: SecretFrom | undefined,
  proxies: Environment["proxies"],
): Promise<Check[]> {
  if (from === undefined) return [];
  const url = addressIn(from);
  if (url instanceof CredentialsUnreadable) return [wrongSetting(name, url.message, "fix that file")];
  if (url === null) return [wrongSetting(name, `${variable} contains no URL`, `set ${variable} to a URL`)];
  const dispatcher = proxyAgentFor(1, answerMs, proxies);
  try {
    const signal = AbortSignal.timeout(answerMs);
    const head = () => request(url, { method: "HEAD", dispatcher, signal });
    const { statusCode, body } = await reportingWait(`the server of ${variable}`, answerMs, head);
    await body.dump();
    return [right(name, `the server of ${variable} answers (HTTP ${statusCode} to a test request)`)];
  } catch (error) {
    const seen = `${variable}: ${url.host} does not answer: ${reasonOf(error)}`;
    return [broken(name, seen, `check that ${variable} is correct, and that this machine can reach it`)];
  } finally {
    await dispatcher.destroy();
  }
}

function addressIn(from: SecretFrom): URL | null | CredentialsUnreadable {
  try {
    return URL.parse(readerOf(from)().reveal());
  } catch (error) {
    if (error instanceof CredentialsUnreadable) return error;
    throw error;
  }
}
