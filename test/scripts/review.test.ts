// `almanac review` as a person uses it: lists, shows what it decides, asks, and publishes.
import { beforeEach, expect, test, vi } from "vitest";
import { setsToReview, waitingNow } from "../../insight/review-list.ts";
import { decide, reviewLines, wishIn } from "../../scripts/review/decide.ts";
import { exitCodes, WrongUsage } from "../../scripts/terminal/errors.ts";
import { inOrder } from "../../scripts/terminal/output.ts";
import { checkReview } from "../../worker/checks/site.ts";
import { createVault } from "../../vault/vault.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { newSite, type PublishedSite } from "../publish/support/published-site.ts";
import { through } from "../support/stores.ts";

const [today, tomorrow] = ["2026-11-21", "2026-11-22"] as const;
const said = { by: "editor" };
const yes = () => Promise.resolve(true);

beforeEach(() => void vi.spyOn(process.stderr, "write").mockReturnValue(true));

const emptySite = () =>
  newSite({ operations: ["daily-horoscope", "daily-tarot"], zones: { en: "UTC", hi: "UTC" } });

async function newWorld(): Promise<PublishedSite> {
  const site = emptySite();
  site.setClock("2026-11-20T12:00:00Z");
  await site.gather("2026-11-20");
  await site.night();
  site.setClock(`${today}T12:00:00Z`);
  await site.gather(today, tomorrow);
  const reviewed = site.with({ review: { hi: { mode: "before", operations: {} } } });
  await reviewed.night();
  return reviewed;
}

async function list({ publishing }: PublishedSite) {
  const sets = await setsToReview({}, { ...publishing, now: publishing.now() });
  const { document, lines } = reviewLines(sets, publishing.configuration);
  return { ...document, lines: inOrder(lines) };
}

function approve({ publishing }: PublishedSite, named: string, seen?: string, ask = yes) {
  const wish = wishIn(named, {}, publishing.configuration);
  return decide({ kind: "approve", wish, seen, said }, ask, { publishing });
}

const decisions = async ({ publishing: { vault } }: PublishedSite) =>
  (await (await readWithheld(vault.own)).entries()).flatMap(({ decision }) => decision ?? []);

test("the list has each set that waits from today on with its midnight, and a hash of the texts", async () => {
  const { lines, seen } = await list(await newWorld());
  expect(lines[0]).toMatch(/^set +state +texts +midnight$/);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^daily\/2026-11-21\/hi\/daily-horoscope +waiting +12 +2026-11-21 00:00 UTC$/),
    expect.stringMatching(/^daily\/2026-11-21\/hi\/daily-tarot +waiting +1 +2026-11-21 00:00 UTC$/),
    expect.stringMatching(/^daily\/2026-11-22\/hi\/daily-horoscope +waiting +12 +2026-11-22 00:00 UTC$/),
    expect.stringMatching(/^daily\/2026-11-22\/hi\/daily-tarot +waiting +1 +2026-11-22 00:00 UTC$/),
    `4 sets with 26 texts. Hash for --seen: ${seen}`,
  ]);
});

test("status names today's sets that wait, also if the language is not published yet", async () => {
  const seen = async ({ publishing }: PublishedSite) =>
    (await waitingNow({ ...publishing, now: publishing.now() }))?.seen;
  const words = "today's sets wait for review: hi (daily-horoscope, daily-tarot)";
  expect(await seen(await newWorld())).toBe(words);
  const site = emptySite();
  site.setClock(`${today}T12:00:00Z`);
  const reviewed = site.with({ review: { hi: { mode: "before", operations: {} } } });
  expect(await seen(reviewed)).toBeUndefined();
  await site.gather(today, tomorrow);
  expect(await seen(reviewed)).toBe(words);
  await reviewed.night();
  expect(await seen(reviewed)).toBe(words);
  expect(await seen(site)).toBeUndefined();
});

test("the list of an earlier date has its sets, and the list reads each horoscope once", async () => {
  const { publishing } = await newWorld();
  const reads: string[] = [];
  const store = through(publishing.vault.store, ({ doing, keys }, make) => {
    if (doing === "read") reads.push(...keys.filter((key) => /^responses\/.*-horoscope\//.test(key)));
    return make();
  });
  const vault = createVault(store, publishing.vault.siteId);
  const input = { ...publishing, vault, now: publishing.now() };
  const sets = await setsToReview({ dateIn: () => "2026-11-20" }, input);
  expect(sets.map(({ set, state, isPublished }) => [set, state, isPublished])).toEqual([
    ["daily/2026-11-20/hi/daily-horoscope", "waiting", true],
    ["daily/2026-11-20/hi/daily-tarot", "waiting", true],
  ]);
  reads.length = 0;
  await setsToReview({}, input);
  expect(reads.length).toBeGreaterThan(24);
  expect(reads.toSorted()).toEqual([...new Set(reads)].sort());
});

test("an approval is recorded with the name, publishes what is due, and empties the list", async () => {
  const site = await newWorld();
  const { seen } = await list(site);
  const { lines, code } = await approve(site, "hi", seen ?? "");
  expect(inOrder(lines)[0]).toBe("4 sets with 26 texts approved by editor");
  expect(inOrder(lines)[1]).toMatch(/^published version \d+$/);
  expect(code).toBe(exitCodes.done);
  const records = await decisions(site);
  expect(records.map(({ kind, by }) => [kind, by])).toEqual([
    ["approve", "editor"],
    ["approve", "editor"],
  ]);
  expect(await site.filesWith('"reviewed":true')).toContain(`v1/hi/daily/${today}/leo.json`);
  expect((await list(site)).lines).toEqual(["no text waits for review"]);
});

test("an answer of no changes nothing, and a text that has changed since it was seen is refused", async () => {
  const site = await newWorld();
  const { seen } = await list(site);
  const before = await site.paths();
  expect((await approve(site, "hi", undefined, () => Promise.resolve(false))).code).toBe(exitCodes.failed);
  await site.keep(`daily/${today}/hi/daily-horoscope/leo`, "Other words.");
  await expect(approve(site, "hi", seen ?? "")).rejects.toThrow(WrongUsage);
  expect(await decisions(site)).toEqual([]);
  expect(await site.paths()).toEqual(before);
});

test("one set is named as the list names it, and an incomplete one is refused", async () => {
  const site = await newWorld();
  await approve(site, `daily/${today}/hi/daily-tarot`);
  expect((await list(site)).sets.map(({ set }) => set)).not.toContain(`daily/${today}/hi/daily-tarot`);
  await site.publishing.vault.displace(`daily/${today}/hi/daily-horoscope/leo`);
  await expect(approve(site, `daily/${today}/hi/daily-horoscope`)).rejects.toThrow("is not complete");
  await expect(approve(site, "daily/of/hi")).rejects.toThrow("is not a set");
  const later = "daily/2026-11-23/hi/daily-horoscope";
  await expect(approve(site, later)).rejects.toThrow(
    / is not complete: .*\. Run `almanac why daily\/2026-11-23\/hi/,
  );
});

test("a rejection needs a reason, and keeps a set from later approvals of its language", async () => {
  const site = await newWorld();
  const { publishing } = site;
  const wish = wishIn(`daily/${today}/hi/daily-horoscope`, {}, publishing.configuration);
  const reject = (reason?: string) =>
    decide({ kind: "reject", wish, seen: undefined, said: { ...said, reason } }, yes, { publishing });
  await expect(reject()).rejects.toThrow("missing option --reason");
  await reject("wrong tone");
  await approve(site, "hi");
  expect((await list(site)).sets).toMatchObject([
    { set: `daily/${today}/hi/daily-horoscope`, state: "rejected", rejections: [{ reason: "wrong tone" }] },
  ]);
});

test("`almanac check` reports the languages under review, and the sets of tomorrow that wait", async () => {
  const site = await newWorld();
  const checked = (one: PublishedSite) => checkReview(one.publishing, one.publishing.now());
  const remedy = "read them, then run `almanac review approve <language> --date tomorrow`";
  const seen = "warning: hi; 2 sets of tomorrow wait for review";
  expect(await checked(site)).toEqual([{ name: "review", ok: true, seen, remedy }]);
  await approve(site, "hi");
  expect(await checked(site)).toEqual([
    { name: "review", ok: true, seen: "hi; no set of tomorrow waits for review" },
  ]);
  expect(await checked(site.with({ review: {} }))).toEqual([]);
  const [missing] = await checked(site.with({ review: { de: { mode: "before", operations: {} } } }));
  expect(missing?.seen).toContain("de, which the site does not have");
});
