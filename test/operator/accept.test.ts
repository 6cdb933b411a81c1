// An answer that was refused for its markup, as an operator accepts it: she sees the words, is asked, and readers see the text
// without the markup.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { almanac, nobodysService } from "../support/cli.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { testDate } from "../support/noon.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { keepReport } from "../../vault/runs.ts";
import type { Vault } from "../../vault/vault.ts";
import { publish } from "../../publish/publish.ts";
import { requestAt } from "../publish/support/published-site.ts";

const today = testDate;
const key = `daily/${today}/en/daily-horoscope/leo`;
const words = "A calm day <script>alert(1)</script> for friends.";

/** A day of which one answer is in quarantine. */
async function newDesk() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-accept-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { site, env } = await siteInFolder(folder, {
    site: { id: "almanac", name: "Almanac", url: "https://almanac.example" },
    languages: ["en"],
    operations: ["daily-horoscope"],
    zones: { en: "UTC" },
  });
  site.setClock(`${today}T00:00:10Z`);
  await site.gather(today);
  const { vault } = site.publishing;
  const { body, receivedAt } = storedResponseOf(requestAt(key), { words });
  await vault.displace(key);
  await vault.quarantine({
    format: 1,
    key,
    type: "Unfit",
    rule: "markup",
    reason: "personal contains markup: “<script>”",
    at: receivedAt,
    tries: 3,
    run: "almanac-nightly",
    address: "http://127.0.0.1:9",
    body,
  });
  await site.night();
  const type = (...typed: string[]) => almanac(typed, { env: { ...env, ...nobodysService }, cwd: folder });
  return { site, vault, type };
}

/** The report of a night that skipped the answer. */
async function keepNight(vault: Vault) {
  const at = `${today}T00:01:00.000Z`;
  const counts = { planned: 12, stored: 11, held: 0, retried: 2, skipped: 1, calls: 14, unanswered: 0 };
  await keepReport(vault, "start", {
    run: `almanac-nightly-${today}`,
    startedAt: at,
    endedAt: at,
    asOf: at,
    state: "done",
    planned: 12,
    held: 0,
    outOfReach: 0,
    leftOut: 0,
    languages: { en: { "daily-horoscope": { ...counts, answerMs: 12_000 } } },
    skipped: [{ key, type: "Unfit", reason: "personal contains markup" }],
    refused: [],
    broken: {},
    published: [],
  });
}

test("accept shows the offending words, and without a terminal or --yes it accepts nothing and says what to do", async () => {
  const { site, vault, type } = await newDesk();
  const ran = await type("quarantine", "accept", key, "--reason", "a whole reading");
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("personal contains markup: “<script>”");
  expect(ran.stderr).toContain(words);
  expect(ran.stderr).toMatch(/`almanac quarantine show \S+leo`, then add --yes/);
  expect(await vault.inQuarantine("")).toEqual([key]);
  await site.publishDue();
  expect(await site.filesWith("A calm day")).toEqual([]);
});

test("readers see an accepted text without its markup everywhere, and the vault has it to the byte", async () => {
  const { site, vault, type } = await newDesk();
  const body = (await vault.quarantined(key))?.body;
  const ran = await type(
    "quarantine",
    "accept",
    key,
    "--reason",
    "a whole reading",
    "--by",
    "editor",
    "--yes",
  );
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("accepted by editor") });
  expect(ran.stderr).toContain(words);
  await site.publishDue();
  const shown = await site.filesWith("A calm day for friends.");
  expect(shown).toEqual(
    expect.arrayContaining([
      "en/daily/leo/index.html",
      "en/daily/leo/feed.xml",
      `en/newsletter/${today}/leo.html`,
      `v1/en/daily/${today}/leo.json`,
    ]),
  );
  expect(await site.filesWith("alert(1)")).toEqual([]);
  expect((await vault.response(key))?.body).toBe(body);
});

test("status counts an answer as skipped until it is accepted, and as stored from then on", async () => {
  const { vault, type } = await newDesk();
  await keepNight(vault);
  const waiting = await type("status");
  expect(waiting.stdout).toContain("12 of 12, 2 retried, 1 skipped");
  expect(waiting.stdout).toContain(`${key}  Unfit`);
  await type("quarantine", "accept", key, "--reason", "a whole reading", "--yes");
  const settled = await type("status");
  expect(settled.stdout).toContain("12 of 12, 2 retried");
  expect(settled.stdout).not.toContain(key);
  expect((await type("quarantine", "list")).stdout).toBe("the quarantine is empty\n");
});

test("accept warns that a set rule still rejects the set; status and a later run's publish count it as incomplete", async () => {
  const { site, vault, type } = await newDesk();
  const twin = `daily/${today}/en/daily-horoscope/aries`;
  const entry = await vault.quarantined(key);
  const body = (await vault.response(twin))?.body ?? "";
  if (entry === undefined) throw new Error(`${key} is not in quarantine`);
  await vault.quarantine({ ...entry, rule: "sign", reason: "requested leo, but sign is aries", body });
  await keepNight(vault);
  const accepted = await type("quarantine", "accept", key, "--reason", "a whole reading", "--yes");
  const reason = `another-sign: aries and leo have the same text for ${today}`;
  const remedy =
    `to request the text again, delete responses/${key}.json from the vault. ` +
    'To publish it anyway, set this rule to "warn" in quality.rules';
  expect(inWords(accepted.stderr)).toContain(`if you accept it, its set is still not published: ${reason}`);
  expect(inWords(accepted.stdout)).toContain(`but its set is still not published: ${reason} next: ${remedy}`);
  const watched = await type("status", "--watch");
  expect(watched.code).toBe(3);
  expect(watched.stdout).toContain(
    `the set of ${key} is not published, although the response was accepted: ${reason}\nnext: ${remedy}`,
  );
  const night = { run: "almanac-nightly", asOf: `${today}T00:00:20Z`, languages: ["en"] } as const;
  for (let publishes = 0; publishes < 2; publishes += 1)
    expect(await publish({ ...night, last: true }, site.publishing)).toMatchObject({
      rejectedSets: [{ key, reason }],
    });
});

function inWords(output: string): string {
  return output.replaceAll(/\s+/g, " ");
}
