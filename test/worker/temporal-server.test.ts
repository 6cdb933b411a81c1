import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePorts } from "../../worker/temporal/ports.ts";
import {
  commandLine,
  answers,
  startTemporal,
  TemporalDidNotStart,
  type TemporalServer,
} from "../../worker/temporal/temporal-server.ts";
import { temporalExecutable, temporalForTests } from "../support/temporal.ts";

const executable = await temporalExecutable();
const temporal = await temporalForTests({
  database: "file",
  words: ["--search-attribute", "AlmanacLanguage=Keyword"],
});
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-server-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function started(options: Partial<Parameters<typeof startTemporal>[0]> = {}): Promise<TemporalServer> {
  const server = await startTemporal({ executable, folder, ...options });
  onTestFinished(() => server.stop());
  return server;
}

async function clientOf(address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(async () => connection.close());
  return new Client({ connection });
}

describe("a started server", () => {
  test("answers real calls at once, has its interface, one partition a queue and the search attributes", async () => {
    const { workflowService, connection } = await clientOf(temporal.address);
    const namespace = await workflowService.describeNamespace({ namespace: "default" });
    expect(namespace.namespaceInfo?.name).toBe("default");
    const partitions = await workflowService.listTaskQueuePartitions({
      namespace: "default",
      taskQueue: { name: "english" },
    });
    expect(partitions.activityTaskQueuePartitions).toHaveLength(1);
    const attributes = await connection.operatorService.listSearchAttributes({ namespace: "default" });
    expect(Object.keys(attributes.customAttributes ?? {})).toContain("AlmanacLanguage");
    const page = await fetch(temporal.uiUrl);
    expect(page.status).toBe(200);
    await page.body?.cancel();
  });

  test("keeps what it was told over a SIGKILL and a restart, on the same address", async () => {
    const before = temporal.pid();
    const client = await clientOf(temporal.address);
    await client.workflow.start("nobody", { workflowId: "kept", taskQueue: "idle" });
    await temporal.restartOnSameDatabase();
    expect(temporal.pid()).not.toBe(before);
    const { status } = await (await clientOf(temporal.address)).workflow.getHandle("kept").describe();
    expect(status.name).toBe("RUNNING");
  });

  test("takes another port when the wished one is in use", async () => {
    const [port = 0] = await freePorts([undefined]);
    const squatter = createServer().listen(port, "127.0.0.1");
    await once(squatter, "listening");
    onTestFinished(() => void squatter.close());
    const server = await started({ port });
    expect(server.address).not.toBe(`127.0.0.1:${port}`);
    expect(await answers(server.address)).toBe(true);
  });

  test.runIf(process.platform === "linux")(
    "leads a process group of its own, so that a Ctrl-C in the terminal does not reach it",
    async () => {
      const group = (await readStat(temporal.pid()))[2];
      expect(Number(group)).toBe(temporal.pid());
    },
  );
});

describe("the end of a server", () => {
  test("on request leaves no process, and is no death to report", async () => {
    const server = await startTemporal({ executable, folder });
    const first = Promise.race([server.died, server.stop().then(() => "stopped")]);
    expect(await first).toBe("stopped");
    expect(await commandLine(server.pid)).toBeUndefined();
    expect(await answers(server.address)).toBe(false);
    await server.stop(); // and once more is no fault
  });

  test("of itself is reported with how it ended and where its log is", async () => {
    const server = await started();
    process.kill(server.pid, "SIGKILL");
    expect(await server.died).toBe(
      `the Temporal server (process ${server.pid}) stopped unexpectedly: SIGKILL. Its log is ${join(folder, "temporal.log")}`,
    );
  });
});

describe("a server that does not start", () => {
  test("says that another one has the database, which is left as it was", async () => {
    const databasePath = join(folder, "one.sqlite");
    const first = await started({ databasePath });
    const second = startTemporal({ executable, folder: join(folder, "second"), databasePath });
    await expect(second).rejects.toThrow(TemporalDidNotStart);
    await expect(second).rejects.toThrow(
      /one\.sqlite: another process has the file open\. Find the process with that file after --db-filename, stop it, and try again/,
    );
    expect(await answers(first.address)).toBe(true);
    expect(await commandLine(first.pid)).toContain(databasePath);
    await first.stop();
    expect(await answers((await started({ databasePath })).address)).toBe(true);
  });

  test("says so when the executable cannot be run", async () => {
    const starting = startTemporal({ executable: join(folder, "none"), folder });
    await expect(starting).rejects.toThrow(/cannot run .*none: .*ENOENT/);
  });

  test("passes on its last words", async () => {
    const databasePath = join(folder, "temporal.log.previous", "x.sqlite");
    await expect(startTemporal({ executable, folder, databasePath })).rejects.toThrow(
      /did not start on .*x\.sqlite: .*unable to open database file/,
    );
    expect(await readFile(join(folder, "temporal.log"), "utf8")).toContain("unable to open");
  });
});

test("draws distinct ports below those of outgoing connections", async () => {
  const ports = await freePorts(Array.from({ length: 20 }, () => undefined));
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

async function readStat(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" "); // state, parent, group
}
