// A worker without Temporal is not ready, so a deploy does not continue with the next one.
import { NativeConnection } from "@temporalio/worker";
import { expect, onTestFinished, test } from "vitest";
import { openMemory } from "../support/memory.ts";
import { createReadiness } from "../../worker/monitor/monitor.ts";
import { startTemporalProxy } from "../support/temporal-proxy.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

test("without Temporal a worker is not ready, and the log has the reason", async () => {
  const address = await startTemporalProxy(temporal.address, "ListNamespaces", onTestFinished);
  const connection = await NativeConnection.connect({ address });
  onTestFinished(() => connection.close());
  const errors: string[] = [];
  const silent = () => undefined;
  const log = { info: silent, warn: silent, error: (_: object, line: string) => void errors.push(line) };
  const look = () => {
    const stores = { vault: openMemory(), site: openMemory() };
    const watched = { connection: () => connection, namespace: "default", ...stores };
    return createReadiness({ ...watched, workerState: () => "works", log })();
  };
  expect(await look()).toMatchObject({ ready: true, temporal: "answers" });

  const ask = () => connection.workflowService.listNamespaces({});
  await expect(connection.withDeadline(Date.now() + 500, ask)).rejects.toThrow();
  expect(await look()).toEqual({
    ready: false,
    worker: "works",
    temporal: "away",
    vault: "answers",
    site: "answers",
  });
  expect(errors).toEqual([
    expect.stringMatching(
      /^temporal is unreachable, so this worker is not ready: .*(?:no answer within|refused)/i,
    ),
  ]);
});

test("a worker is not ready either if Temporal responds but can't read its database", async () => {
  const address = await startTemporalProxy(temporal.address, "DescribeNamespace", onTestFinished, "silent");
  const connection = await NativeConnection.connect({ address });
  onTestFinished(() => connection.close());
  await expect(connection.workflowService.getSystemInfo({})).resolves.toBeDefined();
  const silent = () => undefined;
  const log = { info: silent, warn: silent, error: silent };
  const watched = {
    connection: () => connection,
    namespace: "default",
    vault: openMemory(),
    site: openMemory(),
  };
  const look = createReadiness({ ...watched, workerState: () => "works", log });
  expect(await look()).toMatchObject({ ready: false, temporal: "away" });
});
