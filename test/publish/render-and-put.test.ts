// That a step renders each of its files once, and holds few of them.
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { renderAndPut } from "../../publish/render/rendered-languages.ts";
import { createPartReader } from "../../publish/state/parts.ts";
import { newPuts } from "../../publish/render/merged-state.ts";
import { objectPath, readState } from "../../publish/state/state.ts";
import type { Store } from "../../store/store.ts";
import { openMemory } from "../support/memory.ts";
import { atPath } from "../support/at-path.ts";
import { keysOf } from "../support/stores.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

const home = { language: "en", zone: "America/New_York", date: "2026-11-21" } as const;
const facts = {
  language: "en",
  leaves: [],
  expiredLeft: 0,
  passedOver: [],
  rejected: [],
  damaged: [],
  datedTexts: new Map(),
  decisions: new Map(),
  pictures: [],
  inputs: undefined,
} as const;

/** Counts how often each is rendered. */
function draftsOn(paths: readonly string[], text: (path: string) => string) {
  const times = paths.map(() => 0);
  const drafts = paths.map((path, file) => ({
    path,
    at: atPath(path),
    render() {
      times[file] = (times[file] ?? 0) + 1;
      return text(path);
    },
  }));
  return { loaded: { ...facts, home, files: drafts, linked: new Set<string>() }, times };
}

async function renderOn(
  { publishing, site }: PublishedSite,
  loaded: ReturnType<typeof draftsOn>["loaded"],
  roomBytes: number,
) {
  const puts = newPuts(roomBytes);
  const manifest = (await readState(site))?.manifest;
  const step = { ...publishing, site, manifest, reader: createPartReader(site), puts };
  return { puts, rendered: await renderAndPut(loaded, new Map(), step) };
}

test("each file is rendered and put once, and cached only while there is space; no other file keeps its memory", async () => {
  const { loaded, times } = draftsOn(
    ["1", "2", "3", "4"].map((person) => `en/people/${person}/index.html`),
    (path) => path.padEnd(100),
  );
  const memory = openMemory();
  const given: Uint8Array[] = [];
  const watching: Store = {
    ...memory,
    write(key, body, ...how) {
      given.push(body);
      return memory.write(key, body, ...how);
    },
  };
  const site = newSite({}, { site: watching, vault: openMemory() });
  const { puts, rendered } = await renderOn(site, loaded, 250);
  expect(given.filter(({ length }) => length === 0)).toHaveLength(2);
  expect(times).toEqual([1, 1, 1, 1]);
  expect(puts.keys.size).toBe(4);
  expect(await keysOf(site.site, "v1/objects/")).toEqual(
    [...puts.keys].sort((one, other) => (one < other ? -1 : 1)),
  );
  expect([...puts.held.values()].map(({ length }) => length)).toEqual([100, 100]);
  expect(puts.roomBytes).toBe(50);
  expect(rendered.files.map(({ path, entry }) => objectPath(entry.object, path))).toEqual([...puts.keys]);
});

test("a failed put ends the rendering, and no put is in flight when the error is thrown", async () => {
  const { loaded, times } = draftsOn(
    Array.from({ length: 200 }, (_, person) => `en/people/${person}/index.html`),
    (path) => path,
  );
  const memory = openMemory();
  let [begun, underWay] = [0, 0];
  const site = newSite(
    {},
    {
      site: {
        ...memory,
        async write(...put) {
          begun += 1;
          underWay += 1;
          const isLost = begun === 50;
          await setTimeout(isLost ? 0 : 20);
          underWay -= 1;
          if (isLost) throw new Error("the store is away");
          return memory.write(...put);
        },
      },
      vault: openMemory(),
    },
  );
  await expect(renderOn(site, loaded, 0)).rejects.toThrow("the store is away");
  expect(underWay).toBe(0);
  expect(times.filter((one) => one > 0).length).toBeLessThan(100);
});

test("files that the site already has are not put, and take no space", async () => {
  const site = newSite({ languages: ["en"], operations: ["daily-tarot"] });
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const front = await site.text("en/index.html");
  const { loaded, times } = draftsOn(["en/index.html", "en/about/index.html"], () => front);
  const before = await keysOf(site.site, "");
  const { puts } = await renderOn(site, loaded, 1_000_000);
  expect(times).toEqual([1, 1]);
  expect([...puts.keys]).toEqual([]);
  expect(puts.roomBytes).toBe(1_000_000);
  expect(await keysOf(site.site, "")).toEqual(before);
});
