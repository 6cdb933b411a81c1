// From every kind of path back to its sources, and reasons for missing paths.
import { describe, expect, test } from "vitest";
import { always } from "../../store/store.ts";
import { accept } from "../../vault/quarantine.ts";
import type { Quarantined } from "../../vault/vault.ts";
import { merge } from "../../publish/render/merged-state.ts";
import { manifestPath, readState } from "../../publish/state/state.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { changeWithheld } from "../../vault/withheld.ts";
import { keepRefusals } from "../../vault/call-notes.ts";
import { writeJson, layout } from "../../vault/files.ts";
import type { Fact } from "../../insight/why-facts.ts";
import { NoSuchPath } from "../../insight/why-parts.ts";
import { why } from "../../insight/why.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { type Language, languageNames, signs } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import type { RequestKey } from "../../readings/request.ts";
import { entryId, requestOfEntry } from "../../site/feed.ts";
import { typeOf } from "../../site/edition.ts";
import { ownPaths, passingPaths, pathOf } from "../../site/paths.ts";
import { type Shows, tree, type TreePath } from "../../site/tree.ts";
import { deep } from "../support/deep.ts";
import { kindOf } from "../site/kinds.ts";
import {
  configured,
  newSite,
  type PublishedSite,
  recordOf,
  requestAt,
} from "../publish/support/published-site.ts";
import { damage, fill, inMemory, type Snapshot, snapshotOf, watched } from "../support/stores.ts";
import { atPath } from "../support/at-path.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { commitOn } from "../publish/support/commit-on.ts";

const [yesterday, today, tomorrow] = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;
const noon = `${today}T12:00:00Z`;
const receivedAt = "2026-11-19T08:05:17.000Z";
const settings: ConfigurationInput = {
  operations: [...configured.operations, "monthly-horoscope", "yearly-horoscope"],
  zones: { en: "UTC", hi: "UTC" },
};

async function ask(site: PublishedSite, path: string) {
  return linesBy(await why({ path }, lookingAt(site)));
}

/** The facts of each label: a line for each. */
type Answer = Readonly<Record<string, string | undefined>>;

function linesBy(facts: readonly Fact[]): Answer {
  const answer: Record<string, string> = {};
  for (const { about, is, name, at, words } of facts) {
    const line = [is, name, at, words].filter((part) => part !== undefined).join(" ");
    answer[about] = about in answer ? `${answer[about]}\n${line}` : line;
  }
  return answer;
}

function lookingAt({ publishing: { configuration, vault, now }, site }: PublishedSite) {
  return { configuration, vault, site, now: now() };
}

async function publish(): Promise<Snapshot> {
  const site = newSite(settings);
  await site.gather("2026-11-18", tomorrow);
  await site.nights(yesterday, today);
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
}
const published = publish();

/** Two nights of two languages, and tomorrow's texts in the vault. */
async function newWorld(): Promise<PublishedSite> {
  const stores = inMemory();
  await fill(stores, await published);
  const site = newSite(settings, stores);
  site.setClock(noon);
  return site;
}

const refusal = (key: RequestKey): Quarantined => ({
  format: 1,
  key,
  type: "Unfit",
  rule: "short",
  reason: "data.prediction.travel has 3 letters, fewer than 25",
  at: noon,
  tries: 4,
  run: "almanac-nightly-2026-11-20",
  address: "http://127.0.0.1/",
  body: storedResponseOf(requestAt(key)).body,
});

async function quarantine(site: PublishedSite, key: RequestKey): Promise<void> {
  await site.publishing.vault.displace(key);
  await site.publishing.vault.quarantine(refusal(key));
}

const leo = (date: string, language = "en") => `daily/${date}/${language}/daily-horoscope/leo`;

type Kind = "text" | "twelve" | "several" | "none";

/** A path of each kind, what it shows, and the key of its text, or the first of its parts. */
const kinds: readonly [path: string, kind: Kind, count: number, first: string | undefined][] = [
  ["index.html", "none", 2, "v1/en/index.json"],
  ["404.html", "none", 0, undefined],
  ["status/index.html", "none", 2, "v1/en/index.json"],
  ["en/index.html", "several", 7, "v1/en/daily/latest.json"],
  ["en/about/index.html", "none", 0, undefined],
  ["en/daily/leo/index.html", "text", 1, leo(today)],
  ["en/daily/leo/2026-11-20/index.html", "text", 1, leo(yesterday)],
  ["en/yearly/leo/2026/index.html", "text", 1, "yearly/2026/en/yearly-horoscope/leo"],
  ["en/daily-tarot/index.html", "text", 1, `daily/${today}/en/daily-tarot/reading`],
  ["en/decks/daily-tarot/index.html", "several", 3, "v1/en/daily-tarot/2026-11-21.json"],
  ["en/love-compatibility/index.html", "several", 2, "en/love-compatibility/aries-leo/index.html"],
  [
    "en/love-compatibility/aries-leo/index.html",
    "text",
    1,
    "seasonal/2026-Q4/en/love-compatibility/aries-leo",
  ],
  ["en/people/example/index.html", "text", 1, "once/always/en/which-animal-are-you-reading/example"],
  ["en/archive/leo/2026-11/index.html", "none", 5, "en/daily/leo/2026-11-19/index.html"],
  ["en/embed/leo/index.html", "text", 1, leo(today)],
  ["en/newsletter/2026-11-21.html", "twelve", 12, "v1/en/daily/2026-11-21/aries.json"],
  ["en/newsletter/2026-11-21/leo.txt", "text", 1, leo(today)],
  ["hi/feed.xml", "twelve", 12, "v1/hi/daily/2026-11-21/aries.json"],
  ["hi/daily/leo/feed.json", "text", 1, leo(today, "hi")],
  ["v1/en/daily/2026-11-20/leo.json", "text", 1, leo(yesterday)],
  ["v1/en/weekly/latest.json", "twelve", 12, "v1/en/weekly/2026-11-15/aries.json"],
  ["v1/en/daily/2026-11-21.json", "twelve", 12, "v1/en/daily/2026-11-21/aries.json"],
  ["v1/en/daily-tarot/latest.json", "text", 1, `daily/${today}/en/daily-tarot/reading`],
  ["v1/en/love-compatibility/aries-leo.json", "text", 1, "seasonal/2026-Q4/en/love-compatibility/aries-leo"],
  ["v1/en/decks/daily-tarot.json", "several", 3, "v1/en/daily-tarot/2026-11-21.json"],
  ["v1/en/index.json", "several", 7, "v1/en/daily/latest.json"],
  ["v1/index.json", "none", 2, "v1/en/index.json"],
  ["v1/schemas/sign.json", "none", 0, undefined],
  ["assets/pictures/leo.png", "none", 0, undefined],
  ["hi/pictures/leo.png", "none", 0, undefined],
  ["en/sitemap-2026-11.xml", "none", 0, undefined],
  ["sitemap.xml", "none", 2, "v1/en/index.json"],
  ["robots.txt", "none", 0, undefined],
];

const kindShown: Readonly<Record<Shows, Kind>> = {
  text: "text",
  "current text": "text",
  pair: "text",
  twelve: "twelve",
  "current twelve": "twelve",
  edition: "several",
  pairs: "several",
  deck: "several",
  month: "none",
  list: "none",
  site: "none",
  picture: "none",
  own: "none",
  record: "none",
};

function kindShownBy({ shows = "", reading }: Answer): Kind {
  if (reading !== undefined) return "text";
  if (shows.includes("all twelve signs")) return "twelve";
  return shows.startsWith("no text") ? "none" : "several";
}

/** The published text is the vault's response. */
function requireFromVault({ reading, response, differs, "shown from": from }: Answer, key: string): void {
  expect({ key: reading?.split(" ")[0], response, differs }).toEqual({ key, response: layout.response(key) });
  expect(from).toBeDefined();
}

describe("a path that is there", () => {
  const world = newWorld();

  test.each(kinds)("%s shows %s", async (path, kind, count, first) => {
    const answer = await ask(await world, path);
    const { reason, damaged, differs, superseded } = answer;
    expect(kindShownBy(answer)).toBe(kind);
    expect({ reason, damaged, differs, superseded }).toEqual({});
    expect(answer["since"]).toMatch(/^version [12], as of .*, by almanac-nightly$/);
    const parts = (answer["reading"] ?? answer["made of"])?.split("\n") ?? [];
    expect(parts).toHaveLength(count);
    expect(parts[0]?.split(" ")[0]).toBe(first);
    if (kind === "twelve")
      for (const part of parts) expect(part).toContain(`${receivedAt} 1 attempt, almanac-nightly, passed`);
    if (kind === "text")
      expect(answer).toMatchObject({
        received: `${receivedAt} after 1 attempt`,
        from: "http://127.0.0.1/",
        rules: expect.stringMatching(/^passed: .*\blanguage\b/),
        run: "almanac-nightly also the workflow ID",
      });
  });

  test("shows what its row says, whatever kind of page it is, and its texts are shown on it", async () => {
    const pages = [...(await (await world).paths()).keys()].filter((path) => path.endsWith("index.html"));
    for (const [path = ""] of Map.groupBy(pages, kindOf).values()) {
      const answer = await ask(await world, path);
      const { row } = atPath(path);
      const { reading, reason } = answer;
      expect([row, kindShownBy(answer), reason]).toEqual([row, kindShown[tree[row].shows], undefined]);
      if (reading === undefined) continue;
      const request = requestAt(reading.split(" ")[0] ?? "");
      expect([...ownPaths(request), ...passingPaths(request, true)]).toContain(path);
    }
  });

  test("names the state that first had its bytes, and the source of their render", async () => {
    const site = await newWorld();
    const animal = async () => (await ask(site, "en/people/example/index.html"))["since"];
    expect(await animal()).toBe("version 1, as of 2026-11-20 12:00 UTC, by almanac-nightly");
    expect(await ask(site, "en/daily/leo/2026-11-21/index.html")).toMatchObject({
      published: expect.stringMatching(/^version 2 since/),
      part: "en/2026-11",
      since: expect.stringMatching(/^version 2, as of/),
      set: `daily/${today}/en/daily-horoscope 12 of 12 readings in the vault`,
      rules: expect.stringContaining("another-sign"),
    });
    await site.site.remove([manifestPath((await readState(site.site))?.manifest.parent ?? "")]);
    expect(await animal()).toBe("version 2 or an earlier one");
  });

  test("is explained even if an earlier state is damaged, which is reported", async () => {
    const site = await newWorld();
    const before = manifestPath((await readState(site.site))?.manifest.parent ?? "");
    await damage(site.site, before);
    const answer = await ask(site, "en/daily/leo/index.html");
    requireFromVault(answer, leo(today));
    expect(answer["since"]).toBe("version 2 or an earlier one");
    expect(answer["damaged"]).toMatch(new RegExp(`^${before} .*$`));
  });

  test("reports that pages of operations that are no longer configured have no text", async () => {
    const site = (await newWorld()).with({ operations: ["daily-tarot"] });
    site.setClock(`${tomorrow}T12:00:00Z`);
    await site.night();
    for (const path of ["en/daily/leo/index.html", "en/feed.json", "en/daily/leo/feed.xml"]) {
      const { shows, reason, "made of": parts } = await ask(site, path);
      expect({ shows, reason, parts }).toEqual({ shows: "no text: its reading is no longer requested" });
    }
    requireFromVault(await ask(site, `en/daily/leo/${today}/index.html`), leo(today));
  });

  test("reads one part of each state, the objects it needs, and lists nothing of the site", async () => {
    const site = await newWorld();
    const calls: string[] = [];
    const eyes = watched(site.site, (call, key) =>
      calls.push(`${call} ${key.split("/").slice(0, 2).join("/")}`),
    );
    await why({ path: "en/daily/leo/2026-11-20/index.html" }, { ...lookingAt(site), site: eyes });
    const counts = Object.groupBy(calls, (call) => call);
    expect(Object.keys(counts).sort()).toEqual([
      "read v1/manifests",
      "read v1/objects",
      "read v1/pointer.json",
    ]);
    // Two states with the month's part of each, and the reading as data.
    expect(counts["read v1/manifests"]).toHaveLength(4);
    expect(counts["read v1/objects"]).toHaveLength(1);
  });

  test("names the operator who accepted a refused response, and the reason", async () => {
    const site = await newWorld();
    await quarantine(site, leo(tomorrow));
    const by = { by: "editor", at: noon, why: "short, but whole" };
    await accept(site.publishing.vault, refusal(leo(tomorrow)), by);
    site.setClock(`${tomorrow}T12:00:00Z`);
    await site.night();
    const answer = await ask(site, "en/daily/leo/index.html");
    requireFromVault(answer, leo(tomorrow));
    expect(answer["noted"]).toBeUndefined();
    expect(answer).toMatchObject({
      rules: "rejected it: short: data.prediction.travel has 3 letters, fewer than 25",
      waived: "by editor at 2026-11-21 12:00 UTC: short, but whole",
      received: `${noon} after 4 attempts`,
      run: "almanac-nightly-2026-11-20 also the workflow ID",
    });
  });

  test("lists findings that did not refuse a text, and the outcome of the run that requested it", async () => {
    const site = await newWorld();
    const { vault } = site.publishing;
    const run = "almanac-nightly-2026-11-20";
    const notes = [
      "score travel left out: it is no number",
      "short: travel has 3 letters",
      "sign: an unknown name",
    ];
    const response = { ...storedResponseOf(requestAt(leo(today))), run, notes };
    await vault.displace(leo(today));
    await vault.storeResponse(response);
    const endedAt = `${yesterday}T04:40:00.000Z`;
    const counts = { planned: 1, held: 0, outOfReach: 0, leftOut: 0 };
    const startedAt = response.receivedAt;
    const told = { startedAt, languages: {}, skipped: [], refused: [], broken: {}, published: [] };
    const report = { format: 1, run, asOf: endedAt, endedAt, state: "done", ...counts, ...told };
    await writeJson(vault.store, `sites/almanac/runs/${yesterday}/${run}/first.json`, report, always);
    // Started again after the answer had come, it is not the one that asked.
    const again = { startedAt: `${yesterday}T09:00:00.000Z`, endedAt: `${yesterday}T09:01:00.000Z` };
    const later = { ...report, state: "failed", ...again };
    await writeJson(vault.store, `sites/almanac/runs/${yesterday}/${run}/second.json`, later, always);
    const warning = site.with({ quality: { rules: { short: "warn" } } });
    expect(await ask(warning, "en/daily/leo/index.html")).toMatchObject({
      run: `${run} also the workflow ID; done at 2026-11-20 04:40 UTC`,
      noted: "short: travel has 3 letters (the configuration only warns)\nsign: an unknown name",
      rules: expect.stringMatching(/^passed: (?!.*short)/),
    });
  });

  test("distinguishes a superseded text that is shown from one that the vault has lost", async () => {
    const site = await newWorld();
    const { vault } = site.publishing;
    const response = await vault.response(leo(today));
    if (response === undefined) throw new Error("it was gathered");
    await vault.supersede(response);
    await quarantine(site, leo(today));
    expect(await ask(site, "en/daily/leo/index.html")).toMatchObject({
      superseded: expect.anything(),
      response: `superseded/${leo(today)}.json`,
      quarantined: expect.stringContaining("(short)"),
    });
    await vault.dropSuperseded([leo(today)]);
    expect(await ask(site, "en/daily/leo/index.html")).toMatchObject({
      differs: expect.stringContaining("a response of 2026-11-19 08:05 UTC that is no longer in the vault"),
      "shown from": `${today}T12:00:00.000Z`,
      response: "none in the vault",
    });
  });

  test("lists the feeds that still contain an entry", async () => {
    const site = await newWorld();
    const entryOf = async (date: string) => {
      const question = { path: `en/daily/leo/${date}/index.html`, request: requestAt(leo(date)) };
      return linesBy(await why(question, lookingAt(site)))["entry"];
    };
    const id = (date: string) => `urn:almanac:almanac:daily-horoscope:en:leo:${date}`;
    const none = "no feed contains it: feeds contain only the current day";
    expect(await entryOf(yesterday)).toBe(`${id(yesterday)} ${none}`);
    const feeds = "en/feed.json, en/daily/leo/feed.json, en/feed.xml, en/daily/leo/feed.xml";
    expect(await entryOf(today)).toBe(`${id(today)} in ${feeds}`);
  });

  test.each([
    ["is damaged", "damaged", "is not JSON"],
    [
      "has another format",
      JSON.stringify({ format: 0, key: leo(today), text: "old" }),
      "has a format that this version cannot read: format",
    ],
    ["is no longer what was stored", undefined, "its hash does not match"],
  ])("names a stored response that %s, and goes on without it", async (_, content, said) => {
    const site = await newWorld();
    const { vault } = site.publishing;
    const harmed = JSON.stringify({ ...(await vault.response(leo(today))), body: "{}" });
    const bytes = new TextEncoder().encode(content ?? harmed);
    await vault.store.write(layout.response(leo(today)), bytes, { type: "application/json" }, always);
    const { damaged, set, "made of": parts = "" } = await ask(site, "v1/en/daily/latest.json");
    expect(damaged).toMatch(new RegExp(`^${layout.response(leo(today))} .*${said}.*$`));
    expect(parts.match(/1 attempt/g)).toHaveLength(11);
    expect(parts).toMatch(/ leo unreadable$/m);
    expect(set).toMatch(/11 of 12 readings in the vault$/);
  });
});

type Change = (site: PublishedSite) => Promise<void>;
const nothing: Change = async () => undefined;
const refuseTarot: Change = async ({ publishing: { vault } }) => {
  await vault.displace(`daily/${tomorrow}/en/daily-tarot/reading`);
  const refused = { operation: "daily-tarot", reason: "not subscribed", languages: ["en"] } as const;
  const counted = [{ ...refused, requested: 12, notRequested: 0 }];
  await keepRefusals({ run: "almanac-nightly-2026-11-21", day: today, refused: counted }, vault);
};
const pin = { language: "en", at: noon, to: { manifest: "a".repeat(64), version: 1 } } as const;

const absences: readonly [name: string, path: string, change: Change, kind: string, reason: string][] = [
  [
    "of a language that the site has not",
    "de/daily/leo/index.html",
    nothing,
    "never due",
    'de is not in "languages" (en, hi)',
  ],
  [
    "of an operation that it has not",
    "v1/en/wisdom-reading/2026-11-21.json",
    nothing,
    "never due",
    'not in "operations"',
  ],
  [
    "that the service does not give in the language",
    "v1/hi/daily-tarot-legacy/2026-11-21.json",
    nothing,
    "never due",
    "the service does not offer daily-tarot-legacy in hi",
  ],
  [
    "of a pair that it has not",
    "en/love-compatibility/leo-aries/index.html",
    nothing,
    "never due",
    'leo-aries is not in "pairs"',
  ],
  ["of nobody it knows", "en/people/nobody/index.html", nothing, "never due", "no person with the ID nobody"],
  ["of a deck without a day", "en/decks/wisdom-reading/index.html", nothing, "never due", "wisdom-reading"],
  [
    "of a month without pages",
    "en/archive/leo/2026-02/index.html",
    nothing,
    "waiting for its set",
    "no text that it would show is published",
  ],
  [
    "that can't be asked for yet",
    "en/daily/leo/2026-12-12/index.html",
    nothing,
    "not due yet",
    "offers it from 2026-12-11 00:00 UTC",
  ],
  [
    "that no night wants yet",
    "v1/en/monthly/2026-12/leo.json",
    nothing,
    "not due yet",
    "it is due at 2026-12-01 00:00 UTC",
  ],
  [
    "that can't be asked for any more",
    "en/daily/leo/2026-11-12/index.html",
    nothing,
    "out of reach",
    "offered it only until 2026-11-14 00:00 UTC",
  ],
  ["of twelve that can't", "v1/en/daily/2026-11-12.json", nothing, "out of reach", "it is not in the vault"],
  [
    "that was refused",
    "en/daily/leo/2026-11-22/index.html",
    (site) => quarantine(site, leo(tomorrow)),
    "quarantined",
    "Unfit (short): data.prediction.travel has 3 letters",
  ],
  [
    "whose set lacks another",
    "en/daily/aries/2026-11-22/index.html",
    (site) => quarantine(site, leo(tomorrow)),
    "waiting for its set",
    "contains 11 of its 12 readings",
  ],
  [
    "of twelve that lack one",
    "v1/en/daily/2026-11-22.json",
    (site) => quarantine(site, leo(tomorrow)),
    "waiting for its set",
    "contains 11 of its 12 readings",
  ],
  [
    "whose stored response is damaged",
    "en/daily/leo/2026-11-22/index.html",
    ({ publishing }) => damage(publishing.vault.store, layout.response(leo(tomorrow))),
    "damaged",
    "is not JSON",
  ],
  [
    "that was withdrawn",
    "en/daily/leo/2026-11-20/index.html",
    async (site) =>
      void (await withdraw(recordOf(leo(yesterday)), requestAt(leo(yesterday)), site.publishing)),
    "withdrawn",
    "by editor at 2026-11-21 12:00 UTC: a complaint",
  ],
  [
    "that was rolled back",
    "en/daily/leo/2026-11-22/index.html",
    ({ publishing }) =>
      changeWithheld(publishing.vault.own, (note) => ({
        ...note,
        pins: [{ ...pin, date: yesterday, sets: [`daily-horoscope/${tomorrow}`] }],
      })),
    "rolled back",
    "pins its set",
  ],
  [
    "of an operation that is refused alike",
    "v1/en/daily-tarot/2026-11-22.json",
    refuseTarot,
    "not in the subscription",
    "not subscribed",
  ],
  [
    "whose day has not come",
    "en/daily/leo/2026-11-22/index.html",
    nothing,
    "waiting for its day",
    "published at 2026-11-22 00:00 UTC",
  ],
  [
    "that was gathered for the past",
    "en/daily/leo/2026-11-16/index.html",
    (site) => site.gather("2026-11-16"),
    "waiting for the next publish",
    "its set is complete",
  ],
  [
    "that the next night asks for",
    "en/daily/leo/2026-11-22/index.html",
    ({ publishing }) => publishing.vault.displace(leo(tomorrow)),
    "due",
    "it is not in the vault yet",
  ],
  [
    "that a backfill could ask for",
    "en/daily/leo/2026-11-20/index.html",
    async (site) => {
      await site.site.remove(["v1/pointer.json"]);
      await site.publishing.vault.displace(leo(yesterday));
    },
    "due",
    "nightly runs no longer request it",
  ],
];

describe("a path that is not there", () => {
  test("points to the backup if the service no longer offers it", async () => {
    const { next } = await ask(await newWorld(), "en/daily/leo/2026-11-12/index.html");
    expect(next).toBe("only a backup of the vault can restore it");
  });

  test("of a past day whose readings are in the vault leads to a render", async () => {
    const site = await newWorld();
    await site.gather("2026-11-16");
    const { next } = await ask(site, "en/daily/leo/2026-11-16/index.html");
    expect(next).toBe(
      "a nightly run does not go back that far. Run `almanac render --languages en --from 2026-11-16 --to 2026-11-16`",
    );
  });

  test.each(absences)("%s says so (%s)", async (_, path, change, kind, reason) => {
    const site = await newWorld();
    await change(site);
    const answer = await ask(site, path);
    expect(answer["object"]).toBeUndefined();
    expect(answer["reason"]).toMatch(new RegExp(`^${kind} `));
    expect(answer["reason"]).toContain(reason);
  });

  test("and was refused is asked for again where its refusal is taken away, and is kept where that is accepted", async () => {
    const path = "en/daily/leo/2026-11-22/index.html";
    const told = `\`almanac quarantine show ${leo(tomorrow)}\`, then \`accept\` or \`retry\`; the next run`;
    const refused = async () => {
      const site = await newWorld();
      await quarantine(site, leo(tomorrow));
      expect((await ask(site, path))["next"]).toContain(told);
      return site;
    };
    const retried = await refused();
    await retried.publishing.vault.store.remove([layout.quarantined(leo(tomorrow))]);
    expect((await ask(retried, path))["reason"]).toMatch(/^due /);
    const accepted = await refused();
    const { vault } = accepted.publishing;
    await accept(vault, refusal(leo(tomorrow)), { at: noon, by: "editor", why: "whole" });
    expect((await ask(accepted, path))["reason"]).toMatch(/^waiting for its day /);
  });

  test.each([
    ["of a response without a reading", { body: "<h1>Maintenance</h1>" }],
    ["of a request without a response", { type: "Rejected", body: undefined }],
  ] as const)("is not offered for acceptance because %s", async (_, change) => {
    const site = await newWorld();
    await site.publishing.vault.displace(leo(tomorrow));
    await site.publishing.vault.quarantine({ ...refusal(leo(tomorrow)), ...change });
    expect((await ask(site, "en/daily/leo/2026-11-22/index.html"))["next"]).toContain(
      `\`almanac quarantine show ${leo(tomorrow)}\`, then \`retry\`; the next run`,
    );
  });

  test("names the command that lists a stored response at fault", async () => {
    const site = await newWorld();
    const { vault } = site.publishing;
    const aries = storedResponseOf(requestAt(`daily/${tomorrow}/en/daily-horoscope/aries`)).body;
    await vault.displace(leo(tomorrow));
    await accept(
      vault,
      { ...refusal(leo(tomorrow)), rule: "sign", body: aries },
      { at: noon, by: "editor", why: "whole" },
    );
    expect(await ask(site, "en/daily/leo/2026-11-22/index.html")).toMatchObject({
      reason: expect.stringMatching(/^waiting for its set another-sign: /),
      next: "`almanac revalidate --languages en --no-pages` lists the responses at fault",
    });
  });

  test("is due again on the next UTC day if its operation was refused", async () => {
    const site = await newWorld();
    await refuseTarot(site);
    const path = "v1/en/daily-tarot/2026-11-22.json";
    expect((await ask(site, path))["next"]).toBe("the next UTC day's run tries it again");
    site.setClock(`${tomorrow}T00:05:00Z`);
    expect((await ask(site, path))["reason"]).toMatch(/^due /);
  });

  test("names the missing readings of its set, and the reason for each", async () => {
    const site = await newWorld();
    await quarantine(site, leo(tomorrow));
    await site.publishing.vault.displace(`daily/${tomorrow}/en/daily-horoscope/virgo`);
    const { missing } = await ask(site, "v1/en/daily/2026-11-22.json");
    const virgo = `daily/${tomorrow}/en/daily-horoscope/virgo`;
    expect(missing).toMatch(new RegExp(`^${leo(tomorrow)} quarantined: .*\n${virgo} due: .*$`));
  });

  test("explains why the current page of a withdrawn text stays without it", async () => {
    const site = await newWorld();
    await withdraw(recordOf(leo(today)), requestAt(leo(today)), site.publishing);
    expect(await ask(site, "en/daily/leo/index.html")).toMatchObject({
      object: expect.anything(),
      reason: expect.stringMatching(/^withdrawn /),
      next: expect.stringContaining(`--undo ${leo(today)}`),
    });
  });

  test("has a reason before anything was published", async () => {
    const site = newSite(settings);
    expect(await ask(site, "en/index.html")).toMatchObject({
      published: expect.stringMatching(/^nothing yet/),
      reason: "waiting for the next publish nothing is published yet",
    });
    expect((await ask(site, "en/daily/leo/index.html"))["reason"]).toMatch(/^due /);
  });

  test.each([
    [
      "en/weekly/leo/2026-11-18/index.html",
      "expected the Sunday that starts the week",
      "en/weekly/leo/2026-11-15/index.html",
    ],
    [
      "en/daily/leo/2026-02-30/index.html",
      '"2026-02-30" is not a daily period: expected a day such as',
      undefined,
    ],
    ["v1/en/daily/2026-11/leo.json", '"2026-11" is not a daily period', undefined],
    ["en/archive/leo/2026-13/index.html", '"2026-13" is not a monthly period', undefined],
    ["en/daily/loe/index.html", '"loe" is not a sign', undefined],
    ["gr/daily/leo/index.html", '"gr" is not a language', undefined],
    ["en/dialy/leo/index.html", '"dialy" is not a section', undefined],
    ["v1/schemas/none.json", "is not a published path", undefined],
    ["en/daily-horoscope/index.html", "is not a published path", undefined],
    ["v1/pointer.json", "a record of the site, not a published path", undefined],
  ])("%s is refused, with what was looked for", async (path, said, meant) => {
    const error: unknown = await ask(newSite(settings), path).catch((thrown: unknown) => thrown);
    if (!(error instanceof NoSuchPath)) throw error;
    expect(error.message).toContain(said);
    expect(error.guess.meant).toBe(meant);
  });
});

/** A year of a site in all languages as its manifest has it, with the nights before; the files themselves are all one. */
async function aYear(site: PublishedSite, languages: readonly Language[], days: number): Promise<void> {
  const bytes = new TextEncoder().encode("a page");
  for (const language of languages) {
    const files = Array.from({ length: days }, (_, back) => addDays(yesterday, -back - 7)).flatMap((date) =>
      signs.flatMap((sign) => {
        const ats: TreePath[] = [
          { row: "datedPage", language, kind: "daily", sign, key: date },
          { row: "signNewsletter", language, date, sign },
          { row: "signData", language, kind: "daily", key: date, sign },
        ];
        return ats.map((at) => ({ path: pathOf(at), at, bytes, type: typeOf(pathOf(at), at) }));
      }),
    );
    const by = { run: `almanac-nightly-${language}`, asOf: noon };
    await commitOn(site.publishing, by, (base, reader) => merge(base?.manifest, files, [], reader));
  }
}

test("is told within half a second of processor time on a site of a year", async () => {
  const site = await newWorld();
  const languages = deep ? languageNames : (["de", "fr"] as const);
  await aYear(site, languages, deep ? 365 : 31);
  for (const path of [
    "en/people/example/index.html",
    "v1/en/daily/2026-11-20.json",
    "en/daily/leo/2024-11-12/index.html",
  ]) {
    const before = process.cpuUsage();
    const { damaged } = await ask(site, path);
    const { user, system } = process.cpuUsage(before);
    expect(damaged).toBeUndefined();
    if (deep) console.info(`${path}: ${Math.round((user + system) / 1000)} ms`);
    expect((user + system) / 1e6).toBeLessThan(0.5);
  }
});

test("an entry's id leads back to its text on this site alone", () => {
  const text = requestAt(leo(today));
  if (!("sign" in text)) throw new Error("it is a sign's");
  const id = entryId("almanac", text);
  expect(requestOfEntry("almanac", id)).toEqual(text);
  for (const [site, other] of [
    ["other", id],
    ["almanac", `${id}:more`],
    ["almanac", id.replace("leo", "loe")],
    ["almanac", id.replace(today, "2026-02-30")],
  ] as const)
    expect(requestOfEntry(site, other)).toBeUndefined();
});
