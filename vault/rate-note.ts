// Who may send how much of an address' rate: one note for each address, which worker/rate-share.ts reads and changes, and a
// counter for each holder, under a key of its own, because some buckets take one write a second to a key.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import { z } from "zod";
import { paceBounds } from "../readings/call-pace.ts";
import { writeJson } from "./json.ts";
import { layout } from "./layout.ts";
import { format, type Note } from "./note.ts";
import { always, type Store } from "../store/store.ts";

const { least, most } = paceBounds.ratePerSecond;

const holderSchema = z.object({
  id: z.string(),
  /** Names the holder's counter. No two have the same; one that left leaves its own to the next that comes. */
  place: z.int().min(1),
  /** The note's epoch when this holder last wrote it. */
  epoch: z.int().min(0),
  /** The rate that this holder's configuration has. The least of all counts. */
  ratePerSecond: z.number().min(least).max(most),
  /** Calls a second that it could use. */
  wants: z.int().min(0).max(most),
  /** Calls a second that it may send: a whole number but for one holder, if the rate is none. */
  share: z.number().min(0).max(most),
  /** It sends nothing any more, but the second of its last calls is not over. */
  isGone: z.literal(true).optional(),
});
export type ShareHolder = z.infer<typeof holderSchema>;

const schema = z.object({
  /** Grows with each change, so that no two states of the note are alike. */
  epoch: z.int().min(0),
  /** In the order in which they came. */
  holders: z.array(holderSchema),
});
export type RateNote = z.infer<typeof schema>;

export function rateNote(address: ServiceAddress): Note<RateNote> {
  return { key: layout.rate(address), schema, empty: { epoch: 0, holders: [] } };
}

/** Shows the others that this holder lives: they only look whether its bytes change. */
export async function countOn(
  store: Store,
  address: ServiceAddress,
  { id, place }: Pick<ShareHolder, "id" | "place">,
  count: number,
): Promise<void> {
  await writeJson(store, layout.rateCounter(address, String(place)), { format, id, count }, always);
}

export async function counterOf(
  store: Store,
  address: ServiceAddress,
  { place }: Pick<ShareHolder, "place">,
): Promise<string | undefined> {
  return (await store.read(layout.rateCounter(address, String(place))))?.version;
}
