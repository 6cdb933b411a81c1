// A publish obeys the journal: a decision makes its language due once, and a lost one leaves its texts as they are published.
import { expect, test } from "vitest";
import { publishDue } from "../../publish/publish.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import type { Language } from "../../readings/tables.ts";
import { always, type Store } from "../../store/store.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { recordDecision } from "../../vault/journal.ts";
import { acceptanceOf, newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { accept, retry } from "../../vault/quarantine.ts";
import { createVault } from "../../vault/vault.ts";
import { deep } from "../support/deep.ts";
import { disagreements } from "../support/journal.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { damage, fill, inMemory, keysOf, snapshotOf, type Stores, through } from "../support/stores.ts";

const today = "2026-11-21";
const leo = `daily/${today}/hi/daily-horoscope/leo`;
const words = "A text that somebody decides about.";

/** Published, with these words in the text of Leo in Hindi. */
async function published(languages: Language[] = ["en", "hi"]): Promise<PublishedSite> {
  const site = newSite({ languages, operations: ["daily-horoscope"] });
  await site.gather("2026-11-20", today);
  await site.keep(leo, words);
  await site.night();
  return site;
}

const languagesDue = async ({ publishing }: PublishedSite) => (await publishDue(publishing)).languages;

test("a decision makes its language due, once", async () => {
  const site = await published();
  expect(await languagesDue(site)).toEqual([]);
  await recordDecision(site.publishing.vault.own, acceptanceOf(leo));
  expect(await languagesDue(site)).toEqual(["hi"]);
  expect(await languagesDue(site)).toEqual([]);
});

test("a decision that is recorded while its language is rendered stays due", async () => {
  const site = await published();
  const { vault } = site.publishing;
  await recordDecision(vault.own, acceptanceOf(leo));
  let isLate = false;
  const store = through(site.site, async ({ doing, keys: [key] }, make) => {
    if (doing === "write" && key === "v1/pointer.json" && !isLate) {
      isLate = true;
      await recordDecision(vault.own, acceptanceOf(leo));
    }
    return make();
  });
  await site.keep(leo, "Another text.");
  await publishDue({ ...site.publishing, site: store });
  expect(isLate).toBe(true);
  expect(await languagesDue(site)).toEqual(["hi"]);
});

test("a withdrawal whose command dies before it publishes is published by the next publish", async () => {
  const site = await published();
  const dying = through(site.site, ({ doing }, make) =>
    doing === "write" ? Promise.reject(new Error("killed")) : make(),
  );
  const killed = withdraw(recordOf(leo), requestAt(leo), { ...site.publishing, site: dying });
  await expect(killed).rejects.toThrow("killed");
  expect(await site.filesWith(words)).not.toEqual([]);
  expect(await languagesDue(site)).toEqual(["hi"]);
  expect(await site.filesWith(words)).toEqual([]);
  await bringBack(requestAt(leo), { by: "editor" }, site.publishing);
  expect(await site.filesWith(words)).not.toEqual([]);
  expect(await languagesDue(site)).toEqual([]);
});

test("texts whose decisions are lost keep what is published, all others are published, and the file is reported until it is restored", async () => {
  const site = await published();
  const { vault } = site.publishing;
  await recordDecision(vault.own, acceptanceOf(leo));
  const copies = await keysOf(vault.own, "journal/");
  const [copy = ""] = copies;
  const whole = await vault.own.read(copy);
  for (const key of copies) await damage(vault.own, key);
  await site.keep(leo, "Another text.");
  await site.keep(`daily/${today}/en/daily-horoscope/leo`, "Another text.");
  site.setClock(`${today}T13:00:00Z`);
  const { damaged } = await publishDue(site.with({ site: { name: "Another name" } }).publishing);
  const file = `sites/almanac/${copy.replace("1.json", "*.json")}`;
  expect(damaged).toEqual([{ key: expect.stringContaining("/hi/"), reason: expect.stringContaining(file) }]);
  const languages = async () =>
    new Set((await site.filesWith("Another text.")).map((path) => path.replace("v1/", "").slice(0, 2)));
  expect(await languages()).toEqual(new Set(["en"]));
  await vault.own.write(copy, whole?.body ?? new Uint8Array(), { type: "" }, always);
  await publishDue(site.with({ site: { name: "Another name" } }).publishing);
  expect(await languages()).toEqual(new Set(["en", "hi"]));
});

/** Both stores, whose writes and removals fail after so many. */
function failing({ site, vault }: Stores, after: number) {
  let count = 0;
  const over = (store: Store) =>
    through(store, ({ doing }, make) => {
      if (doing === "read" || doing === "list") return make();
      count += 1;
      return count > after ? Promise.reject(new Error("killed")) : make();
    });
  return { stores: { site: over(site), vault: over(vault) }, count: () => count };
}

interface Act {
  readonly act: (publishing: Publishing) => Promise<unknown>;
  readonly isDone: (publishing: Publishing) => Promise<boolean>;
}

const said = { by: "editor", at: `${today}T12:00:00.000Z` };
const isWithdrawn = async ({ vault }: Publishing) => (await readWithheld(vault.own)).isWithdrawn(leo);
const acts: Readonly<Record<string, Act>> = {
  withdrawn: { act: (place) => withdraw(recordOf(leo), requestAt(leo), place), isDone: isWithdrawn },
  restored: {
    act: (place) => bringBack(requestAt(leo), { by: "editor" }, place),
    isDone: async (place) => !(await isWithdrawn(place)),
  },
  accepted: {
    act: async ({ vault }) => {
      const entry = await vault.quarantined(draw);
      if (entry !== undefined) await accept(vault, entry, { ...said, why: "whole" });
    },
    isDone: async ({ vault }) => (await vault.quarantined(draw)) === undefined,
  },
  retried: {
    act: ({ vault }) => retry(vault, draw, said),
    isDone: async ({ vault }) => (await vault.quarantined(draw)) === undefined,
  },
};
const draw = `daily/${today}/hi/daily-tarot/draw-1`;

test.for(Object.entries(acts))(
  "a text that is %s by a command that is killed between any two writes has its record, and the command repeated finishes",
  async ([name, { act, isDone }]) => {
    const site = await published(["hi"]);
    const { body, receivedAt } = storedResponseOf(requestAt(draw));
    const refused = {
      type: "Unfit",
      rule: "short",
      reason: "too short",
      tries: 3,
      run: "night",
      address: "",
    } as const;
    await site.publishing.vault.quarantine({ format: 1, key: draw, ...refused, at: receivedAt, body });
    if (name === "restored") await withdraw(recordOf(leo), requestAt(leo), site.publishing);
    const snapshot = await snapshotOf({ site: site.site, vault: site.publishing.vault.store });
    const atStores = async (after: number) => {
      const stores = inMemory();
      await fill(stores, snapshot);
      const { stores: killed, count } = failing(stores, after);
      const { publishing } = site;
      const placeOn = (own: Stores) => ({
        ...publishing,
        site: own.site,
        vault: createVault(own.vault, "almanac"),
      });
      return { stores, count, place: placeOn(stores), killed: placeOn(killed) };
    };
    const whole = await atStores(Infinity);
    await act(whole.killed);
    const writes = whole.count();
    expect(writes).toBeGreaterThan(2);
    for (let after = 0; after < writes; after += deep || after < 12 ? 1 : 15) {
      const { stores, place, killed } = await atStores(after);
      await expect(act(killed)).rejects.toThrow("killed");
      expect({ after, wrong: await disagreements(stores.vault) }).toEqual({ after, wrong: [] });
      await publishDue(place);
      await act(place);
      expect({ after, isDone: await isDone(place) }).toEqual({ after, isDone: true });
      expect({ after, wrong: await disagreements(stores.vault) }).toEqual({ after, wrong: [] });
      const kinds = (await (await readWithheld(place.vault.own)).entries()).map(
        ({ decision }) => decision?.kind,
      );
      expect(kinds.length).toBeLessThanOrEqual(name === "restored" ? 3 : 2);
    }
  },
);
