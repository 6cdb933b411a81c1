// Detects changes of the workflows that would break running nights: today's code replays the histories of earlier nights. If a
// change is intended, let `npm run record:histories` record new ones.
import { readdir, readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type DefaultLogger, Runtime, Worker, DefaultLogger as Logger } from "@temporalio/worker";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleWorkflows } from "../../worker/bundle.ts";
import { workflowTypes } from "../../workflows/names.ts";
import { folder, savedShape, type SavedHistory } from "../support/histories.ts";

const histories = await savedHistories();
const said: string[] = [];

beforeAll(() => {
  const logger: DefaultLogger = new Logger("WARN", ({ message }) => said.push(message));
  Runtime.install({ logger });
});

test.each([
  ["every workflow goes through what it did in earlier nights, event by event", false],
  ["and so does each where nights are traced", true],
])("%s", async (_title, isTraced) => {
  const workflowBundle = await bundleWorkflows(isTraced);
  const sinks = { traces: { ended: { fn: () => undefined } } };
  const given = [...histories].map(([name, { workflowId, history }]) => ({ name, workflowId, history }));
  const broken: string[] = [];
  let replayed = 0;
  const results = Worker.runReplayHistories({ workflowBundle, sinks }, given);
  for await (const { error } of results) {
    const { name } = given[replayed] ?? { name: "one too many" };
    replayed += 1;
    if (error !== undefined) broken.push(`${name}: ${error.message}`);
  }
  expect(broken).toEqual([]);
  expect(replayed).toBe(histories.size);
  expect(said).toEqual([]);
});

describe("the saved histories", () => {
  const has = (name: string, { history }: SavedHistory, type: string, event: string) =>
    name.includes(`.${type}.`) && history.events.some(({ eventType }) => eventType === `EVENT_TYPE_${event}`);
  const found = (type: string, event: string) =>
    [...histories].filter(([name, saved]) => has(name, saved, type, event)).map(([name]) => name);

  test.each(Object.values(workflowTypes))("hold a %s that began and ended", (type) => {
    expect(found(type, "WORKFLOW_EXECUTION_STARTED").length).toBeGreaterThan(0);
    expect(found(type, "WORKFLOW_EXECUTION_COMPLETED").length).toBeGreaterThan(0);
  });

  test("hold a night with an open breaker, a retry, a cancelled child and a continue-as-new", () => {
    const texts = (night: string) =>
      [...histories].filter(([name]) => name.startsWith(night)).map(([, saved]) => JSON.stringify(saved));
    expect(texts("breaker.edition").some((text) => text.includes('"type":"BreakerOpen"'))).toBe(true);
    expect(texts("retries.edition").some((text) => /"attempt":[2-9]/.test(text))).toBe(true);
    expect(found("edition", "TIMER_FIRED").some((name) => name.startsWith("retries."))).toBe(true);
    expect(found("edition", "WORKFLOW_EXECUTION_CANCELED").length).toBeGreaterThan(0);
    expect(found("nightly", "CHILD_WORKFLOW_EXECUTION_CANCELED").length).toBeGreaterThan(0);
    expect(found("edition", "WORKFLOW_EXECUTION_CONTINUED_AS_NEW").length).toBeGreaterThan(0);
    expect(found("scheduled", "START_CHILD_WORKFLOW_EXECUTION_FAILED").length).toBeGreaterThan(0);
    expect(
      found("edition", "ACTIVITY_TASK_CANCEL_REQUESTED").some((name) => name.startsWith("deadline.")),
    ).toBe(true);
  });

  test("carry keys and counts, and neither credentials nor texts", () => {
    const texts = [...histories.values()].flatMap(payloadsIn);
    expect(texts.some((text) => text.includes("/hi/daily-horoscope/leo"))).toBe(true);
    for (const text of texts) {
      expect(text).not.toMatch(/sandbox-token|sandbox-key|Bearer|prediction|"success"/);
      expect(text.length).toBeLessThan(20_000);
    }
  });
});

/** Everything that travelled with it, as text. */
function payloadsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "data" && typeof inner === "string"
      ? [Buffer.from(inner, "base64").toString("utf8")]
      : payloadsIn(inner),
  );
}

/** Every one by its name, such as `breaker.edition.2`: the night, the workflow and which of them. */
async function savedHistories(): Promise<Map<string, SavedHistory>> {
  const all = new Map<string, SavedHistory>();
  for (const file of (await readdir(folder)).toSorted()) {
    if (!file.endsWith(".json.gz")) continue;
    const text = gunzipSync(await readFile(folder + file)).toString("utf8");
    all.set(file.slice(0, -".json.gz".length), savedShape.parse(JSON.parse(text)));
  }
  return all;
}
