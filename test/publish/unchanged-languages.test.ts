// A night does not render unchanged languages, and renders everything else as if there were no note of that.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { always, type Store } from "../../store/store.ts";
import { renderArchive } from "../../publish/archive.ts";
import { chooseState, NoSuchState } from "../../publish/history/rollback-target.ts";
import { publish } from "../../publish/publish.ts";
import { repair } from "../../publish/repair/repair.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { objectPath } from "../../publish/state/state.ts";
import { bringBack, withdraw } from "../../publish/withdraw.ts";
import { createVault } from "../../vault/vault.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays, periodOf } from "../../readings/calendar.ts";
import { settings } from "../site/editions.ts";
import { deep } from "../support/deep.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { damage, fill, inMemory, snapshotOf, type Stores, watched } from "../support/stores.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { isLanguage, type Language } from "../../readings/tables.ts";

const sources = { workings: "one version", fingerprint: "sha256-one" };

type Pair = readonly [noting: Stores, plain: Stores];

interface Night {
  readonly languages?: readonly Language[];
  readonly last?: boolean;
}

class Twins {
  /** The fingerprint from here on. */
  more: Partial<Publishing> = sources;
  /** The languages whose stored responses were read where the note is. */
  readonly read = new Set<Language>();
  /** The files of the site that were read there. */
  readonly readOfSite: string[] = [];
  /** Written keys. */
  readonly written: string[] = [];
  readonly #stores: Pair;
  #sites: readonly [noting: PublishedSite, plain: PublishedSite];

  constructor(configuration: ConfigurationInput, stores: Pair = [inMemory(), inMemory()]) {
    const tell = (store: string) => (call: string, key: string) => {
      const language = key.split("/")[3] ?? "";
      if (call === "read" && key.startsWith("responses/") && isLanguage(language)) this.read.add(language);
      if (call === "read" && store === "site") this.readOfSite.push(key);
      if (call === "write" || call === "remove") this.written.push(`${store} ${key}`);
    };
    const [{ site, vault }, plain] = stores;
    const told = { site: watched(site, tell("site")), vault: watched(vault, tell("vault")) };
    this.#stores = stores;
    this.#sites = [newSite(configuration, told), newSite(configuration, plain)];
  }

  /** Other publishers that start from the same state. */
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
    this.readOfSite.length = 0;
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

const [yesterday, today, tomorrow] = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;
const small: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["weekly-horoscope", "daily-tarot"],
};
const leo = leoIn(today);
const words = "Other words.";
const note = "sites/almanac/standing.json";

function leoIn(date: string, sign = "leo"): string {
  return `weekly/${periodOf("weekly", date)}/en/weekly-horoscope/${sign}`;
}

let first: Promise<Twins> | undefined;

/** Published yesterday and today; made once. */
async function published(): Promise<Twins> {
  first ??= twoNights();
  const twins = await (await first).again(small);
  twins.setClock(`${today}T12:00:00Z`);
  return twins;
}

async function twoNights(): Promise<Twins> {
  const twins = new Twins(small);
  twins.setClock(`${yesterday}T12:00:00Z`);
  await twins.each((site) => site.gather("2026-11-08", tomorrow));
  await twins.night();
  twins.setClock(`${today}T12:00:00Z`);
  await twins.night();
  return twins;
}

test("a night with nothing new reads no stored response, and writes nothing to site or vault", async () => {
  const twins = await published();
  await twins.night();
  expect(twins.written).toEqual([`vault ${note}`]); // notes that the whole site is unchanged
  twins.forget();
  await twins.night();
  await twins.night({ languages: ["hi"], last: false });
  expect([...twins.read]).toEqual([]);
  expect(twins.written).toEqual([]);
});

test("an unchanged site's shared files are not made again", async () => {
  const sitemaps = ({ readOfSite }: Twins) => readOfSite.filter((key) => key.endsWith(".xml")).length;
  const twins = await published();
  await twins.night();
  expect(sitemaps(twins)).toBeGreaterThan(0);
  twins.forget();
  await twins.night();
  expect(sitemaps(twins)).toBe(0);
  await twins.each((site) => site.keep(leo, words));
  await twins.night();
  expect(sitemaps(twins)).toBeGreaterThan(0);
});

const changes: readonly [what: string, rendered: string[], change: (twins: Twins) => Promise<void> | void][] =
  [
    ["another stored response in its place", ["en"], (twins) => twins.each((site) => site.keep(leo, words))],
    [
      "another stored response of the same length",
      ["en"],
      async (twins) => {
        await twins.each((site) => site.keep(leo, "Some words."));
        await twins.night();
        await twins.each((site) => site.keep(leo, "More words."));
      },
    ],
    ["a stored response that lost its place", ["en"], (twins) => twins.each((site) => displaced(site))],
    [
      "a text that stands in",
      ["en", "hi"],
      (twins) =>
        twins.each(async (site) => {
          await displaced(site);
          await site.publishing.vault.supersede(storedResponseOf(requestAt(leo), { words }));
        }),
    ],
    [
      "a stored response that a disk damaged",
      ["en"],
      (twins) => twins.each((site) => damage(site.publishing.vault.store, `responses/${leo}.json`)),
    ],
    ["a stored response of the week before", ["en"], (twins) => twins.each((site) => gone(site))],
    ["another day", ["en", "hi"], (twins) => twins.setClock(`${tomorrow}T12:00:00Z`)],
    [
      "other templates",
      ["en", "hi"],
      (twins) => void (twins.more = { ...sources, fingerprint: "sha256-other" }),
    ],
    [
      "other readers, or another Node",
      ["en", "hi"],
      (twins) => void (twins.more = { ...sources, workings: "two" }),
    ],
    [
      "another name of the site",
      ["en", "hi"],
      (twins) => twins.with({ site: { ...settings, name: "Other" } }),
    ],
    ["another rule", ["en", "hi"], (twins) => twins.with({ quality: { rules: { language: "warn" } } })],
    ["a language that was dropped", ["en"], (twins) => twins.with({ languages: ["en"] })],
    [
      "an operation that was dropped",
      ["en", "hi"],
      (twins) => twins.with({ operations: ["weekly-horoscope"] }),
    ],
    [
      "a text that was withdrawn",
      ["en", "hi"],
      (twins) => twins.each((_, publishing) => withdraw(recordOf(leo), requestAt(leo), publishing)),
    ],
    [
      "somebody else's state of a language",
      ["en"],
      (twins) =>
        twins.each(async (site, publishing) => {
          const { store } = site.publishing.vault;
          const response = storedResponseOf(requestAt(leo), { words });
          const bytes = new TextEncoder().encode(JSON.stringify(response));
          const read = async (key: string) =>
            key === `responses/${leo}.json` ? { body: bytes, version: "theirs" } : store.read(key);
          const theirs = {
            ...publishing,
            workings: undefined,
            vault: createVault({ ...store, read }, "almanac"),
          };
          await publish({ run: "theirs", asOf: `${today}T12:00:00Z`, languages: ["en"] }, theirs);
        }),
    ],
    [
      "a note that was damaged",
      ["en", "hi"],
      (twins) => twins.each((site) => damage(site.publishing.vault.store, note)),
    ],
    [
      "a store whose listings do not tell",
      ["en", "hi"],
      (twins) => {
        const { store } = twins.noting.publishing.vault;
        const list = async function* (prefix: string) {
          for await (const one of store.list(prefix)) yield { ...one, tag: undefined };
        };
        twins.more = { ...sources, vault: createVault({ ...store, list }, "almanac") };
      },
    ],
  ];

describe("after", () => {
  test.each(changes)(
    "%s, what it is about is rendered, as if nothing were noted",
    async (_, rendered, change) => {
      const twins = await published();
      await change(twins);
      twins.forget();
      await twins.night();
      expect([...twins.read].sort()).toEqual(rendered);
      await twins.night();
    },
  );

  test("a rollback the language stays, and is rendered on its next day", async () => {
    const twins = await published();
    await twins.each((site, publishing) => back(1, site, publishing));
    await twins.night();
    twins.setClock(`${tomorrow}T12:00:00Z`);
    twins.forget();
    await twins.night();
    expect([...twins.read].sort()).toEqual(["en", "hi"]);
  });

  test("the site was emptied all of it is published again", async () => {
    const twins = await published();
    await twins.each(async ({ site }) => {
      const keys: string[] = [];
      for await (const { key } of site.list("")) keys.push(key);
      await site.remove(keys);
    });
    await twins.night();
    expect([...twins.read].sort()).toEqual(["en", "hi"]);
  });

  test("a summary was lost or damaged on the site nothing is taken for granted", async () => {
    const twins = await published();
    const path = "v1/hi/index.json";
    const object = objectPath((await twins.noting.paths()).get(path) ?? "", path);
    await twins.each(({ site }) =>
      site.write(object, new TextEncoder().encode("{}"), { type: "application/json" }, always),
    );
    await twins.night();
    await twins.each(({ site }) => site.remove([object]));
    await twins.night();
  });

  test("a damaged stored response of a text that is withdrawn all is rendered once more and then stands, without a word", async () => {
    const twins = await published();
    await twins.each((_, publishing) => withdraw(recordOf(leo), requestAt(leo), publishing));
    await twins.each((site) => damage(site.publishing.vault.store, `responses/${leo}.json`));
    await twins.night();
    twins.forget();
    await twins.night();
    expect([...twins.read]).toEqual([]);
    expect(twins.noting.said).toEqual([]);
  });

  test("a damaged stored response every night says so again", async () => {
    const twins = await published();
    await twins.each((site) => damage(site.publishing.vault.store, `responses/${leo}.json`));
    for (let night = 0; night < 2; night += 1) {
      twins.noting.said.length = 0;
      await twins.night();
      expect(twins.noting.said.join()).toContain(`the stored response of ${leo} is unreadable`);
    }
  });
});

function displaced(site: PublishedSite): Promise<void> {
  return site.publishing.vault.displace(leo);
}

/** Removes the set of the week before. */
function gone(site: PublishedSite): Promise<void> {
  return site.publishing.vault.displace(leoIn(addDays(today, -7)));
}

/** Goes back this many versions, or as many as there are. */
async function back(versions: number, { site, publishing }: PublishedSite, now = publishing): Promise<void> {
  try {
    const current = JSON.parse(new TextDecoder().decode((await site.read("v1/pointer.json"))?.body));
    const wanted = String(Math.max(1, Number(current.version) - versions));
    const to = await chooseState(wanted, { site, now: now.now(), keepDays: 30 });
    await rollback({ to, evenMany: true, by: { by: "editor" } }, now);
  } catch (error) {
    if (!(error instanceof NoSuchState)) throw error;
  }
}

describe("whatever an operator, the service and the clock do", () => {
  const signs = fc.constantFrom("leo", "aries");
  const days = fc.integer({ min: -2, max: 1 });
  const languages = fc.constantFrom<readonly ("en" | "hi")[]>(["en"], ["hi"], ["en", "hi"]);
  const deed = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("night" as const), languages, last: fc.boolean() }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("keep" as const), sign: signs, days, word: fc.nat(2) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("displace" as const), sign: signs, days }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("superseded" as const), sign: signs, days }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("withdraw" as const), sign: signs, days }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("bringBack" as const), sign: signs, days }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("rollback" as const),
        versions: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("hours" as const), hours: fc.constantFrom(6, 30, 170) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("render" as const), languages, days }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("repair" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("configure" as const),
        cards: fc.boolean(),
        hindi: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("version" as const),
        workings: fc.constantFrom("a", "b"),
        fingerprint: fc.constantFrom("sha256-a", "sha256-b"),
      }),
    },
  );

  /** Repeats the previous night, in which a language is certainly unchanged, because chance may miss that case. */
  const quiet = { kind: "night", languages: ["en", "hi"], last: true } as const;

  test("the site has the same bytes as without the note", async () => {
    let [nights, standing] = [0, 0];
    const play = async (deeds: readonly (typeof deed extends fc.Arbitrary<infer Deed> ? Deed : never)[]) => {
      const twins = await published();
      let atMs = Date.parse(`${today}T12:00:00Z`);
      const keyOf = ({ sign, days: by }: { readonly sign: string; readonly days: number }) => {
        return leoIn(addDays(new Date(atMs).toISOString().slice(0, 10), 7 * by), sign);
      };
      for (const one of deeds) {
        switch (one.kind) {
          case "night":
            twins.forget();
            await twins.night(one);
            nights += 1;
            if (twins.read.size < one.languages.length) standing += 1;
            break;
          case "keep":
            await twins.each((site) => site.keep(keyOf(one), `Words ${one.word}.`));
            break;
          case "displace":
            await twins.each((site) => site.publishing.vault.displace(keyOf(one)));
            break;
          case "superseded":
            await twins.each((site) =>
              site.publishing.vault.supersede(storedResponseOf(requestAt(keyOf(one)), { words })),
            );
            break;
          case "withdraw":
            await twins.each((_, now) => withdraw(recordOf(keyOf(one)), requestAt(keyOf(one)), now));
            break;
          case "bringBack":
            await twins.each((_, now) => bringBack(requestAt(keyOf(one)), { by: "editor" }, now));
            break;
          case "rollback":
            await twins.each((site, now) => back(one.versions, site, now));
            break;
          case "hours":
            atMs += one.hours * 60 * 60_000;
            twins.setClock(new Date(atMs).toISOString());
            await twins.each((site) => site.gather(new Date(atMs).toISOString().slice(0, 10)));
            break;
          case "render": {
            const from = keyOf({ sign: "leo", days: Math.min(0, one.days) }).split("/")[1] ?? "";
            await twins.each((_, now) =>
              renderArchive({ languages: one.languages, dates: { from }, evenMany: true }, now),
            );
            break;
          }
          case "repair":
            await twins.each((_, now) => repair(now, true));
            break;
          case "configure":
            twins.with({
              languages: one.hindi ? ["en", "hi"] : ["en"],
              operations: one.cards ? ["weekly-horoscope", "daily-tarot"] : ["weekly-horoscope"],
            });
            break;
          case "version":
            twins.more = one;
            break;
        }
      }
      await twins.night();
    };
    const seed = Date.now() % 1_000_000;
    await fc.assert(fc.asyncProperty(fc.array(deed, { minLength: 6, maxLength: 14 }), play), {
      seed,
      numRuns: deep ? 150 : 2,
      endOnFailure: true,
      examples: [[[quiet, quiet]]],
    });
    console.log(
      `what stands: seed ${seed}, ${nights} nights, ${standing} with a language that was not rendered`,
    );
    expect(standing).toBeGreaterThan(deep ? 100 : 0);
  });
});
