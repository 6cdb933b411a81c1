import { describe, expect, test } from "vitest";
import { ownKey, placeOn } from "../support/places.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { always, type Store } from "../../store/store.ts";
import { layout, siteLayout } from "../../vault/files.ts";
import { identify, reidentify, requireKinds } from "../../vault/installation.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";
import { damage, fill, inMemory, keysOf, snapshotOf, textAt } from "../support/stores.ts";

const response = layout.response("daily/2026-11-21/en/daily-horoscope/leo");
const put = (store: Store, key: string) =>
  store.write(key, Buffer.from('{ "manifest": "one" }'), { type: "" }, always);

test("the first use creates a marker in both stores, the same for all concurrent and later users", async () => {
  const stores = inMemory();
  const all = await Promise.all([
    identify(placeOn(stores)),
    identify(placeOn(stores)),
    identify(placeOn(stores)),
  ]);
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await keysOf(stores.vault)).toEqual(["vault.json"]);
  expect(await keysOf(stores.site)).toEqual(["v1/marker.json"]);
  const copy = inMemory();
  await fill(copy, await snapshotOf(stores));
  expect(await identify(placeOn(copy))).toEqual(all[0]);
  expect(await identify(placeOn(inMemory()))).not.toEqual(all[0]);
});

test("an old vault and an old site are taken over, and a lost or damaged marker is made again from the other", async () => {
  const stores = inMemory();
  await put(stores.vault, response);
  await put(stores.site, pointerPath);
  const identity = await identify(placeOn(stores));
  for (const store of [stores.vault, stores.site]) {
    const key = (await keysOf(store)).find((one) => /(marker|vault)\.json$/.test(one)) ?? "";
    await damage(store, key);
    expect(await identify(placeOn(stores))).toEqual(identity);
    await store.remove([key]);
    expect(await identify(placeOn(stores))).toEqual(identity);
    const text = (await textAt(store, key)) ?? "";
    const name = store === stores.vault ? identity.vault : identity.site;
    const other = (name.startsWith("0") ? "1" : "0") + name.slice(1); // one flipped bit
    await store.write(key, Buffer.from(text.replace(name, other)), { type: "" }, always);
    expect(await identify(placeOn(stores))).toEqual(identity);
  }
});

test("an empty vault next to a published site counts as a missing disk, until an operator declares it lost", async () => {
  for (const isMarked of [true, false]) {
    const stores = inMemory();
    await put(stores.vault, response);
    await put(stores.site, pointerPath);
    const before = isMarked ? await identify(placeOn(stores)) : undefined;
    const off = { vault: openMemory(), site: stores.site };
    await expect(identify(placeOn(off))).rejects.toThrow(
      "the vault is empty, although the site was published",
    );
    expect(await keysOf(off.vault)).toEqual([]);
    await put(off.vault, ownKey(siteLayout.lease)); // a publisher takes it first
    await expect(identify(placeOn(off))).rejects.toThrow(
      "the vault is empty, although the site was published",
    );
    const after = await reidentify(placeOn(off));
    expect(after.vault).not.toBe(before?.vault);
    expect(await identify(placeOn(off))).toEqual(after);
    if (isMarked) await expect(identify(placeOn(stores))).rejects.toThrow("belongs to the site");
  }
});

test("an empty site gets no marker if the vault has published one, because its disk may be missing", async () => {
  const stores = inMemory();
  const identity = await identify(placeOn(stores));
  await put(stores.vault, ownKey(siteLayout.manifestCopy("1", "a".repeat(64))));
  const off = { vault: stores.vault, site: openMemory() };
  expect(await identify(placeOn(off))).toEqual(identity);
  expect(await keysOf(off.site)).toEqual([]);
});

test("a vault and a site of different installations are not used together", async () => {
  const [one, other] = [inMemory(), inMemory()];
  await identify(placeOn(one));
  await identify(placeOn(other));
  await expect(identify(placeOn({ vault: one.vault, site: other.site }))).rejects.toThrow(
    /Correct ALMANAC_VAULT or ALMANAC_SITE/,
  );
});

test("two sites of a vault are named there, and one id is of one site", async () => {
  const { vault, site } = inMemory();
  const other = { vault: createVault(vault, "other"), site: openMemory() };
  const [first, second] = [await identify(placeOn({ vault, site })), await identify(other)];
  expect(second.vault).toBe(first.vault);
  expect(second.site).not.toBe(first.site);
  await expect(identify(placeOn({ vault, site: other.site }))).rejects.toThrow(
    `the vault ${first.vault} belongs to the site ${first.site}, but the site ${second.site}`,
  );
  const renamed = { vault: createVault(vault, "renamed"), site };
  await expect(identify(renamed)).rejects.toThrow('Set site.id to "almanac"');
  await put(vault, response);
  await vault.remove(["vault.json"]);
  expect([await identify(other), await identify(placeOn({ vault, site }))]).toEqual([second, first]);
});

describe("the sites of a vault", () => {
  const namespace = "default";
  const plain = { languages: ["en"], operations: ["daily-horoscope"] };
  const born = { id: "ada", fullName: "Ada Example", birthDate: "1990-05-17" };
  const configured = (more: object) => configurationSchema.parse({ ...plain, ...more });

  async function twoSites() {
    const { vault, site } = inMemory();
    const [one, two] = [placeOn({ vault, site }), { vault: createVault(vault, "two"), site: openMemory() }];
    return { vault, one, two };
  }

  test("use one namespace", async () => {
    const { one, two } = await twoSites();
    await identify(one, { configuration: configured({}), namespace });
    await expect(identify(two, { configuration: configured({}), namespace: "staging" })).rejects.toThrow(
      'the site "almanac" of this vault uses the Temporal namespace "default", but this project uses "staging". Set TEMPORAL_NAMESPACE to "default"',
    );
    await identify(two, { configuration: configured({}), namespace });
  });

  test.each<[what: string, more: ConfigurationInput]>([
    ["rate", { service: { ratePerSecond: { english: 3 } } }],
    ["ceiling", { service: { callsPerDay: 100 } }],
    ["cards", { cards: { "daily-tarot": { count: 3 } } }],
    ["rules", { quality: { rules: { short: "warn" } } }],
    ["zones", { zones: { hi: "Asia/Kathmandu" } }],
    ["people", { people: [born] }],
  ])("have the same %s, until both change it", async (_what, more) => {
    const { vault, one, two } = await twoSites();
    await identify(one, { configuration: configured({}), namespace });
    await identify(one, { configuration: configured(more), namespace }); // the only site of a vault may change them
    await identify(one, { configuration: configured({}), namespace });
    const refusal = 'the site "almanac" of this vault uses other cards';
    await expect(identify(two, { configuration: configured(more), namespace })).rejects.toThrow(refusal);
    await expect(identify(one, { configuration: configured({}), namespace })).rejects.toThrow(
      'the site "two"',
    );
    await identify(one, { configuration: configured(more), namespace });
    await identify(two, { configuration: configured(more), namespace });
    const text = (await textAt(vault, "vault.json")) ?? "";
    for (const secret of [born.fullName, born.birthDate]) expect(text).not.toContain(secret);
  });

  test("may differ in the fields of a request key, and in the order of settings", async () => {
    const { one, two } = await twoSites();
    const zones = { hi: "Asia/Kathmandu", ja: "Asia/Seoul" };
    await identify(one, { configuration: configured({ zones }), namespace });
    const reversed = { zones: { ja: zones.ja, hi: zones.hi }, languages: ["hi"], site: { id: "two" } };
    await identify(two, { configuration: configured(reversed), namespace });
  });
});

test.each(["captures/daily/a.json", "site/record/1.json", "marker.json"])(
  "a vault with %s of an earlier version is refused",
  async (key) => {
    const { vault, site } = inMemory();
    await put(vault, key);
    await put(vault, "vault.json");
    await expect(requireKinds(placeOn({ vault, site }))).rejects.toThrow(
      "the vault has the layout of an earlier version of Almanac",
    );
  },
);
