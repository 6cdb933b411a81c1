// An owner's vault, site and schedules, made by a clone of an earlier commit, go on with today's code: nothing that was paid for is
// asked again, nothing that was published is lost, and what an operator had set stays as it was.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { describeSchedules } from "../../worker/temporal/schedules.ts";
import { scheduleIds } from "../../workflows/names.ts";
import { almanac } from "../support/cli.ts";
import { fileEnd } from "../support/ends.ts";
import { moveClock, quickService, workflowsOf } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { weeksDue, zonesAtNoon } from "../support/noon.ts";
import { temporalExecutable, temporalForTests } from "../support/temporal.ts";
import { earlierCode } from "./earlier-code.ts";
import { pack } from "./registry.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

/** What early owners run: version 0.1.0, before markers, intents, patrols and nights in bundles. */
const earlier = "8d60de5254d25c87c563f75010a3d982405bfc42";

const atEnd = fileEnd();
const temporal = await temporalForTests({ database: "file" }, atEnd);
const configuration: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-horoscope", "weekly-horoscope", "daily-tarot", "wisdom-reading", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["libra", "libra"],
  ],
  service: quickService,
  zones: zonesAtNoon(),
};
/** Of two languages today's and tomorrow's sheets, and those of weeks. */
const horoscopes = 2 * (24 + 12 * weeksDue());
/** The commands of then and of now, the one in a clone, the other in the package. */
let old: string;
let today: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-earlier-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  old = await earlierCode(earlier, join(folder, "clone"));
  await run("tar", ["-xzf", await pack(root, folder), "-C", folder]);
  await symlink(join(root, "node_modules"), join(folder, "package/node_modules"));
  today = join(folder, "package/scripts/almanac.js");
}, 300_000);

/** As an operator types it in the world's folder. */
async function typed(world: Pick<World, "env" | "folder">, words: string, entry = today) {
  return almanac(words.split(" "), { env: world.env, cwd: world.folder, entry });
}

/** All that it said; it is to end well, and to understand all that it finds. */
async function done(world: Pick<World, "env" | "folder">, words: string, program?: string): Promise<string> {
  const { code, stdout, stderr } = await typed(world, words, program);
  expect(code, `${words}: ${stdout}${stderr}`).toBe(0);
  expect(stdout + stderr).not.toMatch(/can't read|can't be read|damaged|Error/);
  return stdout;
}

const pointerShape = z.object({ version: z.int() });
const versionOf = async ({ folder }: World) =>
  pointerShape.parse(JSON.parse(await readFile(join(folder, "site/v1/pointer.json"), "utf8"))).version;

const schedulesOf = async ({ client, id }: World) =>
  (await describeSchedules(client, id)).map(({ scheduleId, state: { paused, note } }) => ({
    scheduleId,
    paused,
    note,
  }));

const progressShape = z.object({ planned: z.int(), held: z.int() });
const progressIn = (stdout: string) => progressShape.parse(JSON.parse(stdout));

/** How often each request was answered, of those that have the date in their name: cards have no date for the service. */
async function answered({ sandbox }: World): Promise<Map<string, number>> {
  const { byRequest } = await sandbox.stats();
  return new Map(Object.entries(byRequest).map(([key, { answered: times }]) => [key, times]));
}

/** A schedule's newest run, which `trigger` has started. */
async function endOfTriggered(world: World, scheduleId: string): Promise<string> {
  return until(`the end of a run of ${scheduleId}`, async () => {
    const { info } = await world.client.schedule.getHandle(scheduleId).describe();
    const id = info.recentActions.at(-1)?.action.workflow.workflowId;
    if (id === undefined) return undefined;
    const { status } = await world.client.workflow.getHandle(id).describe();
    return status.name === "RUNNING" ? undefined : status.name;
  });
}

test(
  "vault, site and schedules of an earlier clone are taken over, and nothing is asked again",
  { timeout: 600_000 },
  async () => {
    const world = await createWorld(temporal, configuration, atEnd);
    const { sandbox } = world;
    await sandbox.faults([{ match: { operation: "daily-tarot", language: "hi" }, fault: "empty" }]);
    const before = await world.workerOf(old);
    await done(world, "schedule apply", old);
    await done(world, "schedule pause nightly --why holidays", old);
    expect(await typed(world, "nightly --wait", old)).toMatchObject({ code: 3 }); // one operation is set aside
    await done(world, "withdraw en/daily/aries/ --reason mistaken", old);
    expect(await before.stop()).toBe(0);
    await sandbox.clearFaults();
    const version = await versionOf(world);
    const paid = await answered(world);
    expect([...paid].filter(([key, times]) => times > 0 && key.includes("-horoscope/")).length).toBe(
      horoscopes,
    );

    // Nobody has changed anything yet: today's commands understand what they find.
    expect(await done(world, "verify --vault")).toContain("sound\n");
    expect(await done(world, "log")).toContain(`version ${version} is published`);
    expect(await done(world, "status --page report.html")).toContain("2 set aside");
    expect(await done(world, "quarantine list")).toContain("2 set aside");
    expect(await done(world, "withdraw --list")).toContain("mistaken");
    expect(await done(world, "why en/daily/taurus/")).toContain("gates       passed");
    expect(await done(world, "rejudge --no-pages")).toContain("would be refused today: none");
    expect(await versionOf(world)).toBe(version);

    const now = await world.workerOf(today);
    expect(await done(world, "check")).toContain("2 of 3 are there");
    const asked = (await sandbox.stats()).calls; // the check has asked too
    const applied = [
      { scheduleId: scheduleIds.nightly(world.id), paused: true, note: "holidays" },
      { scheduleId: scheduleIds.turn(world.id), paused: false, note: "" },
    ];
    expect(await schedulesOf(world)).toEqual(applied);
    await done(world, "schedule trigger turn"); // as it was applied by the earlier code
    expect(await endOfTriggered(world, scheduleIds.turn(world.id))).toBe("COMPLETED");
    const same = progressIn(await done(world, "nightly --wait --json"));
    expect(same).toEqual({ planned: 0, held: horoscopes + 10 });
    expect((await sandbox.stats()).calls).toBe(asked);
    expect(await versionOf(world)).toBe(version + 1); // pressed anew, by other templates
    expect(await done(world, "verify --vault")).toContain("sound\n");

    await done(world, "schedule apply");
    const patrol = { scheduleId: scheduleIds.patrol(world.id), paused: false, note: "" };
    expect(await schedulesOf(world)).toEqual([...applied, patrol]);
    await now.stop();

    // The next day, by the schedule that was there: only what is new is asked, and what was set aside.
    const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();
    await moveClock(world, tomorrow);
    const later = await world.workerOf(today);
    const night = progressIn(await done(world, `nightly --wait --json --as-of ${tomorrow}`));
    expect(night.planned).toBeGreaterThan(24);
    const twice = [...(await answered(world))].filter(
      ([key, times]) => key.includes("-horoscope/") && times > 1,
    );
    // But for the one reading of each address that `almanac check` asks for.
    expect(twice.filter(([key]) => !key.endsWith("/aries"))).toEqual([]);
    await done(world, "schedule trigger patrol");
    expect(await endOfTriggered(world, scheduleIds.patrol(world.id))).toBe("COMPLETED");
    await done(world, "schedule resume nightly");
    expect(await versionOf(world)).toBeGreaterThan(version + 1);
    expect(await done(world, "verify --vault")).toContain("sound\n");
    expect(await done(world, "withdraw --list")).toContain("mistaken");
    expect(await later.stop()).toBe(0);
  },
);

test(
  "a night that the earlier clone had under way breaks off and says so, holds up no schedule, and is gone on with from what it had kept",
  { timeout: 600_000 },
  async () => {
    const world = await createWorld(temporal, configuration, atEnd);
    const { sandbox, client } = world;
    const before = await world.workerOf(old);
    await done(world, "schedule apply", old);
    const fixedMs = 1_500;
    await sandbox.latency({ english: { fixedMs }, translator: { fixedMs } });
    await done(world, "schedule trigger nightly", old);
    await until("a part of the night", async () => (await world.held()).length > 12);
    expect(await before.stop()).toBe(0); // calls in flight end, and their answers are kept
    const kept = await world.held();
    expect(kept.length).toBeLessThan(horoscopes + 12);
    await sandbox.latency({ english: { fixedMs: 0 }, translator: { fixedMs: 0 } });
    const paid = await answered(world);

    const now = await world.workerOf(today);
    // Where it had published already it fails as a whole; else its languages break off, and it ends by itself.
    expect(["COMPLETED", "FAILED"]).toContain(await endOfTriggered(world, scheduleIds.nightly(world.id)));
    const closed = await until("the end of the night and its languages", async () => {
      const ends = (await workflowsOf(world)).map(({ type, status }) => `${type} ${status.name}`);
      return ends.some((end) => end.endsWith("RUNNING")) ? undefined : ends;
    });
    expect(closed).toEqual(expect.arrayContaining(["edition FAILED"]));
    expect(await answered(world)).toEqual(paid);
    const { info } = await client.schedule.getHandle(scheduleIds.nightly(world.id)).describe();
    expect(info.runningActions).toEqual([]);
    expect(await done(world, "status")).toMatch(
      /another version of Almanac began it|what it gathered is in the vault: start it again/,
    );

    const night = progressIn(await done(world, "nightly --wait --json"));
    expect(night).toEqual({ planned: horoscopes + 12 - kept.length, held: kept.length });
    const counts = [...(await answered(world))].filter(([key]) => key.includes("-horoscope/"));
    expect(counts.filter(([, times]) => times !== 1)).toEqual([]);
    expect(await done(world, "verify --vault")).toContain("sound\n");
    expect(await now.stop()).toBe(0);
  },
);

test(
  "what `almanac local` of the earlier clone has gathered is shown by today's without a call",
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "almanac-earlier-local-"));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    const env = { HOME: folder, TEMPORAL_CLI_PATH: await temporalExecutable() };
    const here = { env, folder };
    await done(here, "local --once --languages en", old);
    const due = z.object({ held: z.int(), forecast: z.object({ calls: z.int() }) });
    const plan = due.parse(JSON.parse((await typed(here, "plan --languages en --json")).stdout));
    expect(plan.forecast.calls).toBe(0);
    expect(plan.held).toBeGreaterThan(100);
    await done(here, "local --once --languages en");
    expect(await done(here, "verify --vault")).toContain("sound\n");
  },
);
