// The vault's answers, sheet by sheet in the order of their keys: captures, stand-ins and quarantined answers. They are read
// from the listings one by one, so that no vault is too large.
import type { RequestKey } from "../../readings/request.ts";
import { answerKeys, type AnswerPlace, answerPlaces, type Vault } from "../../vault/vault.ts";

export interface SheetKeys {
  /** `daily/2026-11-21/hi/daily-horoscope/` */
  readonly sheet: string;
  readonly keys: readonly { readonly place: AnswerPlace; readonly key: RequestKey }[];
}

export async function* sheetsUnder(prefixes: readonly string[], vault: Vault): AsyncGenerator<SheetKeys> {
  for (const prefix of prefixes) {
    const listings = answerPlaces.map((place) => inSheets(place, answerKeys(vault.store, place, prefix)));
    yield* together(listings);
  }
}

async function* inSheets(place: AnswerPlace, listed: AsyncIterable<RequestKey>) {
  let keys: { place: AnswerPlace; key: RequestKey }[] = [];
  let sheet = "";
  for await (const key of listed) {
    const own = key.slice(0, key.lastIndexOf("/") + 1);
    if (own !== sheet && keys.length > 0) {
      yield { sheet, keys };
      keys = [];
    }
    sheet = own;
    keys.push({ place, key });
  }
  if (keys.length > 0) yield { sheet, keys };
}

/** Each listing is in order, so the sheet that comes next is at the head of one of them. */
async function* together(listings: readonly AsyncGenerator<SheetKeys>[]) {
  const heads = await Promise.all(listings.map(async (listing) => ({ listing, at: await listing.next() })));
  for (;;) {
    const [first] = heads.flatMap(({ at }) => (at.done === true ? [] : [at.value.sheet])).sort();
    if (first === undefined) return;
    const keys: SheetKeys["keys"][number][] = [];
    for (const head of heads) {
      if (head.at.done === true || head.at.value.sheet !== first) continue;
      keys.push(...head.at.value.keys);
      head.at = await head.listing.next();
    }
    yield { sheet: first, keys };
  }
}
