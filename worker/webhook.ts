// Requests to third-party servers, such as webhooks and CDNs: through the proxy, with a timeout, without following redirects. A
// webhook's URL is a secret, so only its host is ever shown.
import { setTimeout as delay } from "node:timers/promises";
import type { Response } from "undici";
import type { Log } from "../vault/vault.ts";
import type { Secret } from "../service/secret.ts";
import { readerOf } from "./settings/credentials.ts";
import type { Environment, SecretFrom } from "./settings/environment.ts";
import { secureUrl } from "../site/address.ts";
import { codeOf } from "../store/folder-faults.ts";

export type Webhook = ReturnType<typeof createWebhook>;

interface WebhookSettings {
  /** Name of the variable with the URL. */
  readonly name: string;
  /** Called on every attempt, because a file with the URL may have changed. */
  readonly address: () => Secret;
  readonly proxies: Environment["proxies"];
  readonly log: Log;
}

const pausesMs = [1_000, 4_000];

export function createWebhook({ name, address, proxies, log }: WebhookSettings) {
  async function once(url: URL, bodyFor: ((host: string) => object) | undefined) {
    const headers = { "content-type": "application/json" };
    const content =
      bodyFor === undefined
        ? ({ method: "GET" } as const)
        : ({ method: "POST", headers, body: JSON.stringify(bodyFor(url.host)) } as const);
    try {
      return await answerFrom({ url, ...content }, proxies, ({ ok, status }) => {
        return { seen: ok ? undefined : `it answered ${status}`, again: passes(status) };
      });
    } catch (error) {
      return { seen: shortReasonOf(error), again: true };
    }
  }

  return {
    /** Returns whether the message was delivered; logs a failure. The body may depend on the host. Without a body it sends a GET. */
    async send(bodyFor?: (host: string) => object) {
      for (let attempt = 0; ; attempt += 1) {
        const url = addressIn(address);
        const { seen, again } = url instanceof URL ? await once(url, bodyFor) : { seen: url, again: true };
        if (seen === undefined) return true;
        const pauseMs = pausesMs[attempt];
        if (!again || pauseMs === undefined) {
          const whom = url instanceof URL ? `cannot notify ${url.host}` : "cannot notify";
          log.warn({ webhook: name }, `${name}: ${whom}: ${seen}. Check the URL`);
          return false;
        }
        await delay(pauseMs);
      }
    },
  };
}

/** The webhook of a variable; undefined if the variable is not set. */
export function webhookFrom(
  name: string,
  from: SecretFrom | undefined,
  settings: Pick<WebhookSettings, "proxies" | "log">,
): Webhook | undefined {
  return from && createWebhook({ ...settings, name, address: readerOf(from) });
}

/** The URL, or a sentence explaining why there is none, without the file's contents. */
function addressIn(address: () => Secret): URL | string {
  try {
    return secureUrl(address().reveal()) ?? "its file contains no https URL";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export interface OutsideQuestion {
  readonly url: URL;
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export const answerMs = 5_000;

/**
 * undici is loaded here, because commands that send nothing are quicker without it. The agent ends with the answer, because a few
 * messages a night are not worth a connection that keeps the process alive.
 */
export async function answerFrom<Answer>(
  { url, signal, ...what }: OutsideQuestion,
  proxies: Environment["proxies"],
  read: (response: Response) => Answer | Promise<Answer>,
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

/** The code of an error, never its message, which may contain the URL. */
export function shortReasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "it is unreachable";
  return codeOf(cause) ?? cause.name;
}
