// A publish obeys the journal: a decision makes its language due once, and a lost one leaves its texts as they are published.
import { expect, test } from "vitest";
import { publishDue } from "../../publish/publish.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import { always } from "../../store/store.ts";
import { recordDecision } from "../../vault/journal.ts";
import { acceptanceOf, newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { damage, keysOf, through } from "../support/stores.ts";

const today = "2026-11-21";
const leo = `daily/${today}/hi/daily-horoscope/leo`;
const words = "A text that somebody decides about.";

/** Published, with these words in the text of Leo in Hindi. */
async function published(): Promise<PublishedSite> {
  const site = newSite({ languages: ["en", "hi"], operations: ["daily-horoscope"] });
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
