// Requests the time of a server of the service: one request without credentials, of which only the header is read.
import { reportingWait } from "../store/waits.ts";
import type { Proxies } from "./connection-settings.ts";
import { proxyAgentFor } from "./connection.ts";

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
