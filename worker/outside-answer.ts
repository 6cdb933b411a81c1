// One question to a server of others, such as a webhook's or a CDN's: through the proxy, with a bound on its time, and no redirect
// followed.
import type { Response } from "undici";
import { codeOf } from "../store/folder-faults.ts";
import type { Environment } from "./settings/environment.ts";

export interface OutsideQuestion {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const answerMs = 5_000;

/**
 * undici is loaded here, because commands that send nothing are quicker without it. The agent ends with the answer, because a few
 * messages a night are not worth a connection that keeps the process alive.
 */
export async function answerFrom<Answer>(
  { url, ...what }: OutsideQuestion,
  proxies: Environment["proxies"],
  read: (response: Response) => Answer | Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const { fetch } = await import("undici");
  const { proxyAgentFor } = await import("../service/connection.ts");
  const dispatcher = proxyAgentFor(1, answerMs, proxies);
  const signals = [AbortSignal.timeout(answerMs), ...(signal === undefined ? [] : [signal])];
  try {
    return await read(
      await fetch(url, { ...what, dispatcher, redirect: "manual", signal: AbortSignal.any(signals) }),
    );
  } finally {
    await dispatcher.destroy();
  }
}

/** Whether a status says that the same may go well later. */
export function passes(status: number): boolean {
  return status === 429 || status >= 500;
}

/** The code of an error, never its message, which may hold the address. */
export function shortReasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "it could not be reached";
  return codeOf(cause) ?? cause.name;
}
