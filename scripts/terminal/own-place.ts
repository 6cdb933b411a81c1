// The place that a command's runs are for: its vault and site, by their markers. A worker of another place does not do them.
import type { Client } from "@temporalio/client";
import { identify, placeWord } from "../../vault/place-identity.ts";
import type { Opening } from "../../worker/opened-site.ts";
import { requireOwnWorker } from "../../worker/temporal/pollers.ts";

/** Throws before anything is started where the workers that are there are of another vault or site. */
export async function ownPlace({ vault, site, configuration }: Opening, client: Client): Promise<string> {
  const place = placeWord(await identify({ vault: vault.store, site }));
  await requireOwnWorker(client, configuration.site.id, place);
  return place;
}
