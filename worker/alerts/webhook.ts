// Posts to an address that is as good as a password, so only its host is ever shown. It tries a few times and follows no redirect.
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../vault/log.ts";
import type { Secret } from "../../service/secret.ts";
import type { Environment } from "../settings/environment.ts";
import { secureUrl } from "../../site/address.ts";
import { answerFrom, passes, shortReasonOf } from "../outside-answer.ts";

export type Webhook = ReturnType<typeof createWebhook>;

interface WebhookSettings {
  /** The variable that holds the address. */
  readonly name: string;
  /** Called at every try, because a file with the address may have changed. */
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
