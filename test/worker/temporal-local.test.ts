// The server of a state folder: one run uses it at a time, and nothing that a killed run or server leaves keeps the next from its start.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, Connection } from "@temporalio/client";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  answers,
  commandLine,
  killGroup,
  readLocal,
  startLocalTemporal,
} from "../../worker/temporal/temporal-server.ts";
import { temporalExecutable } from "../support/temporal.ts";

const executable = await temporalExecutable();
const program = join(import.meta.dirname, "..", "support", "temporal-user.ts");
const line = z.object({ address: z.string(), pid: z.number() });
let stateFolder = "";

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), "almanac-state-"));
  const folder = stateFolder;
  onTestFinished(async () => {
    const left = await readLocal(folder);
    if (left !== undefined) killGroup(left.pid);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
});

/** Another process that uses this folder's server; returns its result. */
async function another(): Promise<z.infer<typeof line> & { process: ChildProcess }> {
  const child = spawn(process.execPath, [program, stateFolder, executable], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [text] = await once(createInterface({ input: child.stdout }), "line");
  return { ...line.parse(JSON.parse(String(text))), process: child };
}

async function here() {
  const server = await startLocalTemporal(stateFolder, executable);
  onTestFinished(() => server.stop());
  return server;
}

async function withClient<Result>(address: string, work: (client: Client) => Promise<Result>) {
  const connection = await Connection.connect({ address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

test.each(["SIGCONT", "SIGSTOP"] as const)(
  "a server that a killed run left (after %s) is replaced on its address, with its database",
  async (state) => {
    const starter = await another();
    await withClient(starter.address, (client) =>
      client.workflow.start("nobody", { workflowId: "kept", taskQueue: "idle" }),
    );
    const ended = once(starter.process, "exit");
    starter.process.kill("SIGKILL");
    await ended;
    process.kill(starter.pid, state); // a frozen one answers no more, and has the database too
    expect(await readLocal(stateFolder)).toMatchObject({ address: starter.address, pid: starter.pid });

    const server = await here();
    expect(server.address).toBe(starter.address);
    expect(await commandLine(starter.pid)).toBeUndefined();
    const describe = (client: Client) => client.workflow.getHandle("kept").describe();
    expect(await withClient(server.address, describe)).toMatchObject({ status: { name: "RUNNING" } });
  },
);

test("a second run is refused with the next step while the first has the server, and starts after it", async () => {
  const first = await another();
  await expect(startLocalTemporal(stateFolder, executable)).rejects.toThrow(
    /another `almanac local` runs in this folder\. Stop it, or start a run on its server with `almanac nightly`/,
  );
  expect(await answers(first.address)).toBe(true);
  const ended = once(first.process, "exit");
  first.process.kill("SIGTERM");
  await ended;
  expect(await commandLine(first.pid)).toBeUndefined();
  expect((await here()).address).toBe(first.address);
});

test("a record of a server that is gone, or whose process id is another's now, is passed over", async () => {
  const server = await here();
  const path = join(stateFolder, "local.json");
  const record = await readFile(path, "utf8");
  await server.stop();
  expect(await readLocal(stateFolder)).toBeUndefined();

  await writeFile(path, record.replace(`"pid": ${server.pid}`, `"pid": ${process.pid}`));
  const next = await here();
  expect(next.address).toBe(server.address); // on the ports that clients know
  expect(next.pid).not.toBe(process.pid);
});
