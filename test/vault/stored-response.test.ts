import { expect, test } from "vitest";
import { StoreFailure, type Store } from "../../store/store.ts";
import { layout } from "../../vault/files.ts";
import { createVault } from "../../vault/vault.ts";
import { storedResponseWith } from "../support/stored-responses.ts";
import { openMemory } from "../support/memory.ts";
import { damage, keysOf, textAt, through } from "../support/stores.ts";

const leo = "daily/2026-11-21/en/daily-horoscope/leo";
const virgo = leo.replace("leo", "virgo");
const first = storedResponseWith(leo, "first");

async function vaultWith(file: string): Promise<{ store: Store; vault: ReturnType<typeof createVault> }> {
  const store = openMemory();
  await store.write(
    layout.response(leo),
    new TextEncoder().encode(file),
    { type: "text/plain" },
    { kind: "always" },
  );
  return { store, vault: createVault(store, "almanac") };
}

const damages = {
  "no JSON": "dam",
  "nothing at all": "",
  "of another form": JSON.stringify({ format: 1, key: leo }),
  "with another body": JSON.stringify({ ...first, body: "other" }),
  "with the answer to another request": JSON.stringify(storedResponseWith(virgo, "virgo's")),
};

test.for(Object.entries(damages))(
  "one that is %s is damaged, and another answer takes its place without its bytes being lost",
  async ([, file]) => {
    const { store, vault } = await vaultWith(file);
    await expect(vault.response(leo)).rejects.toThrow(/leo/);
    expect(await vault.intactResponse(leo)).toBeUndefined();
    expect(await vault.damagedAmong([leo, virgo])).toEqual([{ key: leo, reason: expect.any(String) }]);
    expect(await keysOf(store, "damaged/")).toEqual([]);
    const second = storedResponseWith(leo, "second");
    expect(await vault.storeResponse(second)).toEqual(second);
    expect(await vault.response(leo)).toEqual(second);
    const copies = await keysOf(store, "damaged/");
    expect(await Promise.all(copies.map((key) => textAt(store, key)))).toEqual([file]);
    expect(await vault.withDamage()).toEqual([leo]);
    expect(await vault.damagedAmong([leo])).toEqual([]);
  },
);

test("a response of a newer version is not damaged, and nothing replaces it", async () => {
  const newer = JSON.stringify({ format: 2, anything: "else" });
  const { store, vault } = await vaultWith(newer);
  expect(await vault.copyDamaged([leo])).toEqual([]);
  await expect(vault.storeResponse(first)).rejects.toThrow("cannot read");
  expect(await textAt(store, layout.response(leo))).toBe(newer);
  expect(await keysOf(store, "damaged/")).toEqual([]);
});

test("a store without a response is no damage", async () => {
  const { store } = await vaultWith("damaged");
  const facts = { doing: "read", key: leo, place: "here", seen: "nothing", remedy: "wait" } as const;
  const away = through(store, ({ doing }, make) =>
    doing === "read" ? Promise.reject(new StoreFailure(facts)) : make(),
  );
  const vault = createVault(away, "almanac");
  await expect(vault.intactResponse(leo)).rejects.toThrow(StoreFailure);
  await expect(vault.copyDamaged([leo])).rejects.toThrow(StoreFailure);
  await expect(vault.storeResponse(first)).rejects.toThrow(StoreFailure);
  expect(await textAt(store, layout.response(leo))).toBe("damaged");
});

test("of several responses for a damaged one, the first is stored, and every caller gets it", async () => {
  const { store, vault } = await vaultWith("damaged");
  const answers = ["one", "two", "three"].map((body) => storedResponseWith(leo, body));
  const stored = await Promise.all(answers.map((one) => vault.storeResponse(one)));
  expect(new Set(stored.map(({ body }) => body)).size).toBe(1);
  expect(await vault.response(leo)).toEqual(stored[0]);
  // A response that is damaged again meanwhile is not lost either.
  await damage(store, layout.response(leo));
  expect(await vault.storeResponse(first)).toEqual(first);
  expect(await keysOf(store, "damaged/")).toHaveLength(1);
});
