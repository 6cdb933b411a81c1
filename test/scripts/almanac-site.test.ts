// Commands on the site's history as an operator types them, on folders with two published days: their output, effects, and exit
// codes. None of them has a Temporal server, a service or a credential.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { placeOn } from "../support/places.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/calendar.ts";
import type { PublishedSite } from "../publish/support/published-site.ts";
import { almanac, nobodysService, type Ran } from "../support/cli.ts";
import { siteInFolder } from "./site-in-folder.ts";
import { openFolder } from "../../store/folder.ts";
import { readState } from "../../publish/state/state.ts";
import { identify } from "../../vault/installation.ts";
import { openMemory } from "../support/memory.ts";
import { contentOf, damage } from "../support/stores.ts";
import { testClock, testDate } from "../support/noon.ts";

const configuration: ConfigurationInput = {
  site: { id: "almanac", name: "Almanac", url: "https://almanac.example" },
  languages: ["en", "hi"],
  operations: ["daily-horoscope", "daily-tarot"],
  zones: { en: "UTC", hi: "UTC" },
  publishing: { unusualShare: 0.5 },
};
const today = testDate;
const yesterday = addDays(today, -1);
const words = "A text that somebody complains about.";

let folder: string;
let site: PublishedSite;
let env: Record<string, string>;
/** Path -> object, after either night. */
let trees: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-site-commands-"));
  ({ site, env } = await siteInFolder(folder, configuration));
  site.setClock(`${yesterday}T12:00:00Z`);
  await site.gather(addDays(today, -3), today);
  await site.keep(`daily/${today}/en/daily-horoscope/leo`, words);
  await site.night();
  const first = await site.paths();
  site.setClock(`${today}T00:00:30Z`);
  await site.night();
  trees = [first, await site.paths()];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function at(line: string): Promise<Ran> {
  const typed = line.match(/"[^"]*"|\S+/g) ?? [];
  return almanac(
    typed.map((word) => word.replaceAll('"', "")),
    { env, cwd: folder },
  );
}

/**
 * Changes of the second night, computed from the trees: in the first days of a month, some pages of the month are new instead of
 * changed.
 */
function changesOf(group: "en" | "hi" | "shared") {
  const [first, second] = trees;
  const groupOf = (path: string) => /^(?:v1\/)?(en|hi)\//.exec(path)?.[1] ?? "shared";
  const own = [...second].filter(([path, object]) => groupOf(path) === group && first.get(path) !== object);
  const added = own.filter(([path]) => !first.has(path)).length;
  return { added, changed: own.length - added };
}

async function documentAt(line: string): Promise<unknown> {
  const ran = await at(`${line} --json`);
  if (ran.code !== 0) throw new Error(`almanac ${line} ended with ${ran.code}: ${ran.stdout}${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

test("publish needs no worker, and publishes the languages whose date has changed", async () => {
  const place = await mkdtemp(join(tmpdir(), "almanac-publish-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const own = await siteInFolder(place, configuration);
  own.site.setClock(`${yesterday}T12:00:00Z`);
  await own.site.gather(yesterday, today);
  await own.site.night();
  const away = { ...own.env, ...testClock, TEMPORAL_ADDRESS: "127.0.0.1:1" };
  const run = (...typed: string[]) =>
    almanac(typed.length === 0 ? ["publish"] : typed, { env: away, cwd: place });
  expect(await run()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^published version 2: [\d,]+ files new or changed in en hi\n$/),
  });
  const page = await own.site.site.read(`en/daily/leo/${today}/index.html`);
  expect(page).toBeDefined();
  expect(await run()).toMatchObject({
    code: 0,
    stdout: "nothing to publish: no language has a new date. The site stays at version 2\n",
  });
  // Other settings make a new version even if they change no file.
  await run("rollback", "--yes");
  await run("render");
  const stays = (await readState(own.site.site))?.manifest.version ?? 0;
  const renewed = await run();
  expect(renewed.stdout).toBe(`en hi: nothing new in the vault. The site has version ${stays + 1}\n`);
  expect((await readState(own.site.site))?.manifest.version).toBe(stays + 1);
});

test("publish before the first run says that readings are missing, and how to request them", async () => {
  const place = await mkdtemp(join(tmpdir(), "almanac-publish-first-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const { env: own } = await siteInFolder(place, configuration);
  expect(await almanac(["publish"], { env: { ...own, ...testClock }, cwd: place })).toMatchObject({
    code: 0,
    stdout:
      "nothing to publish: no language has all readings of its date yet. Run `almanac local` or `almanac nightly`\n",
  });
});

describe("an impossible command exits with 2 and lists the possible ones", () => {
  test.each([
    ["rollback 9", "is not a version up to 2"],
    ["rollback --languages de", 'de is not in "languages" of almanac.config.ts'],
    ["render --to 2026-11-01", "needs --from"],
    ["withdraw /en/daily/leo/", "missing option --reason"],
    [
      "withdraw /en/daily/leo/2026-01-01/ --reason complaint",
      "nothing is published at en/daily/leo/2026-01-01",
    ],
    ["withdraw --undo /en/daily/leo/", "is not withdrawn"],
  ])("%s", async (line, why) => {
    const ran = await at(line);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(why);
  });
});

test("log names the published states, newest first, with what each changed", async () => {
  const { code, stdout } = await at("log");
  expect(code).toBe(0);
  const [head, untilThen, , title, second, changes, first, ...rest] = stdout.trimEnd().split("\n");
  expect(`${head} ${untilThen}`).toMatch(
    new RegExp(
      `^version 2 has been published since ${today} 00:00 UTC. Clients reject it from \\S+ 00:00 UTC unless a worker renews it$`,
    ),
  );
  expect(title).toBe("version  as of (UTC)       manifest      run");
  expect(second).toMatch(new RegExp(`^      2  ${today} 00:00  [0-9a-f]{12}  almanac-nightly$`));
  const [english, shared] = [changesOf("en"), changesOf("shared")];
  expect(changesOf("hi")).toEqual(english);
  expect(changes).toBe(
    `         en hi: ${english.added} new, ${english.changed} changed; shared: ${shared.changed} changed`,
  );
  expect(first).toMatch(new RegExp(`^      1  ${yesterday} 12:00  [0-9a-f]{12}  almanac-nightly$`));
  expect(rest).toHaveLength(1);
  expect((await at("log --limit 1")).stdout).toMatch(/\nolder versions: `almanac log --limit 2`\n$/);
});

test("render on trial lists what would change and writes nothing; an unreadable stored response is named, with exit code 3", async () => {
  const stores = [site.site, site.publishing.vault.store];
  const response = `daily/${yesterday}/hi/daily-horoscope/leo`;
  await damage(site.publishing.vault.store, `responses/${response}.json`);
  onTestFinished(async () => void (await site.keep(response)));
  const before = await Promise.all(stores.map(contentOf));
  const ran = await at(`render --from ${addDays(today, -3)} --to ${yesterday} --dry-run`);
  expect(await Promise.all(stores.map(contentOf))).toEqual(before);
  const { code, stdout, stderr } = ran;
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toContain(`new      v1/en/daily-tarot/${addDays(today, -3)}.json`);
  expect(lines).toContain(`changed  en/daily/leo/${addDays(today, -2)}/index.html`);
  const listed = (what: string) => lines.filter((line) => new RegExp(`^${what}`).test(line)).length;
  const own = (what: string, path = "") => listed(`${what} +(?:v1/)?en/${path}`);
  expect(own("new", `.*/${addDays(today, -3)}\\b`)).toBe(53);
  const paths = listed("(?:new|changed) ");
  expect(stdout).toContain(`\n${paths} paths: en hi: ${own("new")} new, ${own("changed")} changed`);
  expect(stdout).toMatch(new RegExp(`\\n${paths} objects to upload, [\\d.]+ MB\\n`));
  expect(lines.at(-1)).toBe(
    `  daily/${yesterday}/hi/daily-horoscope: responses/${response}.json is unreadable`,
  );
  expect(stderr).toContain(`restore responses/${response}.json from a backup`);
  expect(code).toBe(3);
});

test("withdraw removes a text at once, lists the paths to purge, lists the text, and brings it back", async () => {
  const trial = await at(`withdraw /en/daily/leo/ --reason complaint --dry-run`);
  expect(trial).toMatchObject({ code: 0, stderr: "" });
  expect(trial.stdout).toContain(`gone     en/daily/leo/${today}/index.html\n`);
  expect(await site.filesWith(words)).not.toEqual([]);

  const key = `daily/${today}/en/daily-horoscope/leo`;
  const taken = await at(`withdraw https://almanac.example/en/daily/leo/ --reason "a complaint"`);
  expect(taken.code).toBe(0);
  expect(taken.stdout).toContain(`${key} withdrawn: published version 3\n`);
  expect(taken.stdout).toContain(`\n  https://almanac.example/en/daily/leo/${today}/\n`);
  expect(taken.stdout).not.toContain(words);
  expect(await site.filesWith(words)).toEqual([]);
  const record = { key, path: "en/daily/leo/index.html", reason: "a complaint", by: userInfo().username };
  expect(await documentAt("withdraw --list")).toMatchObject({ withdrawn: [record] });
  expect((await at("withdraw --list")).stdout).toContain("a complaint");

  const undone = await documentAt(`withdraw --undo ${key} --by "an editor"`);
  expect(undone).toMatchObject({ undo: true, version: 4, changes: [{ of: "en", new: 4, gone: 0 }] });
  expect((await at("log --limit 1")).stdout).toContain("  withdraw --undo\n");
  expect(await documentAt("withdraw --list")).toMatchObject({ withdrawn: [] });
  expect((await at("withdraw --list")).stdout).toMatch(/^no text is withdrawn\n/);
  expect((await at("journal")).stdout).toMatch(/ an editor +restore /);
});

test("a withdrawal that cannot be published says that it is recorded, and which command completes it", async () => {
  const lone = await mkdtemp(join(tmpdir(), "almanac-site-commands-"));
  onTestFinished(() => rm(lone, { recursive: true, force: true }));
  const own = await siteInFolder(lone, configuration);
  own.site.setClock(`${yesterday}T12:00:00Z`);
  await own.site.gather(addDays(today, -3), today);
  await own.site.night();
  const line = ["withdraw", "/en/daily/leo/", "--reason", "complaint"];
  expect(await almanac([...line.slice(0, 2), "--dry-run"], { env: own.env, cwd: lone })).toMatchObject({
    code: 0,
  });
  const feed = join(lone, "site/en/feed.xml");
  await rm(feed);
  await mkdir(join(feed, "blocked"), { recursive: true });
  const failed = await almanac(line, { env: own.env, cwd: lone });
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is recorded, but the site may still show"),
  });
  await rm(feed, { recursive: true });
  const [, again = ""] = /`almanac withdraw (\S+) --reason/.exec(failed.stderr) ?? [];
  const done = await almanac(["withdraw", again, "--reason", "complaint"], { env: own.env, cwd: lone });
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("is already withdrawn") });
  expect((await almanac(["verify"], { env: own.env, cwd: lone })).code).toBe(0);
});

test("rollback goes back, pins, and says how to publish what it took back: render does", async () => {
  const back = await at("rollback 1 --languages hi --json");
  expect(back.code).toBe(0); // half of one language in two: not an unusual share
  expect(JSON.parse(back.stdout)).toMatchObject({
    version: 5,
    target: { version: 1 },
    changes: [{ of: "hi", gone: changesOf("hi").added, new: 0 }, { of: "shared" }],
    pins: [{ language: "hi", date: today, sets: [`daily-horoscope/${today}`, `daily-tarot/${today}`] }],
  });
  expect(await at("rollback")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is a rollback itself"),
  });
  const rendered = await at("render --languages hi");
  expect(rendered.code).toBe(0);
  expect(rendered.stdout).toMatch(/^published version 6: \d+ files rendered\n/);
  expect(rendered.stdout).toMatch(
    /\nhi, rolled back at .* UTC, is no longer pinned and follows the vault again\n$/,
  );
  expect((await at("rollback 5 --dry-run")).stdout).toMatch(
    new RegExp(
      `gone     hi/daily/leo/${today}/index.html\\n[^]*\\nwould publish version 7: the files of version 5 [^]*would be pinned: hi until the end of ${today}`,
    ),
  );
});

describe("a vault that is not the site's own", () => {
  test.each([
    "render",
    "rollback",
    "repair",
    `repair --accept ${"a".repeat(64)}`,
    "withdraw /en/daily/leo/ --reason complaint",
    "revalidate --apply",
    "gc",
  ])("is refused by %s, which changes nothing", async (line) => {
    await identify({ vault: site.publishing.vault, site: site.site });
    const before = await contentOf(site.site);
    const others = join(folder, "others-vault");
    await identify(placeOn({ vault: openFolder(others), site: openMemory() }));
    for (const [vault, said] of [
      [others, "belongs to the site"],
      [join(folder, "no-vault"), "the vault is empty, although the site was published"],
    ] as const) {
      const wrong = { ...env, ALMANAC_VAULT: pathToFileURL(vault).href };
      const ran = await almanac(line.split(" "), { env: wrong, cwd: folder });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    }
    expect(await contentOf(site.site)).toEqual(before);
  });
});

test("status and verify report an empty vault, and do not offer to accept its site", async () => {
  const wrong = { ...env, ...nobodysService, ALMANAC_VAULT: pathToFileURL(join(folder, "no-vault")).href };
  for (const command of ["status", "verify"]) {
    const { stdout } = await almanac([command], { env: wrong, cwd: folder });
    const told = stdout.replaceAll(/\s+/g, " ");
    expect(told).toContain("the vault is empty, although the site was published");
    expect(told).toContain("next: check that its disk is mounted");
    expect(told).not.toContain("--accept");
    expect(told).not.toContain("Start one");
  }
});

test("status reports a site with a missing disk", async () => {
  const wrong = { ...env, ...nobodysService, ALMANAC_SITE: pathToFileURL(join(folder, "no-site")).href };
  const { stdout } = await almanac(["status"], { env: wrong, cwd: folder });
  const told = stdout.replaceAll(/\s+/g, " ");
  expect(told).toContain("the site's store is empty, although version ");
  expect(told).toContain("next: check that its disk is mounted");
});

test("a lost vault may be abandoned in a dry run, which changes nothing", async () => {
  await identify({ vault: site.publishing.vault, site: site.site });
  const before = await contentOf(site.site);
  const lost = join(folder, "lost-vault");
  const told = await almanac(["repair", "--new-vault", "--dry-run"], {
    env: { ...env, ALMANAC_VAULT: pathToFileURL(lost).href },
    cwd: folder,
  });
  expect(told.stderr + told.stdout).not.toContain("the vault is empty");
  expect(await contentOf(site.site)).toEqual(before);
});

test("help explains a command with examples", async () => {
  const commands = ["rollback", "withdraw"];
  const helps = await Promise.all(commands.map((command) => at(`${command} --help`)));
  for (const [index, { code, stdout }] of helps.entries()) {
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`\\nExamples?: [^]*\\n  almanac ${commands[index]}`));
  }
});

test("help describes the subcommand help like every other one, and only where there is one", async () => {
  const helps = await Promise.all(["--help", "quarantine --help", "rollback --help"].map((line) => at(line)));
  const lines = helps.map(({ stdout }) =>
    stdout.split("\n").filter((line) => line.includes("help [command]")),
  );
  const shown = expect.stringMatching(/^ {2}help \[command\] +Show the help of a command$/);
  expect(lines).toEqual([[shown], [shown], []]);
});

test("plan --lines says so if there is nothing to request", async () => {
  const line = `plan --lines --languages en --operations daily-tarot --from ${today} --to ${today}`;
  const ran = await almanac(line.split(" "), { env: { ...env, ...nobodysService }, cwd: folder });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "nothing to request\n" });
});
