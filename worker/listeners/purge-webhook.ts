// Any other cache: an address of the operator's own is told the parts, as tags and as paths.
import { tagOf } from "../../publish/state/cache-parts.ts";
import type { Webhook } from "../alerts/webhook.ts";
import { toldInParts } from "./cache.ts";
import { type Listener, NotTold } from "./listener.ts";
import { pathsOfParts } from "./part-paths.ts";

export function createPurgeWebhook(site: string, webhook: Webhook): Listener {
  return {
    name: "webhook",
    ...toldInParts,
    async tell({ items: parts }) {
      const { exact, beginnings } = pathsOfParts(parts);
      const paths = [...exact.map((path) => `/${path}`), ...beginnings.map((path) => `/${path}*`)];
      const tags = parts.map((part) => tagOf(site, part));
      if (await webhook.send(() => ({ kind: "purge", site, tags, paths }))) return;
      const seen = "the address in ALMANAC_PURGE_URL did not take what to purge";
      throw new NotTold({ seen, remedy: "the log says why; see to that address", again: false });
    },
  };
}
