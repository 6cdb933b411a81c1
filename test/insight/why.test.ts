// From every kind of path back to what it is made of; and for what is not there, why.
import { always } from "../../store/store.ts";
import { describe, expect, test } from "vitest";
import { accept } from "../../vault/quarantine.ts";
import type { Quarantined } from "../../vault/vault.ts";
import { merge } from "../../publish/render/merged-state.ts";
import { manifestPath, readState } from "../../publish/state/state.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { changeWithheld } from "../../vault/withheld.ts";
import { keepRefusals } from "../../vault/call-notes.ts";
import { writeJson, layout } from "../../vault/files.ts";
import type { Absence, Why } from "../../insight/why-answer.ts";
import { NoSuchPath } from "../../insight/why-gathering.ts";
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
const settings: ConfigurationInput = {
  operations: [...configured.operations, "monthly-horoscope", "yearly-horoscope"],
  zones: { en: "UTC", hi: "UTC" },
};

function ask(site: PublishedSite, path: string): Promise<Why> {
  return why({ path }, lookingAt(site));
}

function lookingAt({ publishing: { configuration, vault, now }, site }: PublishedSite) {
  return { configuration, vault, site, now: now(), run: "almanac-nightly-2026-11-21" };
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

/** A path of each kind, what it shows, and the key of the first text or the path of the first part. */
const kinds: readonly [path: string, kind: Why["shows"]["kind"], count: number, first: string | undefined][] =
  [
    ["index.html", "none", 2, "v1/en/index.json"],
    ["404.html", "none", 0, undefined],
    ["status/index.html", "none", 2, "v1/en/index.json"],
    ["en/index.html", "several", 7, "v1/en/daily/2026-11-21.json"],
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
    ["en/newsletter/2026-11-21.html", "twelve", 12, `daily/${today}/en/daily-horoscope/aries`],
    ["en/newsletter/2026-11-21/leo.txt", "text", 1, leo(today)],
    ["hi/feed.xml", "twelve", 12, `daily/${today}/hi/daily-horoscope/aries`],
    ["hi/daily/leo/feed.json", "text", 1, leo(today, "hi")],
    ["v1/en/daily/2026-11-20/leo.json", "text", 1, leo(yesterday)],
    ["v1/en/weekly/latest.json", "twelve", 12, "weekly/2026-11-15/en/weekly-horoscope/aries"],
    ["v1/en/daily/2026-11-21.json", "twelve", 12, `daily/${today}/en/daily-horoscope/aries`],
    ["v1/en/daily-tarot/latest.json", "text", 1, `daily/${today}/en/daily-tarot/reading`],
    [
      "v1/en/love-compatibility/aries-leo.json",
      "text",
      1,
      "seasonal/2026-Q4/en/love-compatibility/aries-leo",
    ],
    ["v1/en/decks/daily-tarot.json", "several", 3, "v1/en/daily-tarot/2026-11-21.json"],
    ["v1/en/index.json", "several", 7, "v1/en/daily/2026-11-21.json"],
    ["v1/index.json", "none", 2, "v1/en/index.json"],
    ["v1/schemas/sign.json", "none", 0, undefined],
    ["assets/pictures/leo.png", "none", 0, undefined],
    ["hi/pictures/leo.png", "none", 0, undefined],
    ["en/sitemap-2026-11.xml", "none", 0, undefined],
    ["sitemap.xml", "none", 2, "v1/en/index.json"],
    ["robots.txt", "none", 0, undefined],
  ];

const kindShown: Readonly<Record<Shows, Why["shows"]["kind"]>> = {
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

describe("a path that is there", () => {
  const world = newWorld();

  test.each(kinds)("%s shows %s", async (path, kind, count, first) => {
    const answer = await ask(await world, path);
    const { shows, texts, parts, file, absence, damaged } = answer;
    expect({ kind: shows.kind, absence, damaged }).toEqual({ kind, absence: undefined, damaged: [] });
    expect(file?.since).toMatchObject({ isKnown: true, run: "almanac-nightly" });
    expect(texts.length + parts.length).toBe(count);
    expect(texts[0]?.key ?? parts[0]?.path).toBe(first);
    for (const { response, rules, run, isFrom } of texts) {
      expect(response).toMatchObject({
        address: "http://127.0.0.1/",
        tries: 1,
        receivedAt: "2026-11-19T08:05:17.000Z",
      });
      expect(rules?.passed).toContain("language");
      expect(run).toEqual({ id: "almanac-nightly" });
      expect(["stored response", "unknown"]).toContain(isFrom);
    }
  });

  test("shows what its row says, whatever kind of page it is, and its texts are shown on it", async () => {
    const pages = [...(await (await world).paths()).keys()].filter((path) => path.endsWith("index.html"));
    for (const [path = ""] of Map.groupBy(pages, kindOf).values()) {
      const { shows, texts, absence } = await ask(await world, path);
      const { row } = atPath(path);
      expect([row, shows.kind, absence]).toEqual([row, kindShown[tree[row].shows], undefined]);
      for (const { key } of texts) {
        const request = requestAt(key);
        expect([...ownPaths(request), ...passingPaths(request, true)]).toContain(path);
      }
    }
  });

  test("says with which state its bytes came, and what it was rendered from", async () => {
    const site = await newWorld();
    const animal = await ask(site, "en/people/example/index.html");
    expect(animal.file?.since).toMatchObject({ version: 1, asOf: "2026-11-20T12:00:00.000Z", isKnown: true });
    const day = await ask(site, "en/daily/leo/2026-11-21/index.html");
    expect(day).toMatchObject({
      site: { version: 2 },
      file: { part: "en/2026-11", since: { version: 2 } },
      set: { set: `daily/${today}/en/daily-horoscope`, readings: 12, of: 12 },
    });
    expect(day.texts[0]?.rules?.passed).toContain("another-sign");
    await site.site.remove([manifestPath((await readState(site.site))?.manifest.parent ?? "")]);
    const later = await ask(site, "en/people/example/index.html");
    expect(later.file?.since).toMatchObject({ version: 2, isKnown: false });
  });

  test("is told although an earlier state is damaged, which is named", async () => {
    const site = await newWorld();
    const before = manifestPath((await readState(site.site))?.manifest.parent ?? "");
    await damage(site.site, before);
    const { file, texts, damaged } = await ask(site, "en/daily/leo/index.html");
    expect(file?.since).toMatchObject({ version: 2, isKnown: false });
    expect(texts[0]).toMatchObject({ isFrom: "stored response" });
    expect(damaged).toMatchObject([{ file: before }]);
  });

  test("says of the pages of what is no longer asked for that they have no text", async () => {
    const site = (await newWorld()).with({ operations: ["daily-tarot"] });
    site.setClock(`${tomorrow}T12:00:00Z`);
    await site.night();
    for (const path of ["en/daily/leo/index.html", "en/feed.json", "en/daily/leo/feed.xml"])
      expect(await ask(site, path)).toMatchObject({ shows: { kind: "none" }, absence: undefined, texts: [] });
    const dated = await ask(site, `en/daily/leo/${today}/index.html`);
    expect(dated.texts[0]).toMatchObject({ key: leo(today), isFrom: "stored response" });
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

  test("names who let a refused answer in, and why", async () => {
    const site = await newWorld();
    await quarantine(site, leo(tomorrow));
    const by = { by: "editor", at: noon, why: "short, but whole" };
    await accept(site.publishing.vault, refusal(leo(tomorrow)), by);
    site.setClock(`${tomorrow}T12:00:00Z`);
    await site.night();
    const [text] = (await ask(site, "en/daily/leo/index.html")).texts;
    expect(text?.rules).toEqual({
      passed: [],
      noted: [],
      waived: { ...by, note: "short: data.prediction.travel has 3 letters, fewer than 25" },
    });
    expect(text).toMatchObject({
      isFrom: "stored response",
      response: { tries: 4 },
      run: { id: "almanac-nightly-2026-11-20" },
    });
  });

  test("names findings that did not refuse a text, and how the run ended that asked", async () => {
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
    const [text] = (await ask(warning, "en/daily/leo/index.html")).texts;
    expect(text?.run).toEqual({ id: run, state: "done", endedAt });
    expect(text?.rules?.noted).toEqual([
      { rule: "short", note: "short: travel has 3 letters", isWarning: true },
      { rule: "sign", note: "sign: an unknown name", isWarning: false },
    ]);
    expect(text?.rules?.passed).not.toContain("short");
  });

  test("tells a text that stands in, and one that the vault has no longer", async () => {
    const site = await newWorld();
    const { vault } = site.publishing;
    const response = await vault.response(leo(today));
    if (response === undefined) throw new Error("it was gathered");
    await vault.supersede(response);
    await quarantine(site, leo(today));
    const [superseded] = (await ask(site, "en/daily/leo/index.html")).texts;
    expect(superseded).toMatchObject({
      isFrom: "superseded response",
      response: { file: `superseded/${leo(today)}.json` },
    });
    expect(superseded?.quarantined).toMatchObject({ rule: "short" });
    await vault.dropSuperseded([leo(today)]);
    const [lost] = (await ask(site, "en/daily/leo/index.html")).texts;
    expect(lost).toMatchObject({
      isFrom: "another",
      shownReceivedAt: response.receivedAt,
      shownFrom: `${today}T12:00:00.000Z`,
      response: undefined,
    });
  });

  test("of an entry says in which feeds it still is", async () => {
    const site = await newWorld();
    const entryOf = async (date: string) => {
      const entry = requestAt(leo(date));
      if (!("sign" in entry)) throw new Error("it is a sign's");
      return (await why({ path: `en/daily/leo/${date}/index.html`, entry }, lookingAt(site))).entry;
    };
    const id = (date: string) => `urn:almanac:almanac:daily-horoscope:en:leo:${date}`;
    expect(await entryOf(yesterday)).toEqual({ id: id(yesterday), feeds: [] });
    expect((await entryOf(today))?.feeds).toEqual([
      "en/feed.json",
      "en/daily/leo/feed.json",
      "en/feed.xml",
      "en/daily/leo/feed.xml",
    ]);
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
    const { damaged, texts, set } = await ask(site, "v1/en/daily/latest.json");
    expect(damaged).toEqual([{ file: layout.response(leo(today)), reason: expect.stringContaining(said) }]);
    expect(texts.filter(({ response }) => response !== undefined)).toHaveLength(11);
    expect(set).toMatchObject({ readings: 11, of: 12 });
  });
});

type Change = (site: PublishedSite) => Promise<void>;
const nothing: Change = async () => undefined;
const pin = { language: "en", at: noon, to: { manifest: "a".repeat(64), version: 1 } } as const;

const absences: readonly [
  name: string,
  path: string,
  change: Change,
  kind: Absence["kind"],
  reason: string,
][] = [
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
    async ({ publishing: { vault } }) => {
      await vault.displace(`daily/${tomorrow}/en/daily-tarot/reading`);
      const refused = [
        {
          operation: "daily-tarot",
          reason: "not subscribed",
          languages: ["en"],
          requested: 12,
          notRequested: 0,
        } as const,
      ];
      await keepRefusals({ run: "almanac-nightly-2026-11-21", day: today, refused }, vault);
    },
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
  test("names the backup where the service offers it no longer", async () => {
    const { absence } = await ask(await newWorld(), "en/daily/leo/2026-11-12/index.html");
    expect(absence?.next).toBe("only a backup of the vault can restore it");
  });

  test.each(absences)("%s says so (%s)", async (_, path, change, kind, reason) => {
    const site = await newWorld();
    await change(site);
    const { file, absence } = await ask(site, path);
    expect(file).toBeUndefined();
    expect(absence).toMatchObject({ kind, reason: expect.stringContaining(reason) });
  });

  test("and was refused is asked for again where its refusal is taken away, and is kept where that is accepted", async () => {
    const path = "en/daily/leo/2026-11-22/index.html";
    const told = `\`almanac quarantine show ${leo(tomorrow)}\`, then \`accept\` or \`retry\`; the next run`;
    const refused = async () => {
      const site = await newWorld();
      await quarantine(site, leo(tomorrow));
      expect((await ask(site, path)).absence?.next).toContain(told);
      return site;
    };
    const retried = await refused();
    await retried.publishing.vault.store.remove([layout.quarantined(leo(tomorrow))]);
    expect((await ask(retried, path)).absence?.kind).toBe("due");
    const accepted = await refused();
    const { vault } = accepted.publishing;
    await accept(vault, refusal(leo(tomorrow)), { at: noon, by: "editor", why: "whole" });
    expect((await ask(accepted, path)).absence?.kind).toBe("waiting for its day");
  });

  test.each([
    ["of a response without a reading", { body: "<h1>Maintenance</h1>" }],
    ["of a request without a response", { type: "Rejected", body: undefined }],
  ] as const)("is not offered for acceptance because %s", async (_, change) => {
    const site = await newWorld();
    await site.publishing.vault.displace(leo(tomorrow));
    await site.publishing.vault.quarantine({ ...refusal(leo(tomorrow)), ...change });
    expect((await ask(site, "en/daily/leo/2026-11-22/index.html")).absence?.next).toContain(
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
    expect((await ask(site, "en/daily/leo/2026-11-22/index.html")).absence).toMatchObject({
      kind: "waiting for its set",
      reason: expect.stringContaining("another-sign: "),
      next: "`almanac revalidate --languages en --no-pages` lists the responses at fault",
    });
  });

  test("whose operation is refused is due again on the next UTC day", async () => {
    const site = await newWorld();
    const { vault } = site.publishing;
    await vault.displace(`daily/${tomorrow}/en/daily-tarot/reading`);
    const refused = [
      {
        ...({ operation: "daily-tarot", reason: "not subscribed", languages: ["en"] } as const),
        requested: 12,
        notRequested: 0,
      },
    ];
    await keepRefusals({ run: "almanac-nightly-2026-11-21", day: today, refused }, vault);
    const path = "v1/en/daily-tarot/2026-11-22.json";
    expect((await ask(site, path)).absence?.next).toBe("the next UTC day's run tries it again");
    site.setClock(`${tomorrow}T00:05:00Z`);
    expect((await ask(site, path)).absence?.kind).toBe("due");
  });

  test("names what its set waits for, and what each of these waits for", async () => {
    const site = await newWorld();
    await quarantine(site, leo(tomorrow));
    await site.publishing.vault.displace(`daily/${tomorrow}/en/daily-horoscope/virgo`);
    const { absence } = await ask(site, "v1/en/daily/2026-11-22.json");
    expect(absence?.missing).toMatchObject([
      { key: leo(tomorrow), kind: "quarantined" },
      { key: `daily/${tomorrow}/en/daily-horoscope/virgo`, kind: "due" },
    ]);
  });

  test("says of a withdrawn text why its current page, which stays, has none", async () => {
    const site = await newWorld();
    await withdraw(recordOf(leo(today)), requestAt(leo(today)), site.publishing);
    const { file, absence } = await ask(site, "en/daily/leo/index.html");
    expect(file).toBeDefined();
    expect(absence).toMatchObject({
      kind: "withdrawn",
      next: expect.stringContaining(`--undo ${leo(today)}`),
    });
  });

  test("has a reason before anything was published", async () => {
    const site = newSite(settings);
    expect(await ask(site, "en/index.html")).toMatchObject({
      site: undefined,
      absence: { reason: "nothing is published yet" },
    });
    expect((await ask(site, "en/daily/leo/index.html")).absence?.kind).toBe("due");
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
    const asking = ask(newSite(settings), path);
    await expect(asking).rejects.toThrow(NoSuchPath);
    await expect(asking).rejects.toMatchObject({ message: expect.stringContaining(said), meant });
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
    expect(damaged).toEqual([]);
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
