// A site for the tests of the operator's commands: two languages, a vault of captures made of the sandbox's answers, a
// clock that a test sets, and looks at what is published.
import type { Capture } from "../../../vault/capture.schema.ts";
import { createPartReader, groupsIn } from "../../../publish/state/parts.ts";
import type { Publishing } from "../../../publish/state/publishing-place.ts";
import { publish, publishTurn } from "../../../publish/publish.ts";
import { objectPath, readState } from "../../../publish/state/state.ts";
import type { Withdrawal } from "../../../vault/withheld.ts";
import { sha256 } from "../../../vault/sha256.ts";
import { createVault } from "../../../vault/vault.ts";
import { catalogue } from "../../../readings/catalogue.ts";
import { type ConfigurationInput, configurationSchema } from "../../../readings/configuration.schema.ts";
import type { Language } from "../../../readings/languages.ts";
import { addDays } from "../../../readings/periods.ts";
import { type ReadingRequest, requestKey, type RequestKey, requestOf } from "../../../readings/request.ts";
import { dataFor, envelope } from "../../../sandbox/answers.ts";
import { hashOf, seededRandom } from "../../../sandbox/random.ts";
import type { Store } from "../../../store/store.ts";
import { settings } from "../../site/editions.ts";
import { inMemory, type Stores } from "../../support/stores.ts";

export const configured = {
  site: { ...settings },
  languages: ["en", "hi"],
  operations: [
    "daily-horoscope",
    "weekly-horoscope",
    "daily-tarot",
    "love-compatibility",
    "which-animal-are-you-reading",
  ],
  pairs: [
    ["aries", "leo"],
    ["leo", "pisces"],
  ],
  people: [{ id: "example", fullName: "Jane Example", birthDate: "1990-01-01" }],
  publishing: { unusualShare: 0.5 },
} satisfies ConfigurationInput;

const decoder = new TextDecoder();

export interface PublishedSite {
  readonly publishing: Publishing;
  readonly site: Store;
  /** Warnings and errors that were logged. */
  readonly said: string[];
  /** Another configuration, in the same stores. */
  with(more: ConfigurationInput): PublishedSite;
  setClock(instant: string): void;
  /** Keeps what belongs to these local dates. */
  gather(from: string, to?: string): Promise<void>;
  /** Keeps this one, in place of what is kept: with these words at the beginning of its text. */
  keep(key: RequestKey, words?: string): Promise<Capture>;
  night(languages?: readonly Language[]): Promise<number>;
  /** One on each of these days, at noon. */
  nights(from: string, to: string): Promise<void>;
  turn(): Promise<number>;
  /** Path -> object. */
  paths(): Promise<Map<string, string>>;
  text(path: string): Promise<string>;
  json(path: string): Promise<unknown>;
  /** Links of published pages to what is not published. */
  deadLinks(): Promise<string[]>;
  /** Published files that have this in them. */
  filesWith(words: string): Promise<string[]>;
}

interface World {
  readonly site: Store;
  readonly vault: Store;
  instant: Date;
  readonly said: string[];
}

export function newSite(more: ConfigurationInput = {}, stores: Stores = inMemory()): PublishedSite {
  return siteIn({ ...stores, instant: new Date("2026-11-21T12:00:00Z"), said: [] }, more);
}

function siteIn(world: World, more: ConfigurationInput): PublishedSite {
  const configuration = configurationSchema.parse({ ...configured, ...more });
  const vault = createVault(world.vault);
  const note = (_: object, message: string): void => void world.said.push(message);
  const publishing: Publishing = {
    configuration,
    site: world.site,
    vault,
    now: () => world.instant,
    log: { info: () => undefined, warn: note, error: note },
    workings: "tests",
    fingerprint: `sha256-${sha256(new TextEncoder().encode(JSON.stringify(configuration.site)))}`,
  };
  const paths = () => pathsOf(world.site);
  const textOf = async (path: string, object: string | undefined): Promise<string> => {
    const stored = object === undefined ? undefined : await world.site.read(objectPath(object, path));
    if (stored === undefined) throw new Error(`${path} is not published`);
    return decoder.decode(stored.body);
  };
  const text = async (path: string) => textOf(path, (await paths()).get(path));
  const setClock = (instant: string): void => {
    world.instant = new Date(instant);
  };
  const night = async (languages = configuration.languages): Promise<number> => {
    const asOf = world.instant.toISOString();
    return (await publish({ run: "almanac-nightly", asOf, languages }, publishing)).version;
  };
  return {
    publishing,
    site: world.site,
    said: world.said,
    with: (other) => siteIn(world, { ...more, ...other }),
    setClock,
    async gather(from, to = from) {
      for (const { requests } of catalogue(configuration, world.instant, {}, { from, to })) {
        for (const request of requests) await vault.keep(captureOf(request));
      }
    },
    async keep(key, words) {
      await vault.displace(key);
      return vault.keep(captureOf(requestAt(key), words));
    },
    night,
    async nights(from, to) {
      for (let date = from; date <= to; date = addDays(date, 1)) {
        setClock(`${date}T12:00:00Z`);
        await night();
      }
    },
    turn: async () => (await publishTurn(publishing)).version,
    paths,
    text,
    json: async (path) => JSON.parse(await text(path)),
    async deadLinks() {
      const all = await paths();
      const dead: string[] = [];
      for (const [path, object] of all) {
        if (!path.endsWith(".html")) continue;
        const links = linksIn(await textOf(path, object));
        dead.push(...links.filter((link) => !all.has(link)).map((link) => `${path} -> ${link}`));
      }
      return dead;
    },
    async filesWith(words) {
      const found: string[] = [];
      for (const [path, object] of await paths()) {
        if ((await textOf(path, object)).includes(words)) found.push(path);
      }
      return found;
    },
  };
}

/** `words` stand at the beginning of the text: by them it is found, and told from another of the same request. */
export function captureOf(request: ReadingRequest, words = ""): Capture {
  const key = requestKey(request);
  const ask = "person" in request ? { ...request, birthNumber: 7 } : request;
  const draws = seededRandom(hashOf(key));
  const answer = JSON.stringify(envelope(ask, dataFor(ask, { translated: true, shape: undefined }, draws)));
  const first = /"(?:personal|overall_compatibility|result|career)":"/;
  const body = words === "" ? answer : answer.replace(first, (field) => `${field}${words} `);
  return {
    format: 1,
    key,
    address: "http://127.0.0.1/",
    receivedAt: "2026-11-19T08:05:17.000Z",
    tries: 1,
    run: "almanac-nightly",
    bodyHash: sha256(new TextEncoder().encode(body)),
    body,
    notes: [],
  };
}

export function requestAt(key: RequestKey): ReadingRequest {
  const request = requestOf(key);
  if (request === undefined) throw new Error(`${key} is no request's key`);
  return request;
}

/** As an operator's withdrawal is kept. */
export function recordOf(key: RequestKey): Withdrawal {
  return { key, path: "as given", reason: "a complaint", by: "editor", at: "2026-11-21T12:00:00.000Z" };
}

async function pathsOf(site: Store): Promise<Map<string, string>> {
  const state = await readState(site);
  const paths = new Map<string, string>();
  if (state === undefined) return paths;
  const reader = createPartReader(site);
  for (const group of groupsIn(state.manifest)) {
    for (const [path, { object }] of Object.entries(await reader.files(state.manifest, group))) {
      paths.set(path, object);
    }
  }
  return paths;
}

export function linksIn(html: string): string[] {
  const links = [...html.matchAll(/(?:href|src)="(\/[^"]*|https:\/\/almanac\.example\/[^"]*)"/g)];
  return links.map(([, address = ""]) => {
    const path = new URL(address, settings.url).pathname.slice(1);
    return path === "" || path.endsWith("/") ? `${path}index.html` : path;
  });
}
