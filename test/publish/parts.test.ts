// The parts of a manifest: a group of paths that is too large for one file continues in others.
import { expect, test } from "vitest";
import { createPartReader, withGroup } from "../../publish/state/parts.ts";
import type { Files } from "../../site/manifest.schema.ts";
import { manifestPath } from "../../publish/state/state.ts";
import { openMemory } from "../support/memory.ts";
import { always } from "../../store/store.ts";

const group = "en/2026-11";

function someFiles(count: number): Files {
  const paths = Array.from({ length: count }, (_, index) => `en/daily/aries/2026-11-${index}/index.html`);
  const entry = { object: "a".repeat(64), size: 20_000, type: "text/html; charset=utf-8" };
  return Object.fromEntries(paths.map((path) => [path, entry]));
}

test("a group that is too large for one part continues in the next, and no part is over 256 KB", async () => {
  const files = someFiles(4_000);
  const other = { "hi/2026-11": "b".repeat(64) };
  const { parts, made } = withGroup(other, group, files);
  expect(Object.keys(parts)).toEqual([
    "hi/2026-11",
    group,
    ...made.slice(1).map((_part, index) => `${group}~${index + 2}`),
  ]);
  expect(made.length).toBeGreaterThan(2);
  expect(Math.max(...made.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(256 * 1024);
  // Each but the last is nearly full: there are no more parts than necessary.
  expect(Math.min(...made.slice(0, -1).map(({ bytes }) => bytes.length))).toBeGreaterThan(250 * 1024);

  const site = openMemory();
  for (const { hash, bytes } of made)
    await site.write(manifestPath(hash), bytes, { type: "application/json" }, always);
  expect(await createPartReader(site).files({ parts }, group)).toEqual(files);
});

test("a group that has become smaller leaves no earlier part behind", () => {
  const { parts } = withGroup({}, group, someFiles(4_000));
  expect(Object.keys(withGroup(parts, group, someFiles(10)).parts)).toEqual([group]);
});
