// A small signed site with a history (nights, a withdrawn text), damaged, and repaired as its operator would: by `repair` and a
// night, or by a withdrawal first. The result is a list of remaining errors, empty if the site is sound.
import { generateKeyPairSync } from "node:crypto";
import { placeOn } from "../../support/places.ts";
import { createAlmanac } from "../../../packages/client/almanac.js";
import { acceptState } from "../../../publish/repair/current-state.ts";
import { repair } from "../../../publish/repair/repair.ts";
import { storeSource } from "../../../publish/repair/store-source.ts";
import { verify } from "../../../publish/repair/verify.ts";
import { publish } from "../../../publish/publish.ts";
import { type Pointer, pointerSchema } from "../../../site/manifest.schema.ts";
import type { Publishing } from "../../../publish/state/publish-context.ts";
import { isSignedBy, publicHalf } from "../../../publish/step/pointer.ts";
import { pointerPath } from "../../../publish/state/state.ts";
import { lookAtSite } from "../../../publish/step/site-state.ts";
import { textOn, withdraw } from "../../../publish/withdraw.ts";
import { requestKey } from "../../../readings/request.ts";
import type { Store } from "../../../store/store.ts";
import { identify, reidentify } from "../../../vault/installation.ts";
import { createVault } from "../../../vault/vault.ts";
import { parseJson, unlessDamaged } from "../../../vault/files.ts";
import {
  contentOf,
  fill,
  inMemory,
  type Snapshot,
  snapshotOf,
  type Stores,
  through,
} from "../../support/stores.ts";
import { type Damage, forgery, inWords, strike, type Times } from "./damages.ts";
import { newSite, recordOf, requestAt } from "./published-site.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const keyed = { signer: privateKey, publicKeys: [publicKey] };
const settings = {
  operations: ["daily-tarot" as const],
  people: [],
  pairs: [],
  publishing: { unusualShare: 0.5 },
};

const taken = "daily/2026-11-20/en/daily-tarot/reading";
/** First words of a text withdrawn before the damage, */
export const withdrawnWords = "The tower of last Friday";
/** and of one withdrawn after it. */
const currentWords = "The hermit of this Saturday";
const current = "daily/2026-11-21/en/daily-tarot/reading";

export interface History {
  readonly last: Snapshot;
  readonly site: Times;
  readonly vault: Times;
  /** The documents that show texts, of any state. */
  readonly documents: readonly string[];
  readonly paths: ReadonlySet<string>;
}

let made: Promise<History> | undefined;

/** Made once a process: the keys are its own. */
export function history(): Promise<History> {
  return (made ??= makeHistory());
}

async function makeHistory(): Promise<History> {
  const site = newSite(settings);
  const place = { ...site.publishing, ...keyed };
  const snapshots: Snapshot[] = [];
  await identify({ vault: place.vault, site: place.site });
  const note = async () =>
    snapshots.push(await snapshotOf({ site: site.site, vault: site.publishing.vault.store }));
  await site.gather("2026-11-18", "2026-11-22");
  await site.keep(taken, withdrawnWords);
  await site.keep(current, currentWords);
  for (const date of ["2026-11-19", "2026-11-20"]) {
    site.setClock(`${date}T12:00:00Z`);
    await nightAt(date, place);
    await note();
  }
  await withdraw(recordOf(taken), requestAt(taken), place);
  await note();
  site.setClock("2026-11-21T12:00:00Z");
  await nightAt("2026-11-21", place);
  await note();
  const last = snapshots.at(-1) ?? { site: new Map(), vault: new Map() };
  const keys = new Set(snapshots.flatMap((one) => [...one.site.keys()]));
  return {
    last,
    site: { now: last.site, before: snapshots.slice(0, -1).map((one) => one.site) },
    vault: { now: last.vault, before: snapshots.slice(0, -1).map((one) => one.vault) },
    documents: [...keys].filter((key) => /^v1\/..\/.*\.json$/.test(key)),
    paths: new Set((await site.paths()).keys()),
  };
}

function nightAt(date: string, place: Publishing) {
  const { languages } = place.configuration;
  return publish({ run: "almanac-nightly", asOf: `${date}T12:00:00Z`, languages }, place);
}

export type Course = "repair" | "withdraw";

/** Errors that remain after these damages and the operator's course. */
export async function wrongAfter(damages: readonly Damage[], course: Course): Promise<string[]> {
  const past = await history();
  const stores = inMemory();
  await fill(stores, past.last);
  const world = newSite(settings, stores);
  world.setClock("2026-11-21T13:00:00Z");
  const watch = await newWatch(stores.site, past, world.publishing.now);
  const site = through(stores.site, async ({ doing, keys }, make) => {
    const answer = await make();
    if (doing === "write" && keys.includes(pointerPath)) await watch.look();
    return answer;
  });
  const place: Publishing = {
    ...world.publishing,
    ...keyed,
    site,
    vault: createVault(stores.vault, "almanac"),
  };
  for (const damage of damages) await strike(stores[damage.store], damage);
  await watch.look();
  const step = async (name: string, work: () => Promise<unknown>) => {
    try {
      await work();
      return true;
    } catch (error) {
      watch.wrong.add(`${name}: ${String(error)}`);
      return false;
    }
  };
  if (course === "withdraw") {
    const isTaken = await step("withdraw", async () => {
      const request = await textOn("en/daily-tarot/index.html", place);
      if (requestKey(request) !== current) watch.wrong.add(`withdraw means ${requestKey(request)}`);
      await withdraw(recordOf(requestKey(request)), request, place);
    });
    if (isTaken) watch.forbid(currentWords);
    await watch.look();
  }
  await step("repair", async () => {
    const { lost } = await repairAsTold(place);
    for (const { path } of lost) watch.wrong.add(`repair: ${path} stays lost`);
  });
  await watch.look();
  await step("after repair", () => requireSound("after repair", place, stores.site, watch));
  await step("identity", () => identifyAsTold(stores));
  world.setClock("2026-11-22T12:00:00Z");
  await step("night", () => nightAt("2026-11-22", place));
  await step("after the night", () => requireSound("after the night", place, stores.site, watch));
  await watch.look();
  await watch.lookAgain();
  const after = await unlessDamaged(() => world.paths());
  if (course === "repair") {
    const gone = [...past.paths].filter((path) => after?.has(path) !== true);
    if (gone.length > 0) watch.wrong.add(`${gone.length} paths are gone, such as ${gone[0]}`);
  }
  const more = damages.length > 2 ? ` and ${damages.length - 2} more` : "";
  const told = damages.slice(0, 2).map(inWords).join(" + ") + more;
  return [...watch.wrong].map((what) => `${course} after ${told}: ${what}`);
}

/** Gives the operator's confirmation if the report asks for it. */
async function repairAsTold(place: Publishing) {
  try {
    return await repair(place, true);
  } catch (error) {
    const [, manifest] = /`almanac repair --accept ([0-9a-f]{64})`/.exec(String(error)) ?? [];
    if (manifest === undefined) throw error;
    await acceptState(place, manifest, { by: "editor" });
    return repair(place, true);
  }
}

/** Same step as at a worker's start. */
async function identifyAsTold(stores: Stores) {
  try {
    return await identify(placeOn(stores));
  } catch (error) {
    if (!String(error).includes("`almanac repair --new-vault`")) throw error;
    return reidentify(placeOn(stores));
  }
}

async function requireSound(
  when: string,
  place: Publishing,
  site: Store,
  { wrong, forbidden }: { readonly wrong: Set<string>; readonly forbidden: ReadonlySet<string> },
) {
  const { findings } = await verify(storeSource(site), { publicKeys: [publicKey], now: place.now });
  for (const { path, seen } of findings) wrong.add(`${when}: ${path}: ${seen}`);
  const { refusal } = await lookAtSite(place);
  if (refusal !== undefined) wrong.add(`${when}: ${refusal.message}`);
  for (const [path, body] of await contentOf(site)) {
    if (/^v1\/(objects|manifests)\//.test(path)) continue; // nobody is led to the unused ones
    const text = Buffer.from(body).toString();
    for (const words of forbidden) if (text.includes(words)) wrong.add(`${when}: ${path} has "${words}"`);
  }
}

/** A client that has the key, from before the damage on, and one that comes afterwards. */
async function newWatch(site: Store, { documents }: History, now: () => Date) {
  const wrong = new Set<string>();
  const forbidden = new Set([forgery, withdrawnWords]);
  const versions = new Map<number, string>();
  const client = newClient(site, now);
  const read = async (reader: typeof client, when: string) => {
    const shown = await Promise.all(
      documents.map(async (path) => {
        const answer = await reader.document(path).catch(() => undefined);
        return [path, JSON.stringify(answer?.data ?? null)] as const;
      }),
    );
    for (const [path, text] of shown)
      for (const words of forbidden)
        if (text.includes(words)) wrong.add(`${when} shows "${words}" on ${path}`);
  };
  const look = async () => {
    await read(client, "a client");
    const pointer = await followed(site);
    if (pointer === undefined) return;
    const before = versions.get(pointer.version);
    if (before !== undefined && before !== pointer.manifest)
      wrong.add(`version ${pointer.version} was used twice`);
    versions.set(pointer.version, pointer.manifest);
  };
  await look();
  return {
    wrong,
    forbidden,
    look,
    forbid: (words: string) => void forbidden.add(words),
    lookAgain: () => read(newClient(site, now), "a new client"),
  };
}

async function followed(site: Store): Promise<Pointer | undefined> {
  const stored = await site.read(pointerPath);
  if (stored === undefined) return undefined;
  const pointer = await unlessDamaged(async () => parseJson(pointerPath, stored.body, pointerSchema));
  return pointer !== undefined && isSignedBy(pointer, [publicKey]) ? pointer : undefined;
}

function newClient(site: Store, now: () => Date) {
  const url = "https://almanac.example/";
  return createAlmanac({
    url,
    keys: [publicHalf(publicKey)],
    now: () => now().getTime(),
    async fetch(address) {
      const text = await site.read(address.slice(url.length));
      return text === undefined
        ? new Response(null, { status: 404 })
        : new Response(new Uint8Array(text.body));
    },
  });
}
