// Further draws fill a deck and nothing else: no day's card, file or page is another with them.
import { expect, test } from "vitest";
import { why } from "../../insight/why.ts";
import { renderArchive } from "../../publish/archive.ts";
import { publishedSummary } from "../../publish/state/published-files.ts";
import { createPartReader } from "../../publish/state/parts.ts";
import { readState } from "../../publish/state/state.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import { requestOf } from "../../readings/request.ts";
import { documents, type SeenCard } from "../../site/data.schema.ts";
import { readingFrom } from "../../vault/stored-readings.ts";
import { cardsIn } from "../../site/seen-cards.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";

const [before, last] = ["2026-11-20", "2026-11-21"] as const;
const words = "A text that somebody complains about.";
const day = (date: string) => `daily/${date}/en/daily-tarot/reading`;
const draw = (date: string, number: number) => `daily/${date}/en/daily-tarot/draw-${number}`;

async function newDecks(dates: readonly [string, string] = [before, last]): Promise<PublishedSite> {
  const site = newSite({ languages: ["en"], operations: ["daily-tarot"] });
  await site.gather(...dates);
  return site;
}

/** Stores a draw with its own time; returns the names of its cards. */
async function keepDraw(site: PublishedSite, key: string, text?: string): Promise<string[]> {
  const number = Number(key.slice(-1));
  const receivedAt = `${key.slice("daily/".length, "daily/2026-11-21".length)}T03:0${number}:00.000Z`;
  const response = await site.publishing.vault.storeResponse(
    storedResponseOf(requestAt(key), { words: text }, { receivedAt }),
  );
  return cardsIn(readingFrom(response)).map(({ card }) => card.name);
}

async function deckOf(site: PublishedSite): Promise<readonly SeenCard[]> {
  return documents.deck.parse(await site.json("v1/en/decks/daily-tarot.json")).cards;
}

async function ask(site: PublishedSite, key = "") {
  const { configuration, vault, now } = site.publishing;
  const request = requestOf(key);
  const place = { configuration, vault, site: site.site, now: now() };
  const facts = await why({ path: "en/decks/daily-tarot/index.html", request }, place);
  return { facts, reason: facts.find(({ about }) => about === "reason")?.is };
}

test("a deck has the cards of its days' draws, and every other file is unchanged to the byte", async () => {
  const site = await newDecks();
  await site.nights(before, last);
  const without = await site.paths();
  const names: string[] = [];
  for (const key of [draw(before, 1), draw(last, 1), draw(last, 2), draw(last, 3), draw(last, 4)])
    names.push(...(await keepDraw(site, key)));
  await site.night();
  const after = await site.paths();
  const changed = [...after].flatMap(([path, object]) => (without.get(path) === object ? [] : [path]));
  expect(changed.filter((path) => !path.startsWith("en/decks/") && !path.startsWith("v1/en/decks/"))).toEqual(
    [],
  );
  expect([...without.keys()].filter((path) => !after.has(path))).toEqual([]);
  const deck = await deckOf(site);
  expect(deck.map(({ card }) => card.name)).toEqual(expect.arrayContaining(names));
  const version = await site.night();
  expect(await site.night()).toBe(version);
});

const next = "2026-11-22";

test.each([
  ["whole days", [before, last, next], last, next],
  ["a day without a card of its own", [before, next], last, next],
  [
    "a draw that a person accepts three days later",
    [before, last, next, "2026-11-23", "2026-11-24"],
    last,
    "2026-11-24",
  ],
])(
  "a draw that comes after the last publish of its day is in the next one: %s",
  async (_, dates, of, then) => {
    const site = newSite({ languages: ["en"], operations: ["daily-tarot"] });
    for (const date of dates) await site.gather(date);
    await site.nights(before, then);
    const names = await keepDraw(site, draw(of, 1), words);
    await site.night();
    expect(await site.filesWith(words)).toContain("v1/en/decks/daily-tarot.json");
    expect((await deckOf(site)).map(({ card }) => card.name)).toEqual(expect.arrayContaining(names));
  },
);

test("the day's own card keeps its text if a draw shows the same card", async () => {
  const site = await newDecks();
  const { body } = storedResponseOf(requestAt(day(last)));
  const own = await site.keep(day(last));
  const text = body.replace(/"(career|love|finance)":"/g, `"$1":"${words} `);
  const same = { ...storedResponseOf(requestAt(draw(last, 1))), body: text };
  const { sha256 } = await import("../../vault/files.ts");
  await site.publishing.vault.storeResponse({ ...same, bodyHash: sha256(new TextEncoder().encode(text)) });
  await site.nights(before, last);
  expect(await site.filesWith(words)).toEqual([]);
  expect((await deckOf(site)).some(({ receivedAt }) => receivedAt === own.receivedAt)).toBe(true);
});

test("draws survive every way in which a deck is rebuilt", async () => {
  const site = await newDecks();
  const names = [...(await keepDraw(site, draw(before, 1))), ...(await keepDraw(site, draw(last, 2)))];
  await site.nights(before, last);
  const expectThere = async () =>
    expect((await deckOf(site)).map(({ card }) => card.name)).toEqual(expect.arrayContaining(names));
  await expectThere();
  await site.keep(day(before), words); // its text is another one, so that all days are read again
  await renderArchive({ languages: ["en"], dates: { from: before }, evenMany: true }, site.publishing);
  await expectThere();
  await withdraw(recordOf(day(before)), requestAt(day(before)), site.publishing);
  await expectThere();
  const { manifest } = (await readState(site.site)) ?? {};
  const published = { site: site.site, manifest, reader: createPartReader(site.site) };
  expect((await publishedSummary(published, "en"))?.newest["daily-tarot"]).toBe(last);
  await site.gather("2026-11-22");
  await site.nights("2026-11-22", "2026-11-22");
  await expectThere();
});

test("a draw is withdrawn from its deck only, even days later, and returns to the byte", async () => {
  const site = await newDecks([before, "2026-11-24"]);
  await keepDraw(site, draw(last, 6), words);
  await site.nights(before, "2026-11-24");
  const shown = await site.filesWith(words);
  expect(shown).toContain("v1/en/decks/daily-tarot.json");
  expect(shown.every((path) => path.includes("/decks/daily-tarot"))).toBe(true);
  const { facts, reason } = await ask(site, draw(last, 6));
  expect(facts).toContainEqual({ about: "response", is: `responses/${draw(last, 6)}.json` });
  expect(reason).toBeUndefined();
  const paths = await site.paths();
  await withdraw(recordOf(draw(last, 6)), requestAt(draw(last, 6)), site.publishing);
  expect(await site.filesWith(words)).toEqual([]);
  expect((await site.paths()).size).toBe(paths.size);
  expect((await ask(site, draw(last, 6))).reason).toBe("withdrawn");
  const version = await site.night();
  expect(await site.night()).toBe(version);
  await bringBack(requestAt(draw(last, 6)), { by: "editor" }, site.publishing);
  expect(await site.paths()).toEqual(paths);
});

test("draws of a rolled back day stay out of the deck until an operator renders it again", async () => {
  const site = await newDecks();
  await site.nights(before, before);
  await keepDraw(site, draw(last, 4), words);
  await site.nights(last, last);
  expect(await site.filesWith(words)).not.toEqual([]);
  const { site: store, now } = site.publishing;
  const to = await chooseState("1", { site: store, now: now(), keepDays: 30 });
  await rollback({ to, evenMany: true, by: { by: "editor" } }, site.publishing);
  expect(await site.filesWith(words)).toEqual([]);
  await site.night();
  expect(await site.filesWith(words)).toEqual([]);
  await renderArchive({ languages: ["en"], evenMany: true }, site.publishing);
  expect(await site.filesWith(words)).not.toEqual([]);
});

test("`why` leads from a deck to the draw of a card, and from a draw to its response", async () => {
  const site = await newDecks();
  const [name] = await keepDraw(site, draw(last, 1));
  await site.nights(before, last);
  const about = "made of";
  expect((await ask(site)).facts).toContainEqual({ about, name, is: draw(last, 1) });
  const { facts, reason } = await ask(site, draw(last, 1));
  expect(facts[0]).toEqual({ about: "shows", words: "daily-tarot, draw-1, en, 2026-11-21" });
  expect(facts).toContainEqual({ about: "response", is: `responses/${draw(last, 1)}.json` });
  expect(facts.find((fact) => fact.about === "received")?.words).toBe("after 1 attempt");
  expect(facts.some((fact) => ["noted", "differs"].includes(fact.about))).toBe(false);
  expect(reason).toBeUndefined();
  expect((await ask(site, draw(last, 2))).reason).toBe("never due");
});
