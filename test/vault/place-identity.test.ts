import { ownKey, placeOn } from "../support/places.ts";
import { expect, test } from "vitest";
import { pointerPath } from "../../publish/state/state.ts";
import { always, type Store } from "../../store/store.ts";
import { layout, siteLayout } from "../../vault/layout.ts";
import { identify, identifyAnew } from "../../vault/place-identity.ts";
import { openMemory } from "../support/memory.ts";
import { damage, fill, inMemory, keysOf, snapshotOf, textAt } from "../support/stores.ts";

const capture = layout.response("daily/2026-11-21/en/daily-horoscope/leo");
const put = (store: Store, key: string) =>
  store.write(key, Buffer.from('{ "manifest": "one" }'), { type: "" }, always);

test("first use makes a marker in each, the same for all who come at once and later", async () => {
  const place = inMemory();
  const all = await Promise.all([
    identify(placeOn(place)),
    identify(placeOn(place)),
    identify(placeOn(place)),
  ]);
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await keysOf(place.vault)).toEqual(["vault.json"]);
  expect(await keysOf(place.site)).toEqual(["v1/marker.json"]);
  const copy = inMemory();
  await fill(copy, await snapshotOf(place));
  expect(await identify(placeOn(copy))).toEqual(all[0]);
  expect(await identify(placeOn(inMemory()))).not.toEqual(all[0]);
});

test("an old vault and an old site are taken over, and a lost or damaged marker is made anew from the other", async () => {
  const place = inMemory();
  await put(place.vault, capture);
  await put(place.site, pointerPath);
  const identity = await identify(placeOn(place));
  for (const store of [place.vault, place.site]) {
    const key = (await keysOf(store)).find((one) => /(marker|vault)\.json$/.test(one)) ?? "";
    await damage(store, key);
    expect(await identify(placeOn(place))).toEqual(identity);
    await store.remove([key]);
    expect(await identify(placeOn(place))).toEqual(identity);
    const text = (await textAt(store, key)) ?? "";
    const name = store === place.vault ? identity.vault : identity.site;
    const other = (name.startsWith("0") ? "1" : "0") + name.slice(1); // as one bit makes of it
    await store.write(key, Buffer.from(text.replace(name, other)), { type: "" }, always);
    expect(await identify(placeOn(place))).toEqual(identity);
  }
});

test("an empty vault beside a published site is one whose disk is off, until a person says that it is lost", async () => {
  for (const isMarked of [true, false]) {
    const place = inMemory();
    await put(place.vault, capture);
    await put(place.site, pointerPath);
    const before = isMarked ? await identify(placeOn(place)) : undefined;
    const off = { vault: openMemory(), site: place.site };
    await expect(identify(placeOn(off))).rejects.toThrow(
      "the vault is empty, although the site was published",
    );
    expect(await keysOf(off.vault)).toEqual([]);
    await put(off.vault, ownKey(siteLayout.lease)); // whoever would publish there takes it first
    await expect(identify(placeOn(off))).rejects.toThrow(
      "the vault is empty, although the site was published",
    );
    const after = await identifyAnew(placeOn(off));
    expect(after.vault).not.toBe(before?.vault);
    expect(await identify(placeOn(off))).toEqual(after);
    if (isMarked) await expect(identify(placeOn(place))).rejects.toThrow("belongs to the site");
  }
});

test("a site that is empty although the vault published one gets no marker: it may be its disk that is off", async () => {
  const place = inMemory();
  const identity = await identify(placeOn(place));
  await put(place.vault, ownKey(siteLayout.manifestCopy("1", "a".repeat(64))));
  const off = { vault: place.vault, site: openMemory() };
  expect(await identify(placeOn(off))).toEqual(identity);
  expect(await keysOf(off.site)).toEqual([]);
});

test("a vault and a site that belong to others are not used together", async () => {
  const [one, other] = [inMemory(), inMemory()];
  await identify(placeOn(one));
  await identify(placeOn(other));
  await expect(identify(placeOn({ vault: one.vault, site: other.site }))).rejects.toThrow(
    /correct ALMANAC_VAULT or ALMANAC_SITE/,
  );
});
