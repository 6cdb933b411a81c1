// The files of the vault that this version can't read, found without reading a vault of years as a whole.
import { expect, test } from "vitest";
import { findUnreadFiles } from "../../insight/unread-files.ts";
import { always } from "../../store/store.ts";
import { writeJson } from "../../vault/files.ts";
import { openMemory } from "../support/memory.ts";

test("each folder of this site is read, however many files its other folders have, and none of another site", async () => {
  const vault = openMemory();
  const damaged = "sites/default/alerts/clock.json";
  await writeJson(vault, damaged, { format: 0 }, always);
  for (let day = 100; day < 300; day += 1)
    await writeJson(vault, `sites/default/shown/daily/${day}.json`, { format: 1 }, always);
  await writeJson(vault, "sites/other/alerts/clock.json", { format: 0 }, always);
  const unread = await findUnreadFiles({ store: vault, siteId: "default" });
  expect(unread.map(({ file }) => file)).toEqual([damaged]);
});
