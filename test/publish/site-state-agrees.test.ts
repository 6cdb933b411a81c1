// The judgement by the record and the one by intents and journal say the same of each state in which a publisher may stop, whatever
// somebody makes of the site's store then. The record is written next to the intents, at the same moments. This test goes with the
// intents.
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { canonical } from "../../publish/state/canonical.ts";
import type { Pointer } from "../../publish/state/manifest.schema.ts";
import { pointerSchema } from "../../publish/state/manifest.schema.ts";
import type { PublishingPlace } from "../../publish/state/publishing-place.ts";
import { signed } from "../../publish/state/signature.ts";
import { manifestPath, parseFormat, pointerPath } from "../../publish/state/state.ts";
import { findState } from "../../publish/step/found-state.ts";
import { journalNote } from "../../publish/step/journal.ts";
import { ownState } from "../../publish/step/own-state.ts";
import {
  becoming,
  type NamedState,
  type OwnRecord,
  ownRecord,
  readStateRecord,
  writeManifestCopy,
} from "../../publish/step/record.ts";
import { lookAtSite, readOwnManifest } from "../../publish/step/site-state.ts";
import { always, type Store } from "../../store/store.ts";
import { parseNote } from "../../vault/note.ts";
import { sha256 } from "../../vault/sha256.ts";
import { openMemory } from "../support/memory.ts";
import {
  bytes,
  contentOf,
  damage,
  fill,
  inMemory,
  type Snapshot,
  snapshotOf,
  through,
} from "../support/stores.ts";
import { placeOf } from "./support/six-steps.ts";
import { publishSketch } from "./support/sketch.ts";

const { privateKey: signer, publicKey } = generateKeyPairSync("ed25519");
const thief = generateKeyPairSync("ed25519").privateKey;
const json = { type: "application/json" };
const dates = ["2026-11-19", "2026-11-20", "2026-11-21"] as const;

/** The site and its vault, and a vault that has the record in place of intents and journal. */
interface World {
  readonly old: PublishingPlace;
  readonly next: PublishingPlace;
  readonly site: Store;
}

interface Moment {
  readonly stores: Snapshot;
  readonly record: ReadonlyMap<string, Uint8Array>;
}

const keyed = { signer, publicKeys: [publicKey] };
const worldOn = (site: Store, vault: Store, recordVault: Store): World => ({
  site,
  old: { ...placeOf({ site, vault }), ...keyed },
  next: { ...placeOf({ site, vault: recordVault }), ...keyed },
});

async function worldAt({ stores, record }: Moment): Promise<World> {
  const { site, vault } = inMemory();
  await fill({ site, vault }, stores);
  const recordVault = openMemory();
  for (const [key, body] of record) await recordVault.write(key, body, json, always);
  return worldOn(site, vault, recordVault);
}

const intentName = /^site\/intents\/(\d+)~([0-9a-f]{64})~/;

/** Writes to the record what a write to the vault says. */
async function mirror(record: OwnRecord, vault: Store, key: string, body: Uint8Array): Promise<void> {
  const [, version, manifest] = intentName.exec(key) ?? [];
  if (version !== undefined && manifest !== undefined) {
    const pending: NamedState = { version: Number(version), manifest };
    await writeManifestCopy(vault, pending, body);
    await record.note((one) => ({ ...one, pending, highest: pending.version }));
  }
  if (key !== journalNote.key) return;
  const { shown, underWay } = parseNote(journalNote, body);
  const { pending } = record.value;
  if (pending !== null && underWay.some(({ to }) => to === pending.manifest))
    await record.note((one) => becoming(one, pending));
  const { current } = record.value;
  if (shown === current?.manifest)
    await record.note((one) => ({ ...one, written: current, partlyWritten: [] }));
}

/** Publishes, and stops before the call of this number; false if there are not so many. */
async function publishUpTo(world: World, run: string, date: string, last = Infinity): Promise<boolean> {
  const recordVault = world.next.vault.store;
  const record = ownRecord(recordVault, await readStateRecord(world.next, undefined), 1);
  let count = 0;
  const dying = (store: Store, isVault: boolean): Store => ({
    ...through(store, async (_, make) => {
      count += 1;
      if (count >= last) throw new Error("killed");
      return make();
    }),
    async write(key, body, ...how) {
      count += 1;
      if (count >= last) throw new Error("killed");
      const answer = await store.write(key, body, ...how);
      if (isVault && answer.kind === "written") await mirror(record, recordVault, key, body);
      return answer;
    },
  });
  const { old } = world;
  const place = { ...old, site: dying(old.site, false), vault: { store: dying(old.vault.store, true) } };
  try {
    await publishSketch(place, { run, date, languages: ["en", "de", "ar"] });
    return false;
  } catch (error) {
    if (String(error) !== "Error: killed") throw error;
    return true;
  }
}

async function momentOf({ old, next }: World): Promise<Moment> {
  return {
    stores: await snapshotOf({ site: old.site, vault: old.vault.store }),
    record: await contentOf(next.vault.store),
  };
}

async function pointerOf(site: Store): Promise<Pointer | undefined> {
  const stored = await site.read(pointerPath);
  return stored && parseFormat(pointerPath, stored.body, pointerSchema);
}

async function pointTo(site: Store, pointer: Omit<Pointer, "signature">, by = signer): Promise<void> {
  await site.write(pointerPath, canonical(signed(pointer, by)), json, always);
}

/** What somebody makes of the site's store. */
const deeds: Readonly<Record<string, (site: Store, pointers: readonly Pointer[]) => Promise<unknown>>> = {
  nothing: async () => undefined,
  "the pointer removed": (site) => site.remove([pointerPath]),
  "the pointer damaged": (site) => damage(site, pointerPath),
  "a pointer of a newer format": (site) => site.write(pointerPath, bytes('{"format":2}'), json, always),
  "everything removed": async (site) => site.remove([...(await contentOf(site)).keys()]),
  "the first pointer back": async (site, [first]) =>
    first && site.write(pointerPath, canonical(first), json, always),
  "the last pointer back": async (site, pointers) => {
    const last = pointers.at(-1);
    return last && site.write(pointerPath, canonical(last), json, always);
  },
  "a state of somebody else's": async (site, pointers) => {
    const last = pointers.at(-1);
    if (last === undefined) return;
    const body = bytes(JSON.stringify({ forged: true }));
    await site.write(manifestPath(sha256(body)), body, json, always);
    await pointTo(site, { ...unsigned(last), manifest: sha256(body), version: last.version + 1 }, thief);
  },
  "another version": async (site) => {
    const pointer = await pointerOf(site);
    if (pointer !== undefined) await pointTo(site, { ...unsigned(pointer), version: 9_000 }, thief);
  },
  "manifests removed": async (site) => {
    const keys = [...(await contentOf(site)).keys()];
    return site.remove(keys.filter((key) => key.startsWith("v1/manifests/")));
  },
};

function unsigned({ signature: _old, ...pointer }: Pointer): Omit<Pointer, "signature"> {
  return pointer;
}

async function judgements({ old, next }: World) {
  const before = await findState(old);
  const after = await lookAtSite(next);
  const kindOf = (refusal: Error | undefined) =>
    refusal === undefined
      ? undefined
      : /an older state|has not published|gone|damaged|newer/.exec(refusal.message)?.[0];
  const isOurs = before.refusal === undefined && before.pointer !== undefined;
  return {
    old: { isOurs, refusal: kindOf(before.refusal) },
    next: { isOurs: ["current", "pending"].includes(after.judgement), refusal: kindOf(after.refusal) },
    after,
  };
}

test("each judgement of a state by the record is the one by intents and journal", async () => {
  let states = 0;
  const kinds = new Set<string>();
  const world = worldOn(openMemory(), openMemory(), openMemory());
  const pointers: Pointer[] = [];
  for (const [at, date] of dates.entries()) {
    const before = await momentOf(world);
    for (let call = 1; ; call += 1) {
      const struck = await worldAt(before);
      const isKilled = await publishUpTo(struck, `run ${at}`, date, call);
      const left = await momentOf(struck);
      for (const [deed, make] of Object.entries(deeds)) {
        const found = await worldAt(left);
        await make(found.site, pointers);
        const { old, next, after } = await judgements(found);
        const what = `publish ${at + 1}, stopped at call ${call}, then ${deed}`;
        expect({ what, ...next }).toEqual({ what, ...old });
        if (next.isOurs && after.pointer !== undefined) {
          const { manifest, version } = after.pointer;
          const named = { manifest, version: version === 9_000 ? after.record.value.highest : version };
          expect(await readOwnManifest(found.next, named)).toEqual((await ownState(found.old))?.manifest);
        }
        states += 1;
        kinds.add(`${after.judgement} ${next.refusal ?? ""}`.trim());
      }
      if (!isKilled) break;
    }
    await publishUpTo(world, `run ${at}`, date);
    const pointer = await pointerOf(world.site);
    if (pointer !== undefined) pointers.push(pointer);
  }
  expect(states).toBeGreaterThan(1_500);
  expect([...kinds].sort()).toEqual([
    "current",
    "foreign an older state",
    "foreign damaged",
    "foreign gone",
    "foreign has not published",
    "foreign newer",
    "nothing",
    "pending",
  ]);
});
