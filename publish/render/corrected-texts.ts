// The texts that a published state shows without a correction, or with one that was undone since. Every publish looks for them, as for
// withdrawn texts, so that a correction is shown even if its command died, and stays when the site is rolled back.
import {
  type PublishingOn,
  isPublished,
  publishedDocument,
  publishedReading,
} from "../state/published-files.ts";
import type { Language } from "../../readings/tables.ts";
import { type CardRequest, isFurtherDraw, type ReadingRequest, requestOf } from "../../readings/request.ts";
import { documents } from "../../site/data.schema.ts";
import { pathOf } from "../../site/paths.ts";
import { cardsIn, isFrom, seenName } from "../../site/seen-cards.ts";
import { inParallel } from "../../store/store.ts";
import { correctedAsReviewed, type DecidedSource } from "../../vault/approvals.ts";
import { allCorrections } from "../../vault/corrections.ts";
import { unlessDamaged } from "../../vault/files.ts";
import { storedReader } from "../../vault/stored-readings.ts";
import type { Withheld } from "../../vault/withheld.ts";

export async function outdated(
  language: Language,
  publishing: PublishingOn,
  source: DecidedSource,
): Promise<ReadingRequest[]> {
  const corrections = await allCorrections(source.withheld, language);
  const found = await inParallel(corrections.keys(), async (key) => {
    const request = requestOf(key);
    return request !== undefined && (await isOutdated(request, publishing, source)) ? [request] : [];
  });
  return found.flat();
}

async function isOutdated(
  request: ReadingRequest,
  publishing: PublishingOn,
  source: DecidedSource,
): Promise<boolean> {
  if (isFurtherDraw(request)) return isOutdatedInDeck(request, publishing, source.withheld);
  const { language } = request;
  // A person's reading has no data that would tell: its page is rendered again.
  if ("person" in request)
    return isPublished(publishing, pathOf({ row: "personPage", language, person: request.person }));
  const shown = await unlessDamaged(() => publishedReading(publishing, request));
  if (shown === undefined) return false;
  const { reading } = await correctedAsReviewed(shown, source);
  return JSON.stringify(reading) !== JSON.stringify(shown.reading);
}

/** Whether the deck has this draw of a card with another text. */
async function isOutdatedInDeck(
  request: CardRequest,
  publishing: PublishingOn,
  withheld: Withheld,
): Promise<boolean> {
  const { language, operation } = request;
  const [stored] = (await storedReader(publishing.vault, undefined, withheld)([request])).stored;
  if (stored === undefined) return false;
  const path = pathOf({ row: "deckData", language, operation });
  const deck = await unlessDamaged(() => publishedDocument(publishing, path, documents.deck));
  const texts = new Map(cardsIn(stored).map((card) => [seenName(card), textOf(card)]));
  return (
    deck?.cards.some((card) => isFrom(card, stored) && textOf(card) !== texts.get(seenName(card))) === true
  );
}

/** Without its pictures, which the site may have copies of. */
function textOf({ card }: { readonly card: object }) {
  return JSON.stringify(card, (name, value: unknown) => (name === "images" ? undefined : value));
}
