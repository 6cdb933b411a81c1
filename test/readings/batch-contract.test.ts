// Input and result of a batch of calls go between builds: a run that is pinned to one build has its calls made by the endpoint's
// owner, of any other. So each build reads inputs of the first number, and writes results that the first one can read.
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { z } from "zod";
import { batchSchema } from "../../readings/run-messages.ts";
import { folder, savedShape } from "../support/histories.ts";

const count = z.int().min(0);

/** The format of the first build. Don't change it: a new format gets another number. */
const firstInput = z.object({
  format: z.literal(1),
  run: z.string(),
  keys: z.array(z.string()),
  width: count,
  isFresh: z.boolean(),
  isFirst: z.boolean().optional(),
  triesBefore: count,
  isExtra: z.boolean(),
});
const judged = z.object({ again: z.array(z.string()), skipped: z.array(z.object({ key: z.string() })) });
const firstResult = z.object({
  format: z.literal(1),
  outcomes: z.array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.enum(["stored", "held"]), tries: count, answerMs: z.number().optional() }),
      z.object({
        kind: z.literal("failed"),
        type: z.string(),
        reason: z.string(),
        tries: count,
        said: z.string().optional(),
        pauseMs: z.number().optional(),
      }),
    ]),
  ),
  judged: judged.optional(),
});

const run = "almanac-nightly-2026-11-22";
const set = "daily/2026-11-22/hi/daily-horoscope/aries,taurus";
const usual = { format: 1, run, keys: [set], width: 8, isFresh: true, triesBefore: 0, isExtra: false };
const inputs: Record<string, object> = {
  "a first batch": { ...usual, isFirst: true },
  "a request by itself after a refusal": {
    ...usual,
    keys: ["daily/2026-11-22/hi/daily-horoscope/leo"],
    isFresh: false,
    triesBefore: 2,
    isExtra: true,
  },
  "cards with a further draw": {
    ...usual,
    keys: ["daily/2026-11-22/en/daily-tarot/reading", "daily/2026-11-22/en/daily-tarot/draw-1"],
  },
};

test.each(Object.entries(inputs))("%s is read as the first build gave it", (_, input) => {
  expect(batchSchema.parse(input)).toEqual(input);
});

const activity = z.object({
  eventId: z.string(),
  activityTaskScheduledEventAttributes: z
    .object({ activityType: z.object({ name: z.string() }), input: z.unknown().optional() })
    .optional(),
  activityTaskCompletedEventAttributes: z
    .object({ scheduledEventId: z.string(), result: z.unknown().optional() })
    .optional(),
});
const payloads = z.object({ payloads: z.array(z.object({ data: z.string() })).min(1) });

function firstIn(given: unknown): unknown {
  const [payload] = payloads.parse(given).payloads;
  return JSON.parse(Buffer.from(payload?.data ?? "", "base64").toString());
}

/** Inputs and results of all batches in the recorded nights. */
function recorded() {
  const found = { inputs: new Array<unknown>(), results: new Array<unknown>() };
  for (const name of readdirSync(folder)) {
    const { history } = savedShape.parse(JSON.parse(gunzipSync(readFileSync(folder + name)).toString()));
    const batches = new Set<string>();
    for (const event of history.events.map((one) => activity.parse(one))) {
      const {
        activityTaskScheduledEventAttributes: scheduled,
        activityTaskCompletedEventAttributes: completed,
      } = event;
      if (scheduled?.activityType.name === "callBatch") {
        batches.add(event.eventId);
        found.inputs.push(firstIn(scheduled.input));
      }
      if (completed !== undefined && batches.has(completed.scheduledEventId))
        found.results.push(firstIn(completed.result));
    }
  }
  return found;
}

test("the first build can read the inputs and results of today's nights", () => {
  const batches = recorded();
  expect(batches.results.length).toBeGreaterThan(20);
  for (const input of batches.inputs) firstInput.parse(input);
  for (const result of batches.results) firstResult.parse(result);
  const outcomes = batches.results.flatMap((one) => firstResult.parse(one).outcomes.map(({ kind }) => kind));
  expect(outcomes).toEqual(expect.arrayContaining(["stored", "failed"]));
});
