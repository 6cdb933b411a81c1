import { expect, test } from "vitest";
import { editionId } from "../../workflows/names.ts";
import { createWorld, until } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";

const temporal = await temporalForTests();

test("one edition that a person cancels costs the other languages nothing, and the run says so", async () => {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  const world = await createWorld(temporal, {
    languages: ["en", "hi"],
    operations: ["daily-tarot", "wisdom-reading", "power-life-reading"],
    service: { ratePerSecond: all(20), concurrency: all(4), answerTimeoutSeconds: all(20) },
  });
  await world.sandbox.latency({ translator: { fixedMs: 15_000 } });
  await world.worker();
  const run = await world.nightly();
  const calls = async () => (await world.sandbox.stats()).byAddress.translator.calls;
  await until("calls in Hindi", async () => (await calls()) > 0);
  const children = world.client.workflow.list({
    query: `WorkflowType = "edition" AND ExecutionStatus = "Running"`,
  });
  const hindi = await until("the Hindi edition", async () => {
    for await (const { workflowId } of children) {
      if (workflowId.startsWith(editionId(world.id, { kind: "nightly", id: run.id }, "hi", "")))
        return workflowId;
    }
    return undefined;
  });
  await world.client.workflow.getHandle(hindi).cancel();
  const ended = await run.result();
  expect(ended.state).toBe("done");
  expect(Object.keys(ended.broken)).toEqual(["hi"]);
  expect(ended.broken.hi).toMatch(/cancel/i);
  expect((await world.held()).filter((key) => key.includes("/en/"))).toHaveLength(6);
  expect(await world.site.read("en/daily-tarot/index.html")).toBeDefined();
}, 60_000);
