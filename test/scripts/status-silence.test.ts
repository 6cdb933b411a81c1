// `almanac status` for a run without news: a missing worker, or a Temporal that is slow or lags behind.
import { expect, test } from "vitest";
import { almanac } from "../support/cli.ts";
import { fileEnd } from "../support/ends.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, until } from "../support/night.ts";
import { startTemporalProxy } from "../support/temporal-proxy.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

test("says of a worker that is there that it is there, and of a slow Temporal that it is slow", async () => {
  const world = await createWorld(
    temporal,
    { languages: ["en"], operations: ["wisdom-reading"], service: quickService },
    atEnd,
  );
  await world.sandbox.faults([{ fault: "http503" }]);
  await world.sharedWorker();
  await world.nightly();
  await until("a call", async () => (await world.sandbox.stats()).calls > 0);
  const statusPast = async (method: string) => {
    const address = await startTemporalProxy(temporal.address, method, atEnd, "silent");
    return almanac(["status"], { env: { ...world.env, TEMPORAL_ADDRESS: address }, cwd: world.folder });
  };
  const busy = await statusPast("QueryWorkflow");
  expect(busy.stdout).toMatch(
    /: running\nthe run did not report its progress within 5 s, although a worker was active \d+ s ago/,
  );
  expect(busy.stdout).not.toContain("no worker answers");
  const slow = await statusPast("QueryWorkflow|DescribeTaskQueue");
  expect(slow.stdout).toMatch(/: running\nTemporal is slow: it reported neither/);
});

test("finds tonight's run while Temporal does not list it yet, and knows of no other", async () => {
  const world = await createWorld(temporal, { languages: ["en"], operations: ["wisdom-reading"] }, atEnd);
  const method = "ListWorkflowExecutions";
  const address = await startTemporalProxy(temporal.address, method, atEnd, "empty");
  const options = { env: { ...world.env, TEMPORAL_ADDRESS: address }, cwd: world.folder };
  expect(JSON.parse((await almanac(["status", "--json"], options)).stdout)).toMatchObject({ run: null });
  const night = await world.nightly();
  expect(JSON.parse((await almanac(["status", "--json"], options)).stdout)).toMatchObject({
    run: night.id,
    running: true,
  });
});
