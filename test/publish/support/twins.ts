// One site published twice side by side: with the note of what stands, and without one, so that every publish presses all.
// After every step both have the same bytes in every place.
import type { Store } from "../../../store/store.ts";
import { expect } from "vitest";
import { publish } from "../../../publish/publish.ts";
import type { Publishing } from "../../../publish/state/publishing-place.ts";
import type { ConfigurationInput } from "../../../readings/configuration.schema.ts";
import { isLanguage, type Language } from "../../../readings/languages.ts";
import { newSite, type PublishedSite } from "./published-site.ts";
import { fill, inMemory, snapshotOf, type Stores, watched } from "../../support/stores.ts";

export const sources = { workings: "one version", fingerprint: "sha256-one" };

type Pair = readonly [noting: Stores, plain: Stores];

export interface Night {
  readonly languages?: readonly Language[];
  readonly last?: boolean;
}

export class Twins {
  /** What presses from here on. */
  more: Partial<Publishing> = sources;
  /** The languages whose captures were read where the note is. */
  readonly read = new Set<Language>();
  /** What was written there. */
  readonly written: string[] = [];
  readonly #stores: Pair;
  #sites: readonly [noting: PublishedSite, plain: PublishedSite];

  constructor(configuration: ConfigurationInput, stores: Pair = [inMemory(), inMemory()]) {
    const tell = (store: string) => (call: string, key: string) => {
      const language = key.split("/")[3] ?? "";
      if (call === "read" && key.startsWith("captures/") && isLanguage(language)) this.read.add(language);
      if (call === "write" || call === "remove") this.written.push(`${store} ${key}`);
    };
    const [{ site, vault }, plain] = stores;
    const told = { site: watched(site, tell("site")), vault: watched(vault, tell("vault")) };
    this.#stores = stores;
    this.#sites = [newSite(configuration, told), newSite(configuration, plain)];
  }

  /** Others that begin where these stand. */
  async again(configuration: ConfigurationInput): Promise<Twins> {
    const [noting, plain] = this.#stores;
    return new Twins(configuration, [await copyOf(noting), await copyOf(plain)]);
  }

  get noting(): PublishedSite {
    return this.#sites[0];
  }

  /** Does the same to both. */
  async each(work: (site: PublishedSite, publishing: Publishing) => Promise<unknown>): Promise<void> {
    const [noting, plain] = this.#sites;
    const outcomes: unknown[] = [];
    for (const site of [noting, plain]) {
      const publishing = { ...site.publishing, ...this.more };
      if (site === plain) publishing.workings = undefined;
      outcomes.push(await work(site, publishing).then(() => "done", String));
    }
    const [one, other] = outcomes;
    expect(one).toEqual(other);
    const [ours, theirs] = [await tagsOf(noting.site), await tagsOf(plain.site)];
    const differing = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
      (key) => ours.get(key) !== theirs.get(key),
    );
    expect(differing.slice(0, 5)).toEqual([]);
  }

  night({ languages, last = true }: Night = {}): Promise<void> {
    return this.each((site, publishing) => {
      const all = languages ?? publishing.configuration.languages;
      return publish(
        { run: "night", asOf: publishing.now().toISOString(), languages: all, last },
        publishing,
      );
    });
  }

  setClock(instant: string): void {
    for (const site of this.#sites) site.setClock(instant);
  }

  with(configuration: ConfigurationInput): void {
    const [noting, plain] = this.#sites;
    this.#sites = [noting.with(configuration), plain.with(configuration)];
  }

  forget(): void {
    this.read.clear();
    this.written.length = 0;
  }
}

async function copyOf(stores: Stores): Promise<Stores> {
  const copy = inMemory();
  await fill(copy, await snapshotOf(stores));
  return copy;
}

async function tagsOf(store: Store): Promise<Map<string, string | undefined>> {
  const tags = new Map<string, string | undefined>();
  for await (const { key, tag } of store.list("")) tags.set(key, tag);
  return tags;
}
