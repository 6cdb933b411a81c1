// A site for tests of the operator's commands: two languages, a vault with the sandbox's responses, a clock that a test sets, and
// helpers to inspect the published files.
import type { Store } from "../../../store/store.ts";
import { type StoredResponse, createVault } from "../../../vault/vault.ts";
import type { Publishing } from "../../../publish/state/publish-context.ts";
import { publish, publishDue } from "../../../publish/publish.ts";
import { objectPath } from "../../../publish/state/state.ts";
import type { Decision } from "../../../vault/journal.ts";
import type { Withdrawal } from "../../../vault/withheld.ts";
import { Leases } from "../../../store/lease.ts";
import { siteSettingsOf } from "../../../site/edition.ts";
import { sha256 } from "../../../vault/files.ts";
import { catalogue } from "../../../readings/catalogue.ts";
import { type ConfigurationInput, configurationSchema } from "../../../readings/configuration.schema.ts";
import type { Language } from "../../../readings/tables.ts";
import { addDays } from "../../../readings/calendar.ts";
import { type ReadingRequest, type RequestKey, requestOf } from "../../../readings/request.ts";
import { settings } from "../../site/editions.ts";
import { inMemory, type Stores, textAt } from "../../support/stores.ts";
import { storedResponseOf } from "../../support/stored-responses.ts";
import { pathsOn } from "../../support/looks.ts";

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

/** Shared base of several configurations of one site. */
interface Ground extends Stores {
  instant: Date;
  readonly said: string[];
  readonly leases?: Leases;
}

export function newSite(more: ConfigurationInput = {}, stores: Stores = inMemory()): PublishedSite {
  return new PublishedSite({ ...stores, instant: new Date("2026-11-21T12:00:00Z"), said: [] }, more);
}

export class PublishedSite {
  readonly publishing: Publishing;
  readonly site: Store;
  /** Warnings and errors that were logged. */
  readonly said: string[];
  readonly #ground: Ground;
  readonly #more: ConfigurationInput;

  constructor(ground: Ground, more: ConfigurationInput) {
    this.#ground = ground;
    this.#more = more;
    this.site = ground.site;
    this.said = ground.said;
    const configuration = configurationSchema.parse({ ...configured, ...more });
    const note = (_: object, message: string): void => void ground.said.push(message);
    this.publishing = {
      configuration,
      site: ground.site,
      vault: createVault(ground.vault, configuration.site.id),
      leases: ground.leases,
      now: () => ground.instant,
      log: { info: () => undefined, warn: note, error: note },
      workings: "tests",
      fingerprint: `sha256-${sha256(new TextEncoder().encode(JSON.stringify(siteSettingsOf(configuration))))}`,
    };
  }

  /** Another configuration, in the same stores. */
  with(more: ConfigurationInput): PublishedSite {
    return new PublishedSite(this.#ground, { ...this.#more, ...more });
  }

  /** The same site with operations that wait for each other. */
  serialized(): PublishedSite {
    const leases = new Leases({ store: this.#ground.vault, where: "test", log: this.publishing.log });
    return new PublishedSite({ ...this.#ground, leases }, this.#more);
  }

  setClock(instant: string): void {
    this.#ground.instant = new Date(instant);
  }

  /** Stores the readings of these local dates. */
  async gather(from: string, to = from): Promise<void> {
    const { configuration, now, vault } = this.publishing;
    for (const { requests } of catalogue(configuration, now(), {}, { from, to }))
      for (const request of requests) await vault.storeResponse(storedResponseOf(request));
  }

  /** Replaces the stored reading by one whose text begins with these words. */
  async keep(key: RequestKey, words?: string): Promise<StoredResponse> {
    await this.publishing.vault.displace(key);
    return this.publishing.vault.storeResponse(storedResponseOf(requestAt(key), { words }));
  }

  async night(languages: readonly Language[] = this.publishing.configuration.languages): Promise<number> {
    const asOf = this.#ground.instant.toISOString();
    return (await publish({ run: "almanac-nightly", asOf, languages }, this.publishing)).version;
  }

  /** One night on each of these days, at noon. */
  async nights(from: string, to: string): Promise<void> {
    for (let date = from; date <= to; date = addDays(date, 1)) {
      this.setClock(`${date}T12:00:00Z`);
      await this.night();
    }
  }

  async publishDue(): Promise<number> {
    return (await publishDue(this.publishing)).version;
  }

  /** Path -> object. */
  paths(): Promise<Map<string, string>> {
    return pathsOn(this.site);
  }

  async text(path: string): Promise<string> {
    const object = (await this.paths()).get(path);
    if (object === undefined) throw new Error(`${path} is not published`);
    return this.#textOf(path, object);
  }

  async json(path: string): Promise<unknown> {
    return JSON.parse(await this.text(path));
  }

  /** Links of published pages to missing files. */
  async deadLinks(): Promise<string[]> {
    const all = await this.paths();
    const dead: string[] = [];
    for (const [path, object] of all) {
      const links = path.endsWith(".html") ? linksIn(await this.#textOf(path, object)) : [];
      dead.push(...links.filter((link) => !all.has(link)).map((link) => `${path} -> ${link}`));
    }
    return dead;
  }

  /** Published files that have this in them. */
  async filesWith(words: string): Promise<string[]> {
    const found: string[] = [];
    for (const [path, object] of await this.paths())
      if ((await this.#textOf(path, object)).includes(words)) found.push(path);
    return found;
  }

  async #textOf(path: string, object: string): Promise<string> {
    const text = await textAt(this.site, objectPath(object, path));
    if (text === undefined) throw new Error(`the object of ${path} is not there`);
    return text;
  }
}

export function requestAt(key: RequestKey): ReadingRequest {
  const request = requestOf(key);
  if (request === undefined) throw new Error(`${key} is no request's key`);
  return request;
}

/** Record of a withdrawal by an operator. */
export function recordOf(key: RequestKey): Withdrawal {
  return { key, path: "as given", reason: "a complaint", by: "editor", at: "2026-11-21T12:00:00.000Z" };
}

/** Record of an operator who accepts a response in quarantine. */
export function acceptanceOf(key: RequestKey): Decision {
  const subject = { key, original: "ab".repeat(32) };
  return { kind: "accept", reason: "a whole reading", by: "editor", at: "2026-11-21T12:00:00.000Z", subject };
}

/** Paths of our own that a page links to. */
export function linksIn(html: string): string[] {
  const links = [...html.matchAll(/(?:href|src)="(\/[^"]*|https:\/\/almanac\.example\/[^"]*)"/g)];
  return links.map(([, address = ""]) => {
    const path = new URL(address, settings.url).pathname.slice(1);
    return path === "" || path.endsWith("/") ? `${path}index.html` : path;
  });
}
