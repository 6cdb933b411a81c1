// `npm run record:histories`: runs a few small nights on a real server, each with a different kind of fault, and stores the
// histories of all their workflows for test/nights/replay.test.ts. Takes about two minutes. With names of nights (`npm run
// record:histories -- quiet`), it records only those again.
import { setTimeout as delay } from "node:timers/promises";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { always } from "../../store/store.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { runPublish } from "./looks.ts";
import { applySchedules } from "../../worker/temporal/schedules.ts";
import { editionId, scheduleIds } from "../../workflows/names.ts";
import { savedHistory, type SavedHistory, saveHistories } from "./histories.ts";
import { workflowsOf } from "./looks.ts";
import { createWorld, until, type World } from "./night.ts";
import { temporalForTests } from "./temporal.ts";
import { withEnds } from "./ends.ts";

const figure = (all: number) => ({ english: all, translator: all, legacy: all });
const small: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-horoscope", "daily-tarot", "wisdom-reading", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["libra", "libra"],
  ],
  service: { ratePerSecond: figure(50), concurrency: figure(4), answerTimeoutSeconds: figure(1) },
};

const nights: Record<string, (world: World) => Promise<unknown>> = {
  /** No faults; a second start of the night has nothing to request. */
  quiet: async (world) => {
    await (await world.nightly()).result();
    await (await world.nightly()).result();
  },
  /** Rejected, unanswered, permanently unfit, and another sign's text: repeated by Temporal and by the workflow. */
  retries: async (world) => {
    await world.sandbox.faults([
      { match: { operation: "daily-tarot" }, fault: "http400", times: 2 },
      { match: { operation: "wisdom-reading" }, fault: "http503", times: 12, retryAfter: 1 },
      { match: { operation: "love-compatibility", language: "hi" }, fault: "empty" },
      ...(["virgo", "libra"] as const).map((sign) => {
        const match = { operation: "daily-horoscope", language: "en", sign } as const;
        return { match, fault: "duplicate", times: 4 } as const;
      }),
    ]);
    await (await world.nightly()).result();
  },
  /** The credentials are revoked during the night, and replaced. */
  breaker: async (world) => {
    await world.sandbox.latency({ english: { fixedMs: 200 }, translator: { fixedMs: 200 } });
    const run = await world.nightly();
    await until("some stored responses", async () => (await world.held()).length > 5);
    await world.sandbox.credentials({ token: "another", apiKey: "another" });
    await until("an open breaker", async () => world.vault.store.read("endpoints/translator.json"));
    await delay(1_500);
    const { token, apiKey } = world.sandbox;
    await world.sandbox.credentials({ token, apiKey });
    await run.result();
  },
  /** It makes few calls, so its plan outlasts the maximum history. */
  continued: async (world) => (await world.nightly()).result(),
  /** A whole night is cancelled, children and all. */
  cancelled: async (world) => {
    await slowly(world);
    const run = await world.nightly();
    await until("calls", async () => (await world.sandbox.stats()).calls > 8);
    await run.cancel();
    await run.result().catch(() => undefined);
  },
  /** Only one edition is cancelled, and the next night gathers the rest. */
  "cancelled-child": async (world) => {
    await slowly(world);
    const run = await world.nightly();
    await until("calls", async () => (await world.sandbox.stats()).calls > 8);
    const child = await until("the edition", async () =>
      (await workflowsOf(world)).find(({ workflowId }) =>
        workflowId.startsWith(editionId(world.id, { kind: "nightly", id: "" }, "hi", "")),
      ),
    );
    await world.client.workflow.getHandle(child.workflowId).cancel();
    await run.result().catch(() => undefined);
    await (await world.nightly()).result();
  },
  /** One sign never gets a response: the window continues without it, and the deadline ends the wait. */
  deadline: async (world) => {
    await world.sandbox.faults([{ match: { sign: "leo" }, fault: "http503" }]);
    await (await world.nightly()).result();
  },
  backfill: async (world) => {
    await (await world.backfill({ languages: ["hi"], operations: ["daily-horoscope"] })).result();
    await runPublish(world);
  },
  /** An operation is refused alike, left out for the day, asked for with one set, and then all of it. */
  refused: async (world) => {
    const operations = ["wisdom-reading"] as const;
    await world.sandbox.faults([{ match: { operation: operations[0] }, fault: "success2" }]);
    await (await world.backfill({ languages: ["en", "hi"], operations })).result();
    await (await world.nightly({ operations })).result();
    const path = "refusals/wisdom-reading.json";
    const refusal = new TextDecoder().decode((await world.vault.store.read(path))?.body);
    const aged = refusal.replace(/"day": "[^"]*"/, `"day": "2026-01-01"`);
    await world.vault.store.write(path, new TextEncoder().encode(aged), { type: "" }, always);
    await world.sandbox.clearFaults();
    await (await world.nightly()).result();
  },
  /** The schedule starts the night, which is there already when it does so once more. */
  scheduled: async (world) => {
    await slowly(world);
    await applySchedules(world.client, configurationSchema.parse({ ...small, site: { id: world.id } }));
    const schedule = world.client.schedule.getHandle(scheduleIds.nightly(world.id));
    await schedule.trigger("ALLOW_ALL");
    await until("calls", async () => (await world.sandbox.stats()).calls > 4);
    await delay(1_100); // its workflows are named by the second
    await schedule.trigger("ALLOW_ALL");
    await until(
      "both",
      async () => (await workflowsOf(world)).filter(({ type }) => type === "scheduled").length === 2,
    );
    // The scrub reads the world's vault and site meanwhile.
    const scrubbing = world.client.schedule.getHandle(scheduleIds.scrub(world.id));
    await scrubbing.trigger();
    await until("a scrub", async () => (await workflowsOf(world)).some(({ type }) => type === "scrub"));
    for (const name of ["nightly", "publish", "scrub"] as const) {
      await world.client.schedule.getHandle(scheduleIds[name](world.id)).delete();
    }
  },
};

async function slowly({ sandbox }: World): Promise<void> {
  await sandbox.latency({ english: { fixedMs: 300 }, translator: { fixedMs: 300 } });
}

/** Every execution of a world, the continued ones too, once all have ended. */
async function historiesOf(world: World, night: string): Promise<[string, SavedHistory][]> {
  const executions = await until("the end of all workflows", async () => {
    const all = await workflowsOf(world);
    return all.every(({ status }) => status.name !== "RUNNING") && all;
  });
  const counts = new Map<string, number>();
  const histories: [string, SavedHistory][] = [];
  executions.sort((one, other) => +one.startTime - +other.startTime);
  for (const { workflowId, runId, type } of executions) {
    const history = await world.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    histories.push([`${night}.${type}.${count}`, savedHistory(workflowId, historyToJSON(history))]);
  }
  return histories;
}

await withEnds(async (atTheEnd) => {
  // Temporal suggests to continue as new at 4,096 events; a lower limit lets a small night do so.
  const words = ["--dynamic-config-value", "limit.historyCount.suggestContinueAsNew=40"];
  const temporal = await temporalForTests({ words }, atTheEnd);
  const histories = new Map<string, SavedHistory>();
  const named = process.argv.slice(2);
  const chosen = Object.entries(nights).filter(([night]) => named.length === 0 || named.includes(night));
  for (const [night, live] of chosen) {
    await withEnds(async (atEnd) => {
      const deadlineHours = night === "deadline" ? 0.01 : 6;
      const service =
        night === "continued" ? { ratePerSecond: figure(2), concurrency: figure(1) } : small.service;
      const world = await createWorld(temporal, { ...small, service, schedule: { deadlineHours } }, atEnd);
      const worker = await world.worker();
      await live(world);
      for (const [name, history] of await historiesOf(world, night)) histories.set(name, history);
      await worker.stop();
    });
    console.log(
      `${night}: ${[...histories.keys()].filter((name) => name.startsWith(`${night}.`)).length} histories`,
    );
  }
  await saveHistories(
    chosen.map(([night]) => night),
    histories,
  );
});
