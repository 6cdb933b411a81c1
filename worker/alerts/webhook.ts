// Posts to an address that is as good as a password, so only its host is ever shown. It tries a few times and follows no redirect.
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../vault/log.ts";
import { codeOf } from "../../store/folder-faults.ts";
import type { Secret } from "../../service/secret.ts";
import type { Environment } from "../settings/environment.ts";
import { secureUrl } from "../../site/address.ts";

export type Webhook = ReturnType<typeof createWebhook>;

interface WebhookSettings {
  /** The variable that holds the address. */
  readonly name: string;
  /** Called at every try, because a file with the address may have changed. */
  readonly address: () => Secret;
  readonly proxies: Environment["proxies"];
  readonly log: Log;
}

const answerMs = 5_000;
const pausesMs = [1_000, 4_000];

export function createWebhook({ name, address, proxies, log }: WebhookSettings) {
  async function once(url: URL, bodyFor: ((host: string) => object) | undefined) {
    const headers = { "content-type": "application/json" };
    const content =
      bodyFor === undefined
        ? { method: "GET" }
        : { method: "POST", headers, body: JSON.stringify(bodyFor(url.host)) };
    // undici is loaded here, because commands that send nothing are quicker without it. The agent ends with the try, because a
    // few messages a night are not worth a connection that keeps the process alive.
    const { fetch } = await import("undici");
    const { proxyAgentFor } = await import("../../service/connection.ts");
    const dispatcher = proxyAgentFor(1, answerMs, proxies);
    try {
      const response = await fetch(url, {
        ...content,
        dispatcher,
        redirect: "manual",
        signal: AbortSignal.timeout(answerMs),
      });
      const { ok, status } = response;
      return { seen: ok ? undefined : `it answered ${status}`, again: status >= 500 || status === 429 };
    } catch (error) {
      return { seen: shortReasonOf(error), again: true };
    } finally {
      await dispatcher.destroy();
    }
  }

  return {
    /** Whether the message arrived; the log says where it did not. The body may know the host; without one it is a bare request. */
    async send(bodyFor?: (host: string) => object) {
      for (let attempt = 0; ; attempt += 1) {
        const url = addressIn(address);
        const { seen, again } = url instanceof URL ? await once(url, bodyFor) : { seen: url, again: true };
        if (seen === undefined) return true;
        const pauseMs = pausesMs[attempt];
        if (!again || pauseMs === undefined) {
          const whom = url instanceof URL ? `${url.host} could not be told` : "nobody could be told";
          log.warn({ webhook: name }, `${name}: ${whom}: ${seen}; see that it is right`);
          return false;
        }
        await delay(pauseMs);
      }
    },
  };
}

/** The URL, or a sentence why there is none, without the contents of the file. */
function addressIn(address: () => Secret): URL | string {
  try {
    return secureUrl(address().reveal()) ?? "its file holds no https URL";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The code of an error, never its message, which may hold the address. */
function shortReasonOf(error: unknown) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "it could not be reached";
  return codeOf(cause) ?? cause.name;
}
