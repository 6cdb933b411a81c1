// Sequences of withdraw, undo and rollback as an operator types them: each command's output matches the page, the list of withdrawn
// texts, and the pins.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { publishDue } from "../../publish/publish.ts";
import { addDays } from "../../readings/calendar.ts";
import { almanac, nobodysService } from "../support/cli.ts";
import { testDate } from "../support/noon.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { labelsIn } from "../../site/labels.ts";
import { publishLines } from "../../scripts/publish.ts";
import { activePins } from "../../scripts/terminal/findings.ts";
import { inOrder } from "../../scripts/terminal/output.ts";
import { readWithheld } from "../../vault/withheld.ts";

const today = testDate;
const yesterday = addDays(today, -1);
const leo = (date: string) => `daily/${date}/en/daily-horoscope/leo`;
const page = "en/daily/leo/index.html";
const status = z.object({ pins: z.array(z.object({ language: z.string(), date: z.string() })) });
const list = z.object({ withdrawn: z.array(z.unknown()) });

/** Three nights; the last is today's, version 3. */
async function newDesk() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-rollback-forms-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { site, env } = await siteInFolder(folder, {
    site: { id: "almanac", name: "Almanac", url: "https://almanac.example" },
    languages: ["en"],
    operations: ["daily-horoscope"],
    zones: { en: "UTC" },
    publishing: { unusualShare: 0.9 },
  });
  for (let by = -2; by <= 0; by += 1) {
    const date = addDays(today, by);
    site.setClock(`${date}T00:00:10Z`);
    await site.gather(date);
    await site.night();
  }
  const type = (line: string) =>
    almanac(line.split(" "), { env: { ...env, ...nobodysService }, cwd: folder });
  return {
    site,
    type,
    /** The date that the page shows. */
    date: async () => z.object({ date: z.string() }).parse(await site.json("v1/en/index.json")).date,
    isWithdrawn: async (path = page) => (await site.text(path)).includes(labelsIn("en").withdrawn),
    listed: async () => list.parse(JSON.parse((await type("withdraw --list --json")).stdout)).withdrawn,
    held: async () => {
      const { stdout, stderr } = await type("status --json");
      if (stdout === "") throw new Error(stderr);
      return status.parse(JSON.parse(stdout)).pins.map(({ language, date }) => `${language} ${date}`);
    },
  };
}

test("a rollback that changes nothing pins nothing, and the undo and the night after it do as they say", async () => {
  const { site, type, date, isWithdrawn, listed, held } = await newDesk();
  await type("withdraw /en/daily/leo/ --reason complaint");
  const back = await type("rollback");
  expect(back.stdout.replaceAll(/\s+/g, " ")).toContain(
    "nothing to roll back: version 3 differs only in texts that were withdrawn, restored or corrected since (`almanac journal`), " +
      "which a rollback does not change. The site stays at version 4. To go back further, name a version that `almanac log` lists",
  );
  expect(await held()).toEqual([]);
  const undone = await type("withdraw --undo /en/daily/leo/");
  expect(undone).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${leo(today)} restored: published version 5`),
  });
  expect([await isWithdrawn(), await date(), await listed()]).toEqual([false, today, []]);
  await site.night();
  expect([await isWithdrawn(), await date()]).toEqual([false, today]);
});

test("an undo after a rollback brings the text back to the page that the rollback left", async () => {
  const { type, date, isWithdrawn, listed, held } = await newDesk();
  await type(`withdraw /en/daily/leo/${yesterday}/ --reason complaint`);
  expect((await type("rollback 2")).stdout).toContain("published version 5");
  expect([await isWithdrawn(), await date()]).toEqual([true, yesterday]);
  const undone = await type(`withdraw --undo /en/daily/leo/${yesterday}/`);
  expect(undone.stdout).toContain(`${leo(yesterday)} restored: published version 6`);
  expect([await isWithdrawn(), await date(), await listed()]).toEqual([false, yesterday, []]);
  expect(await held()).toEqual([`en ${today}`]);
});

test("an undo of a text that a rollback took back says that the site does not show it, and how it will", async () => {
  const { type, date, isWithdrawn } = await newDesk();
  await type("withdraw /en/daily/leo/ --reason complaint");
  await type("rollback 2");
  const undone = await type(`withdraw --undo ${leo(today)}`);
  expect(undone.stdout).toContain(`${leo(today)} is no longer withdrawn, but the site does not show it`);
  expect(undone.stdout).toContain("`almanac render --languages en`");
  expect(await date()).toBe(yesterday);
  expect((await type("render --languages en")).code).toBe(0);
  expect([await isWithdrawn(), await date()]).toEqual([false, today]);
});

test("a rollback to a state in which a text was withdrawn does not undo the undo", async () => {
  const { type, isWithdrawn, listed, held } = await newDesk();
  await type("withdraw /en/daily/leo/ --reason complaint");
  await type("withdraw --undo /en/daily/leo/");
  expect((await type("rollback")).stdout).toMatch(/The site stays at\s+version 5/);
  expect([await isWithdrawn(), await listed(), await held()]).toEqual([false, [], []]);
});

test("after two rollbacks and an undo the next night leaves no withdrawn text", async () => {
  const { site, type, date, isWithdrawn, listed } = await newDesk();
  await type("withdraw /en/daily/leo/ --reason complaint");
  await type("rollback 2");
  await type("rollback 4");
  await type("withdraw --undo /en/daily/leo/");
  await site.night();
  expect([await isWithdrawn(), await date(), await listed()]).toEqual([false, today, []]);
});

test("log names the version that a rollback went to, also after a render removed the pins, and if a text was withdrawn since", async () => {
  const { type } = await newDesk();
  const runs = async () => {
    const { stdout } = await type("log");
    return stdout
      .split("\n")
      .flatMap((line) => /^ +\d+ {2}\S+ \S+ {2}[0-9a-f]{12} {2}(.*)$/.exec(line)?.[1] ?? []);
  };
  const nights = Array<string>(3).fill("almanac-nightly");
  await type("rollback 2");
  expect(await runs()).toEqual(["rollback to version 2", ...nights]);
  await type("render --languages en");
  expect(await runs()).toEqual(["render", "rollback to version 2", ...nights]);
  await type(`withdraw /en/daily/leo/${yesterday}/ --reason complaint`);
  await type("rollback 4");
  await type("render --languages en");
  expect((await runs()).slice(0, 2)).toEqual(["render", "rollback to version 4"]);
});

test("a rollback to a newer version speaks of no readings that were rolled back, and neither does status", async () => {
  const { type, date, held } = await newDesk();
  await type("rollback 2");
  const again = await type("rollback 2");
  expect(again.stdout.replaceAll(/\s+/g, " ")).toContain(
    "version 2 has the same files. The site stays at version 4. To go back further, name a version that `almanac log` lists",
  );
  const forward = await type("rollback 3");
  expect(forward.stdout).toContain("published version 5: the files of version 3");
  expect(forward.stdout).toContain(
    "to remove the pin and publish the readings in the vault: `almanac render --languages en`",
  );
  expect(forward.stdout).not.toContain("rolled-back");
  expect((await type("status")).stdout).toContain(
    "next: `almanac render --languages en` removes the pin and publishes the readings in the vault",
  );
  expect([await date(), await held()]).toEqual([today, [`en ${today}`]]);
});

test("publish says since when a language is pinned, and how to remove the pin", async () => {
  const { site, type } = await newDesk();
  const words = async () => {
    const { configuration, vault, now } = site.publishing;
    const { note } = await readWithheld(vault.own);
    const pins = activePins(note.pins, configuration, now());
    return inOrder(publishLines(await publishDue(site.publishing), pins)).join(" ");
  };
  expect(await words()).toBe("nothing to publish: no language has a new date. The site stays at version 3");
  await type("rollback 2");
  expect(await words()).toMatch(
    new RegExp(
      "^nothing to publish: no language without a pin has a new date. The site stays at version 4 " +
        `en was rolled back to version 2 at ${today} \\S+ UTC and is pinned: all its pages until the end of ${today} .* ` +
        "next: `almanac render --languages en` removes the pin and publishes the readings in the vault$",
    ),
  );
  await type("rollback 1");
  const again = await words();
  expect(again.match(/rolled back to version \d at \S+ \S+ UTC and is pinned: all its pages/g)).toEqual([
    expect.stringContaining("version 1"),
  ]);
});
