// The connections to one endpoint, kept for all calls on it. They are apart from service/limits.ts, because commands that
// make no call need that file and not undici, which takes a tenth of a second to load.
import { EnvHttpProxyAgent } from "undici";
import type { EndpointName } from "../readings/tables.ts";
import type { ConnectionSettings, Proxies } from "./limits.ts";
import { reportingWait } from "../store/clock.ts";

/** Everything a call needs that is the same for all calls on its endpoint. */
export function openConnection(endpoint: EndpointName, settings: ConnectionSettings) {
  const base = settings.endpoints[endpoint];
  if (base === undefined) return undefined;
  const { origin, pathname } = new URL(base);
  const { connectMs, answerMs } = settings.timeouts[endpoint];
  if (connectMs >= answerMs) {
    throw new RangeError(
      `the ${endpoint} endpoint: the connect timeout must be shorter than the response timeout`,
    );
  }
  const agent = proxyAgentFor(settings.connections[endpoint], connectMs, settings.proxies);
  // The endpoint's URL may have a path of its own, to which operation paths are appended.
  return { origin, basePath: pathname.replace(/\/+$/, ""), agent, answerMs };
}

/** A pool of connections that goes through the proxies it is given and asks the environment for none. */
export function proxyAgentFor(
  connections: number,
  connectTimeout: number,
  proxies?: Proxies,
): EnvHttpProxyAgent {
  // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch the check off.
  const verified = { rejectUnauthorized: true };
  return new EnvHttpProxyAgent({
    connections,
    connectTimeout,
    connect: verified,
    requestTls: verified,
    proxyTls: verified,
    // One call a connection: a broken one takes no other call with it.
    allowH2: false,
    // Whoever calls has one clock for headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
    httpProxy: proxies?.http?.reveal() ?? "",
    httpsProxy: proxies?.https?.reveal() ?? "",
    noProxy: proxies?.none ?? "",
  });
}

const connectMs = 5_000;
const answerMs = 10_000;

/** The `Date` header, whatever the answer is; undefined where none comes, or it names no time. */
export async function fetchServerTime(
  address: string,
  proxies: Proxies | undefined,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(address);
  const agent = proxyAgentFor(1, connectMs, proxies);
  try {
    const signal = AbortSignal.timeout(answerMs);
    const head = () => agent.request({ origin, path: pathname, method: "HEAD", signal });
    const { headers, body } = await reportingWait(`the time at ${origin}`, answerMs, head);
    await body.dump();
    const { date } = headers;
    return typeof date === "string" ? date : undefined;
  } catch {
    return undefined;
  } finally {
    await agent.destroy();
  }
}
