// Replaces the service's pictures in readings by the site's copies, before anything is rendered, so that pages, data and hashes
// agree. A picture without a copy stays linked if its host is listed, and is left out otherwise.
import { knownPictureHosts, shownPicture } from "../readings/picture-hosts.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { Address, siteRootOf } from "./address.ts";
import type { Deck, ReadingSet, SiteSettings } from "./edition.ts";
import { parsePath } from "./paths.ts";

/** Paths on the site by the picture's original address. */
export type PicturePaths = ReadonlyMap<string, string>;

/** The addresses of all pictures that are not the site's own. */
export function picturesIn(sets: readonly ReadingSet[], siteUrl: string): Set<string> {
  const found = new Set<string>();
  const note = noting(found, siteUrl);
  for (const { readings } of sets) for (const { reading } of readings) withImages(reading, note);
  return found;
}

export function picturesInDecks(decks: readonly Deck[], siteUrl: string): Set<string> {
  const found = new Set<string>();
  const note = noting(found, siteUrl);
  for (const { cards } of decks) for (const { card } of cards) card.images.forEach(note);
  return found;
}

function noting(found: Set<string>, siteUrl: string): (image: string) => string {
  return (image) => {
    if (copyOf(image, siteUrl) === undefined) found.add(image);
    return image;
  };
}

/** The picture's address on the site: its copy's, or its original one if its host is listed. */
function showing({ url, pictureHosts = knownPictureHosts }: SiteSettings, paths: PicturePaths): ImageChange {
  const { full } = siteRootOf(url);
  return (image) => {
    const path = paths.get(image) ?? copyOf(image, url);
    if (path !== undefined) return full + path;
    return shownPicture(image, pictureHosts) === undefined ? undefined : image;
  };
}

export function deckWithOwnPictures(
  { operation, cards }: Deck,
  settings: SiteSettings,
  paths: PicturePaths,
): Deck {
  const own = changing(showing(settings, paths));
  return { operation, cards: cards.map((seen) => ({ ...seen, card: own(seen.card) })) };
}

export function withOwnPictures(set: ReadingSet, settings: SiteSettings, paths: PicturePaths): ReadingSet {
  const own = showing(settings, paths);
  const readings = set.readings.map((one) => ({ ...one, reading: withImages(one.reading, own) }));
  return { ...set, readings };
}

/** The reading without the pictures of hosts that are not listed. */
export function withShownPictures(reading: Reading, settings: SiteSettings): Reading {
  return withImages(reading, showing(settings, new Map()));
}

/** The address of a picture on a page: a copy's address has no host, so it works on any host that serves the site. */
export function pictureAddress(image: string, settings: SiteSettings): Address | undefined {
  const path = copyOf(image, settings.url);
  if (path === undefined) return Address.picture(image, settings.pictureHosts ?? knownPictureHosts);
  return Address.own(siteRootOf(settings.url).root, path);
}

function copyOf(image: string, siteUrl: string) {
  const { full } = siteRootOf(siteUrl);
  const path = image.startsWith(full) ? image.slice(full.length) : "";
  return parsePath(path)?.row === "cardPicture" ? path : undefined;
}

/** Undefined leaves the picture out. */
type ImageChange = (image: string) => string | undefined;

function changing(change: ImageChange) {
  return <Card extends { readonly images: readonly string[] }>(card: Card) => ({
    ...card,
    images: card.images.map(change).filter((image) => image !== undefined),
  });
}

/** The reading with other picture addresses, its fields in the same order. */
function withImages(reading: Reading, change: ImageChange): Reading {
  const changed = changing(change);
  switch (reading.family) {
    case "horoscope":
    case "pair":
      return reading;
    case "cards":
      return { ...reading, cards: reading.cards.map(changed) };
    case "spread": {
      const { past, present, future } = reading;
      return { ...reading, past: changed(past), present: changed(present), future: changed(future) };
    }
    case "triangle": {
      const { you, firstLove, secondLove } = reading;
      return {
        ...reading,
        you: changed(you),
        firstLove: changed(firstLove),
        secondLove: changed(secondLove),
      };
    }
    case "wisdom":
      return { ...reading, yin: changed(reading.yin), yang: changed(reading.yang) };
    case "tarot":
    case "animal":
      return changed(reading);
  }
}
