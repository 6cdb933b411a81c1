// Posts to an address that is as good as a password: only its host is ever told. A few tries, never a redirect.
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../activities/log.ts";
import type { Secret } from "../activities/secret.ts";
import type { Environment } from "./environment.ts";

export interface Webhook {
  /** Answers whether it arrived; says so in the log where it did not. Without a body it only asks. */
  send(body?: object): Promise<boolean>;
}

interface WebhookSettings {
  /** The variable that holds the address. */
  readonly name: string;
  readonly url: Secret;
  readonly proxies: Environment["proxies"];
  readonly log: Log;
}

const answerMs = 5_000;
const pausesMs = [1_000, 4_000];

export function createWebhook({ name, url, proxies, log }: WebhookSettings): Webhook {
  async function once(body: object | undefined): Promise<{ seen: string | undefined; again: boolean }> {
    const content =
      body === undefined
        ? { method: "GET" }
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    // Loaded here: commands that tell nobody anything are quicker without it. The agent ends with the try, because some a
    // night are not worth a connection that keeps the process alive.
    const { EnvHttpProxyAgent, fetch } = await import("undici");
    const dispatcher = new EnvHttpProxyAgent({
      httpProxy: proxies.http?.reveal() ?? "",
      httpsProxy: proxies.https?.reveal() ?? "",
      noProxy: proxies.none,
    });
    try {
      const response = await fetch(url.reveal(), {
        ...content,
        dispatcher,
        redirect: "manual",
        signal: AbortSignal.timeout(answerMs),
      });
      const { ok, status } = response;
      return { seen: ok ? undefined : `it answered ${status}`, again: status >= 500 || status === 429 };
    } catch (error) {
      return { seen: codeOf(error), again: true };
    } finally {
      await dispatcher.destroy();
    }
  }

  return {
    async send(body) {
      for (let attempt = 0; ; attempt += 1) {
        const { seen, again } = await once(body);
        if (seen === undefined) return true;
        const pauseMs = pausesMs[attempt];
        if (!again || pauseMs === undefined) {
          const { host } = new URL(url.reveal());
          log.warn(
            { webhook: name, host },
            `${name}: ${host} could not be told: ${seen}; see that it is right`,
          );
          return false;
        }
        await delay(pauseMs);
      }
    },
  };
}

/** Never the message, which may hold the address. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "it could not be reached";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
}
