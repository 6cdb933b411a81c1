// A picture of which the site has a copy, as pages and data name it.
import { expect, test } from "vitest";
import {
  deckWithOwnPictures,
  picturesIn,
  picturesInDecks,
  withOwnPictures,
} from "../../site/copied-pictures.ts";
import { settings, textOf, wholeEdition, renderLanguage } from "./editions.ts";

const operations = [
  "divine-angel-reading",
  "past-present-future-reading",
  "love-triangle-reading",
  "wisdom-reading",
  "daily-tarot",
  "which-animal-are-you-reading",
] as const;
const edition = wholeEdition("en", operations);
const pathOf = (index: number) => `assets/pictures/${String(index).padStart(64, "0")}.webp`;

test("stands in place of the service's on every kind of page and in its data", () => {
  const inDecks = picturesInDecks(edition.decks ?? [], settings.url);
  const found = [...picturesIn(edition.sets, settings.url).union(inDecks)];
  const paths = new Map(found.map((address, index) => [address, pathOf(index)]));
  const alone = { ...settings, pictureHosts: [] };
  const sets = edition.sets.map((set) => withOwnPictures(set, alone, paths));
  const decks = edition.decks?.map((deck) => deckWithOwnPictures(deck, alone, paths)) ?? [];
  const files = renderLanguage({ ...edition, sets, decks }, alone);
  for (const { path, bytes } of files)
    expect(new TextDecoder().decode(bytes), path).not.toContain("cards.example");
  for (const operation of operations.slice(0, -1)) {
    expect(textOf(files, `en/${operation}/index.html`)).toMatch(
      /<img src="\/assets\/pictures\/\d{64}\.webp"/,
    );
    expect(textOf(files, `v1/en/${operation}/latest.json`)).toMatch(
      /"images":\["https:\/\/almanac\.example\/assets\/pictures\/\d{64}\.webp"/,
    );
  }
  expect(textOf(files, "en/people/example/index.html")).toContain('<img src="/assets/pictures/');
  expect([...picturesIn(sets, settings.url), ...picturesInDecks(decks, settings.url)]).toEqual([]);
});

test("is shown under the site's own path, also where the site has no TLS", () => {
  const url = "http://plain.example/stars";
  const [address = ""] = picturesIn(edition.sets, url);
  const sets = edition.sets.map((set) =>
    withOwnPictures(set, { ...settings, url }, new Map([[address, pathOf(1)]])),
  );
  const files = renderLanguage({ ...edition, sets }, { ...settings, url });
  expect(textOf(files, "en/divine-angel-reading/index.html")).toContain(`<img src="/stars/${pathOf(1)}"`);
});

test("leaves everything as it is where there is none", () => {
  const sets = edition.sets.map((set) => withOwnPictures(set, settings, new Map()));
  expect(JSON.stringify(sets)).toBe(JSON.stringify(edition.sets));
});
