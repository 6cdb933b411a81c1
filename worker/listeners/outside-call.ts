// One call to a service of others, such as a CDN's: with a bound on its time, through the proxy, and no redirect followed. What
// such a service answers is never shown, for it may hold what was sent.
import { retryAfterMs } from "../../readings/retry-after.ts";
import { proxyAgentFor } from "../../service/connection.ts";
import { codeOf } from "../../store/folder-faults.ts";
import type { Environment } from "../settings/environment.ts";
import { NotTold } from "./listener.ts";

interface OutsideCall {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly text: string;
  readonly afterMs: number | undefined;
}

const answerMs = 5_000;
const longestText = 100_000;

export async function callOutside(
  { url, ...what }: OutsideCall,
  proxies: Environment["proxies"],
  signal?: AbortSignal,
): Promise<OutsideAnswer> {
  const { fetch } = await import("undici");
  const dispatcher = proxyAgentFor(1, answerMs, proxies);
  try {
    const signals = [AbortSignal.timeout(answerMs), ...(signal === undefined ? [] : [signal])];
    const response = await fetch(url, {
      ...what,
      dispatcher,
      redirect: "manual",
      signal: AbortSignal.any(signals),
    });
    const text = (await response.text()).slice(0, longestText);
    const afterMs = retryAfterMs(response.headers.get("retry-after") ?? undefined, new Date());
    return { status: response.status, text, afterMs };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? (codeOf(cause) ?? cause.name) : "no answer";
    const remedy = "see that this machine gets there";
    throw new NotTold({ seen: `${url.host} does not answer: ${why}`, remedy, again: true });
  } finally {
    await dispatcher.destroy();
  }
}

/** Whether a status says that the same may go well later. */
export function passes(status: number): boolean {
  return status === 429 || status >= 500;
}
