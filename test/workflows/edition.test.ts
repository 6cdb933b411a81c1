// An edition at its run's deadline, on a real Temporal; the activities are of this file, because a worker's are too quick to be
// found between a set's last answer and its judgement.
import { Client, Connection } from "@temporalio/client";
import { NativeConnection, Worker } from "@temporalio/worker";
import { expect, onTestFinished, test } from "vitest";
import type { createActivities } from "../../activities/index.ts";
import type { SetInput } from "../../activities/set-judgement.ts";
import { packKeys } from "../../readings/plan-order.ts";
import type { EditionResult } from "../../readings/run-messages.ts";
import { requestKey } from "../../readings/request.ts";
import { signs } from "../../readings/tables.ts";
import { bundleWorkflows } from "../../worker/bundle.ts";
import type { EditionInput } from "../../workflows/edition-state.ts";
import { callQueue, mainQueue, workflowTypes } from "../../workflows/names.ts";
import { sharedTemporal } from "../support/temporal.ts";

type Activities = Pick<ReturnType<typeof createActivities>, "planPage" | "callBatch" | "judgeSet">;

const temporal = await sharedTemporal();
const [site, run, vault] = ["edition-at-its-deadline", "edition-at-its-deadline-nightly", "a-vault"];
const operation = "daily-horoscope" as const;
const keys = signs.map((sign) => requestKey({ operation, language: "hi", period: "2026-11-21", sign }));

async function workersWith(activities: Activities): Promise<void> {
  const connection = await NativeConnection.connect({ address: temporal.address });
  const batch = await bundleWorkflows();
  const workers = [
    await Worker.create({
      connection,
      taskQueue: mainQueue(site),
      workflowBundle: batch,
      activities,
    }),
    await Worker.create({ connection, taskQueue: callQueue(vault, "translator"), activities }),
  ];
  const running = workers.map((worker) => worker.run());
  onTestFinished(async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await connection.close();
  });
}

const counts = {
  planned: 12,
  stored: 0,
  held: 0,
  retried: 0,
  skipped: 0,
  calls: 0,
  unanswered: 0,
  answerMs: 0,
};
const limit = { attemptMs: 1_000, startToCloseMs: 10_000, heartbeatMs: 10_000 };

test("a set that waits only for its judgment at the deadline is judged, and its rejected readings are skipped", async () => {
  const judged: SetInput[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld = false;
  const reason = "another-sign: it has the text of leo";
  await workersWith({
    planPage: async () => [{ keys: packKeys(keys), priority: 1, isFresh: true }],
    callBatch: async () => ({
      format: 1,
      outcomes: keys.map(() => ({ kind: "stored", tries: 1, answerMs: 5 }) as const),
    }),
    judgeSet: async (input) => {
      judged.push(input);
      if (isHeld && !input.last) await held;
      return {
        again: [],
        skipped: keys.slice(0, 1).map((key) => ({ key, type: "Unfit", reason }) as const),
      };
    },
  });
  onTestFinished(() => letGo()); // before the workers end, which wait for it
  const connection = await Connection.connect({ address: temporal.address });
  onTestFinished(() => connection.close());
  const { workflow } = new Client({ connection });
  await workflow.start("nobody", { workflowId: run, taskQueue: "idle" }); // receives the edition's progress
  const input: EditionInput = {
    site,
    vault,
    run,
    language: "hi",
    date: "2026-11-21",
    tally: { [operation]: counts },
    plan: "plan",
    pages: 1,
    window: { requests: 12, size: 12, width: 12 },
    limits: { english: limit, translator: limit, legacy: limit },
    untilMs: Date.now() + 600_000,
  };
  const edition = (workflowId: string, untilMs: number): Promise<EditionResult> =>
    workflow.execute(workflowTypes.edition, {
      args: [{ ...input, untilMs }],
      workflowId,
      taskQueue: mainQueue(site),
    });
  // The same without a wait measures this machine; the other's deadline comes long after its first check.
  const beganMs = performance.now();
  await edition(`${run}-unheld`, input.untilMs);
  const tookMs = performance.now() - beganMs;
  judged.length = 0;
  isHeld = true;
  const ended = await edition(`${run}-hi`, Date.now() + 2_000 + 5 * tookMs);
  expect(judged.map(({ set, last }) => ({ set, last }))).toEqual([
    { set: "daily/2026-11-21/hi/daily-horoscope", last: false },
    { set: "daily/2026-11-21/hi/daily-horoscope", last: true },
  ]);
  expect(ended.skipped).toEqual([{ key: keys[0], type: "Unfit", reason }]);
  expect(ended.tally[operation]).toMatchObject({ planned: 12, stored: 11, skipped: 1 });
});
