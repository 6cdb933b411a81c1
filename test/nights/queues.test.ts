// Workers that take work of some queues only: how calls to one endpoint are given more processes than the rest.
import { expect, test } from "vitest";
import { almanac } from "../support/cli.ts";
import { startCollector } from "../support/collector.ts";
import { atItsEnd } from "../support/ends.ts";
import { historiesOf, quickService } from "../support/looks.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
import { clockSpedUp } from "../support/noon.ts";
import { processClock } from "../../store/clock.ts";
import { LeaseFile } from "../../store/held-lease.ts";
import { layout } from "../../vault/files.ts";
import { readNote } from "../../vault/note.ts";
import { vaultNote } from "../../vault/installation.ts";
import { callQueue } from "../../workflows/names.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

/** The processes that ran the activities of each queue. */
async function processesByQueue(world: World): Promise<Record<string, string[]>> {
  const seen = new Map<string, Set<string>>();
  for (const { history } of await historiesOf(world, 3)) {
    const events = history.events ?? [];
    const queues = new Map<string, string>();
    for (const { eventId, activityTaskScheduledEventAttributes: scheduled } of events)
      if (scheduled?.taskQueue?.name) queues.set(String(eventId), scheduled.taskQueue.name);
    for (const { activityTaskStartedEventAttributes: started } of events) {
      const queue = queues.get(String(started?.scheduledEventId));
      if (queue === undefined) continue;
      const processes = seen.get(queue) ?? new Set();
      seen.set(queue, processes.add(started?.identity?.split("@")[0] ?? ""));
    }
  }
  return Object.fromEntries([...seen].map(([queue, processes]) => [queue, [...processes]]));
}

test("a night completes with workers of different queues, and each does only its own work", async () => {
  const world = await createWorld(temporal, {
    languages: ["en", "hi"],
    operations: ["daily-horoscope"],
    service: quickService,
  });
  const main = await world.sharedWorker("main", "english");
  const translator = await world.worker("--queues", "translator");
  const ended = await (await world.nightly()).result();
  expect(countsIn(ended)).toMatchObject({ stored: ended.planned, skipped: 0 });
  const { vault = "" } = (await readNote(world.vault.store, vaultNote)) ?? {};
  expect(await processesByQueue(world)).toEqual({
    [`${world.id}-main`]: [String(main.pid)],
    [callQueue(vault, "english")]: [String(main.pid)],
    [callQueue(vault, "translator")]: [String(translator.pid)],
  });
});

test("batches that wait for a minute without a calling process appear in status, and raise an alert", async () => {
  const world = await createWorld(temporal, {
    languages: ["en"],
    operations: ["daily-horoscope"],
    service: quickService,
  });
  const alerts = await startCollector(atItsEnd);
  Object.assign(world.env, { ALMANAC_ALERT_URL: alerts.url }, clockSpedUp(5));
  // The night still has an owner when a command on a busy machine looks.
  await world.sandbox.latency({ english: { fixedMs: 10_000 } });
  await world.worker("--queues", "main");
  const night = await world.nightly();
  const words =
    /[1-9]\d* batches have waited .* no process makes the calls of the english endpoint\. Next: start/;
  await until("the alert", () => alerts.received.some(({ body }) => words.test(body)));
  expect(alerts.received.map(({ body }) => body)).toEqual([expect.stringContaining("calls-without-owner")]);
  const options = { env: world.env, cwd: world.folder };
  expect((await almanac(["status"], options)).stdout).toMatch(words);
  const worker = await world.sharedWorker("english");
  const lease = new LeaseFile({ store: world.vault.store, clock: processClock }, layout.lease("english"));
  // Reading the lease costs less than the command.
  await until("a lease", async () => (await lease.read()).entry?.state === "held");
  await until("an owner", async () => {
    const { stdout } = await almanac(["status"], options);
    return stdout.includes(`english: calls made by ${worker.pid}@`);
  });
  await world.sandbox.latency({ english: { fixedMs: 0 } });
  expect(await night.result()).toMatchObject({ state: "done", skipped: [] });
}, 300_000);

test("an unknown queue name is refused, with the nearest valid one", async () => {
  const { code, stderr } = await almanac(["worker", "--queues", "english,translater"]);
  expect(code).toBe(2);
  expect(stderr).toContain('unknown queue "translater". Did you mean translator?');
});
