// A language's texts as the sandbox would answer, for a preview of a site whose vault is empty.
import { catalogue, zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { type Language, isOfCards } from "../../readings/tables.ts";
import { readCandidate } from "../../readings/reading.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { localDate } from "../../readings/calendar.ts";
import { dataFor } from "../../packages/sandbox/answers.ts";
import type { ReceivedRequest } from "../../packages/sandbox/received-request.ts";
import { faceAt } from "../../packages/sandbox/faces.ts";
import { hashOf, seededRandom } from "../../packages/sandbox/random.ts";
import { picturesIn, withOwnPictures } from "../../site/copied-pictures.ts";
import { withDays } from "../../site/pages/deck-pages.ts";
import { cardsIn } from "../../site/seen-cards.ts";
import { type Deck, type ReadingSet, siteSettingsOf } from "../../site/edition.ts";
import { draftLanguage } from "../../site/render.ts";
import { pathOf } from "../../site/paths.ts";
import { sha256 } from "../../vault/files.ts";
import type { LiveLanguage } from "../../worker/live/live-site.ts";

export function inventedLanguage(language: Language, configuration: Configuration, now: Date): LiveLanguage {
  const zone = zoneOf(configuration, language);
  const date = localDate(zone, now);
  const wanted = catalogue(configuration, now, { languages: [language] }, { from: date, to: date });
  const receivedAt = now.toISOString();
  const settings = siteSettingsOf(configuration);
  const drawn = wanted.map(({ operation, requests }): ReadingSet => {
    const readings = requests.map((request) => ({ reading: invented(request), receivedAt }));
    return { operation, period: requests[0]?.period ?? date, current: true, readings };
  });
  const faces = facesIn(drawn, settings.url);
  const sets = drawn.map((set) => withOwnPictures(set, settings, faces.paths));
  const home = { language, zone, date };
  const hasAccessibility = configuration.site.accessibility !== undefined;
  const drafts = draftLanguage({ ...home, sets, decks: decksOf(sets), hasAccessibility }, []);
  return { home, ...drafts, files: [...drafts.files, ...faces.files], isInvented: true };
}

/** Copies of the cards' faces, as a night of the sandbox has them. */
function facesIn(sets: readonly ReadingSet[], siteUrl: string) {
  const paths = new Map<string, string>();
  const files = new Map<string, LiveLanguage["files"][number]>();
  for (const address of picturesIn(sets, siteUrl)) {
    const bytes = faceAt(new URL(address).pathname.slice(1));
    if (bytes === undefined) continue;
    const at = { row: "cardPicture", hash: sha256(bytes), picture: "png" } as const;
    const path = pathOf(at);
    paths.set(address, path);
    files.set(path, { path, at, render: () => [bytes] });
  }
  return { paths, files: [...files.values()] };
}

function invented(request: ReadingRequest) {
  const draws = seededRandom(hashOf(requestKey(request)));
  const data = dataFor(asReceived(request), { translated: true, shape: undefined }, draws);
  return readCandidate(request, data).reading;
}

/** The request as the service sees it: a pair has no season there, a person no id. */
function asReceived(request: ReadingRequest): ReceivedRequest {
  if ("person" in request) return { ...request, birthNumber: 7 };
  return "sign1" in request ? { ...request, period: "always" } : request;
}

function decksOf(sets: readonly ReadingSet[]): Deck[] {
  return sets.flatMap(({ operation, period, readings }) => {
    if (!isOfCards(operation)) return [];
    return [{ operation, cards: withDays([], new Map([[period, readings.flatMap(cardsIn)]])) ?? [] }];
  });
}
