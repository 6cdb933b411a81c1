// A deploy during a night: an old and a new version of the worker at the same time. Running workflows end on the old one, new ones
// start on the new one. The command in docs/deployment.md makes a version current.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publishId } from "../../workflows/names.ts";
import { almanac } from "../support/cli.ts";
import { quickService, runPublish, workflowsOf } from "../support/looks.ts";
import { countsIn, createWorld, type RunningWorker, until, type World } from "../support/night.ts";
import { makeCurrent, sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const deploymentOf = ({ id }: World) => ({ address: temporal.address, id });

async function workerOf(world: World, buildId: string): Promise<RunningWorker> {
  world.env["TEMPORAL_WORKER_BUILD_ID"] = buildId;
  return world.worker();
}

/** A version whose process stays to the end. */
async function sharedWorkerOf(world: World, buildId: string) {
  world.env["TEMPORAL_WORKER_BUILD_ID"] = buildId;
  return world.sharedWorker();
}

/** The processes that worked on a workflow, from each step of its history, and those that made its calls. */
async function workersOf(world: World, id: string) {
  const { events = [] } = await world.client.workflow.getHandle(id).fetchHistory();
  const calls = new Set(
    events?.flatMap(({ eventId, activityTaskScheduledEventAttributes: of }) =>
      of?.activityType?.name === "callBatch" ? [String(eventId)] : [],
    ),
  );
  const processes = { main: new Set<string>(), calls: new Set<string>() };
  for (const {
    workflowTaskStartedEventAttributes: task,
    activityTaskStartedEventAttributes: act,
  } of events ?? []) {
    const process = (task ?? act)?.identity?.split("@")[0];
    const isCall = calls.has(String(act?.scheduledEventId));
    if (process !== undefined) (isCall ? processes.calls : processes.main).add(process);
  }
  return processes;
}

const idOf = ({ pid }: Pick<RunningWorker, "pid">): string => String(pid);

test("a night that is under way at a deploy ends on the version that it began with, whatever process that is, also while the new one owns the endpoints; what begins goes to the new one, and nothing is asked twice", async () => {
  const world = await createWorld(temporal, {
    languages: ["en", "hi", "es"],
    operations: ["daily-horoscope", "weekly-horoscope"],
    // Two concurrent calls of two seconds each: the night takes about a minute, and does not end during the test.
    service: { ...quickService, concurrency: { english: 2, translator: 2, legacy: 2 } },
  });
  const check = async () =>
    (await almanac(["check"], { env: world.env, cwd: world.folder })).stdout.replaceAll(/\s+/g, " ");
  const slowly = (fixedMs: number) =>
    world.sandbox.latency({ english: { fixedMs }, translator: { fixedMs } });
  const hindiHeld = async () => (await world.held()).filter((key) => key.includes("/hi/")).length;
  const old = await workerOf(world, "1.0");
  expect(await check()).toContain(`set-current-version --deployment-name ${world.id} --build-id 1.0`);
  await makeCurrent(deploymentOf(world), "1.0");
  await world.sandbox.clearStats(); // the check has asked too
  await slowly(2_000);
  const night = await world.nightly({ languages: ["en", "hi"] });
  await until("a few readings", async () => (await world.held()).length > 2);

  const young = await sharedWorkerOf(world, "1.1");
  await makeCurrent(deploymentOf(world), "1.1");
  expect(countsIn(await night.progress()).stored).toBeLessThan((await night.progress()).planned);
  const next = await world.backfill({ languages: ["es"] });
  await until("the next run's first reading", async () =>
    (await world.held()).some((key) => key.includes("/es/")),
  );
  expect(await old.stop()).toBe(0); // releases its leases, and young acquires them
  const byOld = await hindiHeld();
  await until("more readings of the night by the new version", async () => (await hindiHeld()) > byOld);
  // Another process of the same version continues: a standby for calls, and the only one for the night's workflows.
  const again = await workerOf(world, "1.0");
  await slowly(0);
  const [ended, nextEnded] = await Promise.all([night.result(), next.result()]);
  const done = await runPublish(world);

  for (const one of [ended, nextEnded]) {
    expect(one).toMatchObject({ state: "done", broken: {}, skipped: [] });
    expect(countsIn(one)).toMatchObject({ stored: one.planned, retried: 0 });
  }
  expect(done).toMatchObject({ changed: 0 });
  const { calls, repeats } = await world.sandbox.stats();
  expect({ calls, repeats }).toEqual({ calls: ended.planned + nextEnded.planned, repeats: 0 });

  const ids = (await workflowsOf(world, 6)).map(({ workflowId }) => workflowId);
  const onOld = ids.filter((id) => id === night.id || id.startsWith(`${world.id}-edition-`));
  expect(onOld).toHaveLength(3); // the night and its two languages
  for (const id of onOld) {
    expect((await workersOf(world, id)).main, id).toEqual(new Set([idOf(old), idOf(again)]));
  }
  const { calls: callers } = await workersOf(world, ids.find((id) => id.includes("-edition-hi-")) ?? "");
  expect(callers).toContain(idOf(young));
  expect(callers).not.toContain(idOf(again));
  const onNew = ids.filter((id) => !onOld.includes(id));
  expect(onNew).toHaveLength(3); // the backfill, its language, the publish
  for (const id of onNew) expect((await workersOf(world, id)).main, id).toEqual(new Set([idOf(young)]));
  expect(await check()).toContain("each queue has a worker; version 1.1 is current");
});

test("a publish that waits for its store when the old version is killed is completed by the new one", async () => {
  const world = await createWorld(temporal, {
    languages: ["hi"],
    operations: ["daily-tarot"],
    service: quickService,
  });
  const old = await workerOf(world, "1");
  await makeCurrent(deploymentOf(world), "1");
  const site = join(world.folder, "site");
  await rm(site, { recursive: true, force: true });
  await writeFile(site, "no folder");
  const publishing = runPublish(world);
  await until("the publish to fail and be tried again", async () => {
    const handle = world.client.workflow.getHandle(publishId(world.id));
    const described = await handle.describe().catch(() => undefined); // it has not begun yet
    return described?.raw.pendingActivities?.some(({ attempt }) => (attempt ?? 0) > 1);
  });
  await old.kill();
  await rm(site);
  await sharedWorkerOf(world, "2");
  await makeCurrent(deploymentOf(world), "2");
  await expect(publishing).resolves.toMatchObject({ changed: 0 });
});
