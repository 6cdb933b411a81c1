// The journal as an operator reads it: one table says who did something, to which texts, when and why.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { WrongUsage } from "../../scripts/terminal/errors.ts";
import { attributionIn } from "../../scripts/terminal/options.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { always } from "../../store/store.ts";
import { canonical } from "../../vault/files.ts";
import { recordDecision } from "../../vault/journal.ts";
import { almanac, nobodysService } from "../support/cli.ts";
import { damage, keysOf, textAt } from "../support/stores.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { daysAgo, testDate } from "../support/noon.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { acceptanceOf, requestAt } from "../publish/support/published-site.ts";

const today = testDate;
const yesterday = daysAgo(1).toISOString().slice(0, 10);
const leo = (language: string) => `daily/${today}/${language}/daily-horoscope/leo`;

/** Two nights in English and Hindi. Leo's answer in Hindi is in quarantine. */
async function newDesk() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { site, env } = await siteInFolder(folder, {
    site: { id: "almanac", name: "Almanac", url: "https://almanac.example" },
    languages: ["en", "hi"],
    operations: ["daily-horoscope"],
    zones: { en: "UTC", hi: "UTC" },
    publishing: { unusualShare: 0.01 },
  });
  await site.gather(yesterday, today);
  const { vault } = site.publishing;
  const { body, receivedAt } = storedResponseOf(requestAt(leo("hi")));
  await vault.displace(leo("hi"));
  const refused = { type: "Unfit", rule: "short", reason: "personal has 11 letters, fewer than 25" } as const;
  const sent = { at: receivedAt, tries: 3, run: "almanac-nightly", address: "http://127.0.0.1:9" };
  for (const key of [leo("hi"), `daily/${today}/hi/daily-tarot/reading`])
    await vault.quarantine({ format: 1, key, ...refused, ...sent, body });
  for (const date of [yesterday, today]) {
    site.setClock(`${date}T00:00:10Z`);
    await site.night();
  }
  const own = { ...env, ...nobodysService, ALMANAC_OPERATOR: "Asha" };
  const type = (words: string, more: Record<string, string> = {}) =>
    almanac(words.split(" "), { env: { ...own, ...more }, cwd: folder });
  return { site, vault, type };
}

const decisionsIn = (stdout: string) =>
  z.object({ decisions: z.array(z.looseObject({ kind: z.string().optional() })) }).parse(JSON.parse(stdout))
    .decisions;

test("every command that decides something is in the journal with its person, subject and reason, newest first", async () => {
  const { site, vault, type } = await newDesk();
  const path = `/en/daily/leo/${today}/`;
  const commands = [
    `quarantine accept ${leo("hi")} --reason whole --yes`,
    `quarantine retry daily/${today}/hi/daily-tarot/reading --reason wrong`,
    `withdraw ${path} --reason complaint --by Eleni`,
    `withdraw --undo ${path} --reason unfounded`,
    "rollback 1 --yes --reason hasty",
    `render --languages hi --from ${yesterday} --clock-is-right --reason fixed`,
    "revalidate --apply --languages hi --reason rules",
  ];
  for (const command of commands) {
    const ran = await type(command);
    expect({ command, ...ran }).toMatchObject({ command, code: 0 });
  }
  const foreign = "ab".repeat(32);
  const pointer = z.looseObject({}).parse(JSON.parse((await textAt(site.site, pointerPath)) ?? ""));
  await site.site.write(pointerPath, canonical({ ...pointer, manifest: foreign }), { type: "" }, always);
  expect(await type("repair --reason foreign")).toMatchObject({ code: 0 });
  const { stdout, code } = await type("journal");
  expect(code).toBe(0);
  const rows = stdout.split("\n").map((line) => line.split(/ {2,}/).slice(1));
  const key = leo("en");
  expect(rows.slice(0, -1)).toEqual([
    ["by", "decision", "subject", "reason"],
    [
      "Asha",
      "override",
      `manifest ${foreign.slice(0, 12)}`,
      "foreign; overrides a version that another vault published",
    ],
    ["Asha", "render", `hi from ${yesterday}`, "rules"],
    ["Asha", "unpin", "hi", "fixed"],
    ["Asha", "render", `hi from ${yesterday}`, "fixed; overrides the clock, which no time source confirmed"],
    [
      "Asha",
      "rollback",
      expect.stringMatching(/^en hi version 1 manifest [0-9a-f]{12}$/),
      "hasty; overrides an unusual share of the files",
    ],
    ["Asha", "restore", key, "unfounded"],
    ["Eleni", "withdraw", key, "complaint"],
    ["Asha", "retry", `daily/${today}/hi/daily-tarot/reading`, "wrong"],
    ["Asha", "accept", leo("hi"), "whole"],
  ]);
  const hindi = decisionsIn((await type(`journal --language hi --since ${today} --json`)).stdout);
  expect(hindi.map(({ kind }) => kind)).toEqual(
    rows.slice(1, -1).flatMap(([, kind = "", subject]) => (subject === key ? [] : [kind])),
  );
  const response = await vault.response(leo("hi"));
  expect(hindi.at(-1)).toMatchObject({ subject: { original: response?.bodyHash }, by: "Asha" });
});

test("a damaged decision is listed as such, with the remedy and exit code 3", async () => {
  const { vault, type } = await newDesk();
  await recordDecision(vault.own, acceptanceOf(leo("hi")));
  for (const key of await keysOf(vault.own, "journal/")) await damage(vault.own, key);
  const ran = await type("journal");
  expect(ran).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/damaged +daily\/.*\/hi .*almanac restore/),
  });
  expect(decisionsIn((await type("journal --json")).stdout)).toMatchObject([
    { group: `daily/${today}/hi`, damage: expect.stringContaining("both copies are damaged") },
  ]);
});

test("the name is --by, else ALMANAC_OPERATOR, else the system's user; without one the decision is refused", () => {
  const nobody = () => {
    throw new Error("no such user");
  };
  expect(attributionIn({ by: " Asha ", reason: " late " }, { operator: "desk" })).toEqual({
    by: "Asha",
    reason: "late",
  });
  expect(attributionIn({}, { operator: "desk" }, nobody)).toEqual({ by: "desk", reason: undefined });
  expect(attributionIn({}, { operator: undefined }, () => "root").by).toBe("root");
  const refused =
    (...given: Parameters<typeof attributionIn>) =>
    () =>
      attributionIn(...given);
  expect(refused({}, { operator: undefined }, nobody)).toThrow("Set your name with --by or ALMANAC_OPERATOR");
  expect(refused({ by: " " }, { operator: "desk" })).toThrow(WrongUsage);
  expect(refused({ reason: "" }, { operator: "desk" })).toThrow("--reason is empty");
});
