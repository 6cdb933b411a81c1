// That each language of a night is pressed as an activity of its own before it is published.
import { expect, test } from "vitest";
import { pressQueue, taskQueue } from "../../workflows/names.ts";
import { createWorld } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

test("each language is pressed on the queue for it, at the first try, and every publish finds it pressed", async () => {
  const languages = ["en", "hi", "es"] as const;
  const world = await createWorld(temporal, {
    languages: [...languages],
    operations: ["daily-horoscope", "daily-tarot"],
    service: { ratePerSecond: { english: 100, translator: 100, legacy: 100 } },
  });
  await world.sharedWorker();
  const run = await world.nightly();
  expect((await run.result()).state).toBe("done");
  const { events } = await world.client.workflow.getHandle(run.id).fetchHistory();
  const scheduled = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  const inputsOf = (name: string) =>
    scheduled
      .filter(({ activityType }) => activityType?.name === name)
      .map(({ input }) => new TextDecoder().decode(input?.payloads?.[0]?.data ?? undefined));
  const presses = inputsOf("press");
  for (const language of languages)
    expect(presses.some((input) => input.includes(`"language":"${language}"`))).toBe(true);
  const queues = scheduled
    .filter(({ activityType }) => activityType?.name === "press")
    .map((one) => one.taskQueue?.name);
  expect(new Set(queues)).toEqual(new Set([pressQueue(taskQueue(world.id, "main"))]));
  // None was left to a publish, which then would not say that all are to be pressed apart.
  expect(inputsOf("publish").filter((input) => !input.includes('"apart":true'))).toEqual([]);
  const failed = (events ?? []).filter(
    (event) => event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes,
  );
  expect(failed).toEqual([]);
});
