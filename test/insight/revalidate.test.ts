// Today's readers and rules over what the vault has: what would be refused, what would be stored, what can't be read.
import fc from "fast-check";
import { expect, test } from "vitest";
import { always } from "../../store/store.ts";
import type { StoredResponse, Quarantined } from "../../vault/vault.ts";
import { revalidate, type AnswerFilter } from "../../insight/revalidate.ts";
import { createPartReader } from "../../publish/state/parts.ts";
import { readState } from "../../publish/state/state.ts";
import type { Revalidated } from "../../insight/judge.ts";
import { withPaths } from "../../insight/page-changes.ts";
import { revalidatedLines } from "../../scripts/revalidate.ts";
import { inOrder } from "../../scripts/terminal/output.ts";
import { layout } from "../../vault/files.ts";
import { addDays } from "../../readings/calendar.ts";
import type { RequestKey } from "../../readings/request.ts";
import { signs } from "../../readings/tables.ts";
import { changeTo, correctableText, recordCorrection } from "../../publish/correct.ts";
import { newSite, type PublishedSite, requestAt } from "../publish/support/published-site.ts";
import { contentOf, damage } from "../support/stores.ts";
import { sandboxProse } from "../support/prose.ts";
import { storedResponseOf, storedResponseWith } from "../support/stored-responses.ts";

const [yesterday, today, tomorrow] = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;
const keyOf = (sign: string, date: string = today, language = "en"): RequestKey =>
  `daily/${date}/${language}/daily-horoscope/${sign}`;

async function look(site: PublishedSite, wish: AnswerFilter = {}): Promise<Revalidated> {
  const { configuration, vault, site: store } = site.publishing;
  const manifest = (await readState(store))?.manifest;
  const published = { site: store, manifest, reader: createPartReader(store) };
  return withPaths(await revalidate(wish, { configuration, vault }), published, vault);
}

/** The same response with a section replaced by one word. */
function shortened(key: RequestKey): StoredResponse {
  return storedResponseWith(
    key,
    storedResponseOf(requestAt(key)).body.replace(/"travel":"[^"]*"/, '"travel":"Stay."'),
  );
}

/** An answer with the text of another request in it. */
function copied(key: RequestKey, from: RequestKey): string {
  const [own, other] = [key, from].map((one) => JSON.parse(storedResponseOf(requestAt(one)).body));
  return JSON.stringify({ ...own, data: { ...own.data, prediction: other.data.prediction } });
}

async function put(site: PublishedSite, response: StoredResponse): Promise<void> {
  await site.publishing.vault.displace(response.key);
  await site.publishing.vault.storeResponse(response);
}

const refusal = (key: RequestKey, more: Partial<Quarantined> = {}): Quarantined => ({
  format: 1,
  key,
  type: "Unfit",
  rule: "language",
  reason: "it is in no language",
  at: "2026-11-20T12:00:00.000Z",
  tries: 4,
  run: "almanac-nightly-2026-11-20",
  address: "http://127.0.0.1/",
  body: storedResponseOf(requestAt(key)).body,
  ...more,
});

const keysIn = (found: readonly { readonly key: RequestKey }[]) => found.map(({ key }) => key).sort();

test("a new rule lists exactly the responses that break it, and changes no stored response", async () => {
  const keys = ["en", "hi"].flatMap((language) => signs.map((sign) => keyOf(sign, today, language)));
  await fc.assert(
    fc.asyncProperty(fc.subarray(keys), async (broken) => {
      const site = newSite({ quality: { rules: { short: "warn" } } });
      for (const key of keys)
        await put(site, broken.includes(key) ? shortened(key) : storedResponseOf(requestAt(key)));
      expect((await look(site)).refused).toEqual([]);
      const before = await contentOf(site.publishing.vault.store);
      const { responses, refused } = await look(site.with({ quality: { rules: {} } }));
      expect(responses).toBe(keys.length);
      expect(keysIn(refused)).toEqual(broken.toSorted());
      for (const one of refused) expect(one).toMatchObject({ rule: "short", file: layout.response(one.key) });
      expect(await contentOf(site.publishing.vault.store)).toEqual(before);
    }),
    { numRuns: 5 },
  );
});

test("a further draw in its deck counts as published, and is withdrawn by its request", async () => {
  const site = newSite();
  await site.gather(yesterday, today);
  const shown = `daily/${today}/en/daily-tarot/draw-1`;
  const since = `daily/${today}/en/daily-tarot/draw-2`;
  const short = (key: RequestKey) =>
    storedResponseWith(
      key,
      storedResponseOf(requestAt(key)).body.replace(/"career":"[^"]*"/, '"career":"Stay."'),
      {
        receivedAt: `2026-11-21T03:0${key.at(-1)}:00.000Z`,
      },
    );
  await put(site, short(shown));
  await site.night();
  await put(site, short(since));
  const revalidated = await look(site);
  expect(revalidated.refused).toMatchObject([
    { key: shown, path: "en/decks/daily-tarot/index.html" },
    { key: since, path: undefined },
  ]);
  const told = revalidatedLines(revalidated, undefined, { applied: false, withPages: false });
  expect(JSON.stringify(told)).toContain(`"${shown} --reason`);
  const { receivedAt } = short(shown);
  await put(site, storedResponseWith(shown, '{"success":1,"data":{}}', { receivedAt })); // a stricter parser would refuse it
  expect((await look(site)).refused[0]).toMatchObject({
    key: shown,
    path: "en/decks/daily-tarot/index.html",
  });
});

test("every response of the sandbox passes the rules, for every operation", async () => {
  const site = newSite();
  await site.gather(yesterday, tomorrow);
  const { responses, refused, readable, damaged } = await look(site);
  expect(responses).toBeGreaterThan(60);
  expect({ refused, readable, damaged }).toEqual({ refused: [], readable: [], damaged: [] });
});

test("names both signs with the same text, and both days, but nothing that only warns or was accepted", async () => {
  const site = newSite();
  await site.gather(yesterday, today);
  await put(site, storedResponseWith(keyOf("leo"), copied(keyOf("leo"), keyOf("aries"))));
  await put(site, storedResponseWith(keyOf("virgo"), copied(keyOf("virgo"), keyOf("virgo", yesterday))));
  const { refused } = await look(site);
  expect(refused.map(({ key, rule }) => `${key} ${rule}`).sort()).toEqual([
    `${keyOf("virgo", yesterday)} previous-period`,
    `${keyOf("aries")} another-sign`,
    `${keyOf("leo")} another-sign`,
    `${keyOf("virgo")} previous-period`,
  ]);
  const rules = { "another-sign": "warn", "previous-period": "warn" } as const;
  expect((await look(site.with({ quality: { rules } }))).refused).toEqual([]);
  const accepted = { by: "editor", at: "2026-11-21T12:00:00.000Z", why: "it is meant so" };
  await put(site, storedResponseWith(keyOf("leo"), copied(keyOf("leo"), keyOf("aries")), { accepted }));
  expect(keysIn((await look(site)).refused)).not.toContain(keyOf("leo"));
});

test("foreign and damaged files are listed once, and the files of one language only if it is chosen", async () => {
  const site = newSite();
  await site.gather(yesterday, today);
  const { configuration, vault } = site.publishing;
  for (const language of ["en", "hi"]) {
    await put(site, shortened(keyOf("leo", today, language)));
    await put(
      site,
      storedResponseWith(
        keyOf("aries", today, language),
        copied(keyOf("aries", today, language), keyOf("libra", today, language)),
      ),
    );
    await damage(vault.store, layout.response(keyOf("virgo", yesterday, language)));
  }
  await vault.store.write(
    "responses/strange.json",
    new TextEncoder().encode("{}"),
    { type: "application/json" },
    always,
  );
  const judging = { configuration, vault };
  const whole = await revalidate({}, judging);
  expect(new Set(whole.refused.map(({ key }) => key.split("/")[2]))).toEqual(new Set(["en", "hi"]));
  expect(whole.damaged).toHaveLength(3);
  const english = await revalidate({ languages: ["en"] }, judging);
  expect(english.refused).toEqual(whole.refused.filter(({ key }) => key.split("/")[2] === "en"));
  expect(english.damaged).toHaveLength(1);
});

test("compares the first set of a range with the one before it, which is not judged itself", async () => {
  const site = newSite();
  await site.gather(yesterday, today);
  await put(site, storedResponseWith(keyOf("virgo"), copied(keyOf("virgo"), keyOf("virgo", yesterday))));
  await put(site, shortened(keyOf("leo", yesterday)));
  const { responses, refused } = await look(site, { languages: ["en"], dates: { from: today, to: today } });
  expect(keysIn(refused)).toEqual([keyOf("virgo")]);
  // Twelve signs, a card and, having no date, a person's.
  expect(responses).toBe(14);
});

test("a response that an operator accepted is reported as accepted, even if it breaks a rule", async () => {
  const site = newSite();
  const accepted = { by: "editor", at: "2026-11-21T12:00:00.000Z", why: "short, but whole" };
  await put(site, { ...shortened(keyOf("leo")), accepted });
  const revalidated = await look(site);
  expect(revalidated.refused).toMatchObject([{ key: keyOf("leo"), rule: "short", accepted }]);
  const told = revalidatedLines(revalidated, undefined, { applied: false, withPages: false });
  expect(inOrder(told)).toContain("1 accepted response would be rejected too, but stays accepted");
});

test("finds quarantined responses that pass today, unless their place is taken or their set rejects them", async () => {
  const site = newSite();
  await site.gather(today);
  const { vault } = site.publishing;
  for (const sign of ["leo", "virgo", "libra", "pisces"]) await vault.displace(keyOf(sign));
  await vault.quarantine(refusal(keyOf("leo")));
  await vault.quarantine(refusal(keyOf("virgo"), { body: shortened(keyOf("virgo")).body }));
  await vault.quarantine(refusal(keyOf("libra"), { body: copied(keyOf("libra"), keyOf("aries")) }));
  await vault.quarantine(refusal(keyOf("taurus")));
  await vault.quarantine(refusal(keyOf("pisces"), { type: "Rejected", body: '{"success":2,"msg":"no"}' }));
  const { body: _none, ...empty } = refusal(keyOf("aries", tomorrow));
  await vault.quarantine(empty);
  await vault.quarantine(refusal(`daily/${today}/hi/daily-tarot/reading`));
  await vault.displace(`daily/${today}/hi/daily-tarot/reading`);
  const { readable, refused, quarantined } = await look(site);
  expect(readable).toEqual([
    {
      key: keyOf("leo"),
      file: `quarantine/${keyOf("leo")}.json`,
      receivedAt: "2026-11-20T12:00:00.000Z",
      reason: "language: it is in no language",
    },
    expect.objectContaining({ key: `daily/${today}/hi/daily-tarot/reading` }),
  ]);
  expect({ refused, quarantined }).toEqual({ refused: [], quarantined: 6 });
});

test("a previous day's text that repeats on the next day rejects both quarantined responses", async () => {
  const site = newSite();
  const { vault } = site.publishing;
  await vault.quarantine(refusal(keyOf("leo", yesterday)));
  await vault.quarantine(refusal(keyOf("leo"), { body: copied(keyOf("leo"), keyOf("leo", yesterday)) }));
  expect((await look(site)).readable).toEqual([]);
  await vault.release(keyOf("leo"));
  expect(keysIn((await look(site)).readable)).toEqual([keyOf("leo", yesterday)]);
});

test("names damaged, unknown and invalid files, and judges the rest", async () => {
  const site = newSite();
  await site.gather(today);
  const { store } = site.publishing.vault;
  const write = (key: string, value: object) =>
    store.write(key, new TextEncoder().encode(JSON.stringify(value)), { type: "application/json" }, always);
  await damage(store, layout.response(keyOf("aries")));
  await write(layout.response(keyOf("taurus")), {
    ...storedResponseOf(requestAt(keyOf("taurus"))),
    body: "{}",
  });
  await write(layout.response(keyOf("gemini")), storedResponseOf(requestAt(keyOf("leo"))));
  await write(layout.response(keyOf("cancer")), { format: 0, text: "of an older version" });
  await write("responses/2025/notes.json", {});
  await put(site, shortened(keyOf("virgo")));
  const { damaged, refused, responses } = await look(site);
  expect(damaged.map(({ file }) => file).sort()).toEqual([
    "responses/2025/notes.json",
    ...["aries", "cancer", "gemini", "taurus"].map((sign) => layout.response(keyOf(sign))),
  ]);
  expect(damaged.find(({ file }) => file.includes("taurus"))?.reason).toContain("its hash does not match");
  expect(keysIn(refused)).toEqual([keyOf("virgo")]);
  expect(responses).toBeGreaterThan(20);
  const narrow = await look(site, { languages: ["hi"] });
  expect({ damaged: narrow.damaged, refused: narrow.refused }).toEqual({ damaged: [], refused: [] });
});

test("reports published texts that would be refused, and superseded responses that are shown", async () => {
  const site = newSite();
  await site.gather(addDays(today, -1), tomorrow);
  await site.nights(yesterday, today);
  for (const date of [today, tomorrow]) await put(site, shortened(keyOf("leo", date)));
  await site.publishing.vault.supersede(shortened(keyOf("virgo")));
  const { refused, superseded } = await look(site);
  expect(refused.map(({ file, path }) => [file, path])).toEqual([
    [layout.response(keyOf("leo")), `en/daily/leo/${today}/index.html`],
    [layout.response(keyOf("leo", tomorrow)), undefined],
    [`superseded/${keyOf("virgo")}.json`, `en/daily/virgo/${today}/index.html`],
  ]);
  expect(superseded).toBe(1);
});

test("judges a corrected text as readers see it, and accepts one that a person published in spite of a rule", async () => {
  const site = newSite({ languages: ["en"], operations: ["daily-horoscope"] });
  const [good, overridden] = [keyOf("leo"), keyOf("aries")];
  for (const sign of signs) await put(site, storedResponseOf(requestAt(keyOf(sign))));
  await put(site, shortened(good));
  const judged = async () => (await look(site)).refused.map(({ key, accepted }) => [key, accepted?.by]);
  expect(await judged()).toEqual([[good, undefined]]);
  const correct = async (key: RequestKey, words: string) => {
    const text = await correctableText(requestAt(key), "travel", site.publishing);
    const change = await changeTo(words, undefined, text, {});
    await recordCorrection(change, text, { by: "editor", reason: "better" }, site.publishing);
  };
  await correct(good, sandboxProse("en")[3] ?? "");
  await correct(overridden, "Stay.");
  expect(await judged()).toEqual([[overridden, "editor"]]);
});
