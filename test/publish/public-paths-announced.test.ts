// Caches are notified of every change of the public paths, even if a publisher dies while it writes them.
import { expect, test } from "vitest";
import type { Store } from "../../store/store.ts";
import type { Publishing, ShownChange } from "../../publish/state/publish-context.ts";
import { publish } from "../../publish/publish.ts";
import { newSite } from "./support/published-site.ts";

const night = { run: "almanac-nightly", asOf: "2026-11-21T12:00:00.000Z", languages: ["en", "hi"] } as const;

async function gathered() {
  const site = newSite({ operations: ["daily-tarot"], publishing: {} });
  await site.gather("2026-11-21");
  const told: ShownChange[] = [];
  const publishing: Publishing = { ...site.publishing, noteChange: async (shown) => void told.push(shown) };
  return { site, told, publishing };
}

/** Dies at the first write of a page. */
function dyingAt(store: Store, page: string): Store {
  let dead = false;
  return {
    ...store,
    async write(key, body, headers, when) {
      dead ||= key === page;
      if (dead) throw new Error("died");
      return store.write(key, body, headers, when);
    },
  };
}

test("every path is notified when it shows the new state, and none if nothing changed", async () => {
  const { site, told, publishing } = await gathered();
  await publish(night, publishing);
  expect(told).toHaveLength(1);
  expect(new Set(told[0]?.paths)).toEqual(new Set((await site.paths()).keys()));
  expect(told[0]?.version).toBe(1);
  await publish(night, publishing);
  expect(told).toHaveLength(1);
});

test("paths written by a publisher that died are notified by the next owner", async () => {
  const { site, told, publishing } = await gathered();
  const dying = { ...publishing, site: dyingAt(publishing.site, "hi/index.html") };
  await expect(publish(night, dying)).rejects.toThrow("died");
  expect(told).toEqual([]);
  await publish(night, publishing);
  expect(new Set(told.flatMap(({ paths }) => paths))).toEqual(new Set((await site.paths()).keys()));
});
