// Every change of the site notifies the caches, by command line too: each command ends with the same step.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { addDays } from "../../readings/calendar.ts";
import { readBacklog } from "../../worker/notifiers/notifying.ts";
import { almanac } from "../support/cli.ts";
import { startCollector } from "../support/collector.ts";
import { siteInFolder } from "./site-in-folder.ts";
import { testDate } from "../support/noon.ts";

const told = z.object({
  kind: z.literal("purge"),
  site: z.literal("almanac"),
  tags: z.array(z.string()),
  paths: z.array(z.string()),
});

test("withdraw, rollback and repair notify their changes, and failed notifications are sent with the next", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-caches-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { url, received, statuses } = await startCollector(onTestFinished);
  const { site, env } = await siteInFolder(folder, {
    site: { id: "almanac", name: "Almanac", url: "https://almanac.example" },
    languages: ["en", "hi"],
    operations: ["daily-horoscope"],
    zones: { en: "UTC", hi: "UTC" },
    publishing: { unusualShare: 1 },
  });
  await site.gather(addDays(testDate, -2), testDate);
  for (const day of [addDays(testDate, -1), testDate]) {
    site.setClock(`${day}T00:00:30Z`);
    await site.night();
  }
  const run = async (...words: readonly string[]) => {
    received.length = 0;
    const ran = await almanac(words, {
      env: { ...env, ALMANAC_PURGE_URL: `${url}/purge?key=very-secret` },
      cwd: folder,
    });
    expect(ran.stdout + ran.stderr).not.toContain("very-secret");
    return { ran, purged: received.map(({ body }) => told.parse(JSON.parse(body))) };
  };

  statuses.push(404);
  const withdrawn = await run("withdraw", "/hi/daily/leo/", "--reason", "complaint");
  expect(withdrawn.ran.code, withdrawn.ran.stderr).toBe(0);
  expect(withdrawn.ran.stderr).toMatch(
    /ALMANAC_PURGE_URL did not accept the purge\. Readers may see .* Next: check the URL, and the reason in the log/,
  );
  expect(await readBacklog(site.publishing.vault.own)).not.toEqual(new Map());

  const back = await run("withdraw", "--undo", `daily/${testDate}/hi/daily-horoscope/leo`);
  expect(back.ran.code, back.ran.stderr).toBe(0);
  expect(back.purged).toHaveLength(1);
  expect(back.purged[0]).toMatchObject({ tags: ["almanac.hi"], paths: ["/hi/*", "/v1/hi/*"] });
  expect(await readBacklog(site.publishing.vault.own)).toEqual(new Map());

  const rolled = await run("rollback", "1");
  expect(rolled.ran.code, rolled.ran.stderr).toBe(0);
  const repaired = await run("repair");
  expect(repaired.ran.code, repaired.ran.stderr).toBe(0);
  expect(repaired.purged[0]?.tags).toEqual(expect.arrayContaining(["almanac.en", "almanac.hi"]));

  const dry = await run("rollback", "1", "--dry-run");
  expect(dry.purged).toEqual([]);
});
