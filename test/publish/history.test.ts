import { expect, test } from "vitest";
import type { Store } from "../../store/store.ts";
import { history, type PastState } from "../../publish/history/past-states.ts";
import { manifestPath } from "../../publish/state/state.ts";
import { newSite } from "./support/published-site.ts";
import { watched } from "../support/stores.ts";

async function statesOf(site: Store): Promise<PastState[]> {
  const states: PastState[] = [];
  for await (const state of history(site)) states.push(state);
  return states;
}

/** English, then Hindi, then both a day later. */
async function threeStates() {
  const site = newSite({ operations: ["daily-horoscope", "daily-tarot"] });
  await site.gather("2026-11-20", "2026-11-22");
  await site.night(["en"]);
  await site.night(["hi"]);
  const before = await site.paths();
  site.setClock("2026-11-22T12:00:00Z");
  await site.night();
  return { site, before };
}

test("lists every published state, newest first, with its changes in each language", async () => {
  const { site, before } = await threeStates();
  const states = await statesOf(site.site);
  expect(states.map(({ version, parent }) => [version, parent])).toEqual([
    [3, "there"],
    [2, "there"],
    [1, "none"],
  ]);
  const [newest, , first] = states;
  const now = [...(await site.paths())];
  const changes = ["en", "hi", "shared"].map((of) => {
    const own = now.filter(([path]) => (/^(?:v1\/)?(en|hi)\//.exec(path)?.[1] ?? "shared") === of);
    const held = own.filter(([path]) => before.has(path));
    const changed = held.filter(([path, object]) => before.get(path) !== object).length;
    return { of, new: own.length - held.length, changed, gone: 0 };
  });
  expect(newest?.changes).toEqual(changes);
  expect(changes.every(({ changed }) => changed > 0)).toBe(true);
  expect(first?.changes?.map(({ of }) => of)).toEqual(["en", "shared"]);
  expect(first?.changes?.every(({ changed, gone }) => changed + gone === 0)).toBe(true);
  expect(newest).toMatchObject({ run: "almanac-nightly", publishedAt: "2026-11-22T12:00:00.000Z" });
  expect(first?.publishedAt).toBeUndefined();
});

test("returns the newest state before it reads any older one", async () => {
  const { site } = (await threeStates()).site;
  const [, , first] = await statesOf(site);
  const read: string[] = [];
  const states = history(watched(site, (_, key) => read.push(key)));
  expect((await states.next()).value).toMatchObject({ version: 3 });
  expect(read).not.toContain(manifestPath(first?.manifest ?? ""));
  // The pointer, two manifests, and the parts that differ on both sides: not one object.
  expect(read.filter((key) => !key.startsWith("v1/manifests/"))).toEqual(["v1/pointer.json"]);
});

test("reports unknown changes if a clean-up removed the previous state, and lists nothing older", async () => {
  const { site } = (await threeStates()).site;
  const [, , first] = await statesOf(site);
  await site.remove([manifestPath(first?.manifest ?? "")]);
  const states = await statesOf(site);
  expect(states.map(({ version }) => version)).toEqual([3, 2]);
  expect(states[1]).toMatchObject({ parent: "removed", changes: undefined });
});

test("lists no states for a site that was never published", async () => {
  expect(await statesOf(newSite().site)).toEqual([]);
});
