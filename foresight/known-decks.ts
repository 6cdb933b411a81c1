// What the published decks know: how many cards, and how many of them came up on one day alone. Nothing is read where no
// further draws are asked.
import type { Configuration } from "../readings/configuration.schema.ts";
import { decksOf, type KnownDeck } from "../readings/further-draws.ts";
import { publishedDocument } from "../publish/state/published-files.ts";
import { createPartReader } from "../publish/state/parts.ts";
import { readState } from "../publish/state/state.ts";
import { documents, type SeenCard } from "../site/data.schema.ts";
import { pathOf } from "../site/paths.ts";
import type { Store } from "../store/store.ts";
import { inParallel } from "../store/parallel-calls.ts";
import { unlessDamaged } from "../vault/json.ts";
import { concerns, type Refusal } from "../vault/refusals.ts";

/** A deck that is not published, or can't be read, counts as one of which nothing is known: that costs a few calls at most. */
export async function knownDecks(
  configuration: Configuration,
  refusals: readonly Refusal[],
  site: Store,
): Promise<KnownDeck[]> {
  if (configuration.decks.callsPerNight === 0) return [];
  const state = await unlessDamaged(() => readState(site));
  const published = { site, manifest: state?.manifest, reader: createPartReader(site) };
  return inParallel(unknownDecks(configuration, refusals), async (unknown) => {
    const { language, operation } = unknown;
    const path = pathOf({ row: "deckData", language, operation });
    const deck = await unlessDamaged(() => publishedDocument(published, path, documents.deck));
    return { ...unknown, ...countsOf(deck?.cards ?? []) };
  });
}

/** The decks as if nothing were published, of which a night asks the most that it may. */
export function unknownDecks(configuration: Configuration, refusals: readonly Refusal[]): KnownDeck[] {
  return decksOf(configuration).map(({ language, operation }) => {
    const isRefused = refusals.some((refusal) => concerns(refusal, { language, operation }));
    return { language, operation, known: 0, once: 0, isRefused };
  });
}

/** A card counts once, in whichever place or position it lay. */
function countsOf(cards: readonly SeenCard[]) {
  const days = new Map<string, Set<string>>();
  for (const { card, first, last } of cards) {
    const own = days.get(card.name) ?? new Set();
    days.set(card.name, own.add(first).add(last));
  }
  const once = [...days.values()].filter((own) => own.size === 1).length;
  return { known: days.size, once };
}
