// Whether a published deck shows the answer to a request of cards.
import { type CardRequest, requestKey } from "../../readings/request.ts";
import { documents, type SeenCard } from "../../site/data.schema.ts";
import type { ReceivedReading } from "../../site/edition.ts";
import { pathOf } from "../../site/paths.ts";
import { isFrom } from "../../site/seen-cards.ts";
import type { StoredResponse } from "../../vault/stored-response.ts";
import { unlessDamaged } from "../../vault/json.ts";
import { readingFrom } from "../../vault/stored-readings.ts";
import type { Vault } from "../../vault/vault.ts";
import { type PublishedSite, publishedDocument } from "./published-files.ts";

export async function isShownInDeck(
  request: CardRequest,
  published: PublishedSite,
  vault: Pick<Vault, "intactResponse">,
): Promise<boolean> {
  const { language, operation } = request;
  const response = await unlessDamaged(() => vault.intactResponse(requestKey(request)));
  if (response === undefined) return false;
  const path = pathOf({ row: "deckData", language, operation });
  const deck = await unlessDamaged(() => publishedDocument(published, path, documents.deck));
  const received = readable(response);
  const isOf = (seen: SeenCard) =>
    received === undefined
      ? seen.receivedAt === response.receivedAt && seen.last === request.period
      : isFrom(seen, received);
  return deck?.cards.some(isOf) === true;
}

/** Undefined where today's code makes no reading of the answer any more: then its time identifies it. */
function readable(response: StoredResponse): ReceivedReading | undefined {
  try {
    return readingFrom(response);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}
