import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { commandLine, answers, processGone } from "../../worker/temporal/temporal-server.ts";
import { readLocal, useOrStartTemporal } from "../../worker/temporal/temporal-local.ts";
import { temporalExecutable } from "../support/temporal.ts";

const executable = await temporalExecutable();
const program = join(import.meta.dirname, "..", "support", "temporal-user.ts");
const line = z.object({ address: z.string(), pid: z.number(), reused: z.boolean() });
let stateFolder = "";

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), "almanac-state-"));
  const folder = stateFolder;
  onTestFinished(async () => {
    const left = await readLocal(folder);
    if (left !== undefined) {
      process.kill(left.pid, "SIGKILL");
      await processGone(left);
    }
    await rm(folder, { recursive: true, force: true });
  });
});

/** Another process that uses this folder's server; it answers with what it got. */
async function another(): Promise<z.infer<typeof line> & { process: ChildProcess }> {
  const child = spawn(process.execPath, [program, stateFolder, executable], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [text] = await once(createInterface({ input: child.stdout }), "line");
  return { ...line.parse(JSON.parse(String(text))), process: child };
}

async function end(child: ChildProcess, how: "SIGTERM" | "SIGKILL"): Promise<void> {
  const ended = once(child, "exit");
  child.kill(how);
  await ended;
}

test("a server whose starter was killed is used again, by its record, and stopped by who uses it last", async () => {
  const starter = await another();
  expect(starter.reused).toBe(false);
  await end(starter.process, "SIGKILL");
  expect(await readLocal(stateFolder)).toMatchObject({ address: starter.address, pid: starter.pid });

  const server = await useOrStartTemporal({ stateFolder, executable });
  expect(server).toMatchObject({ address: starter.address, pid: starter.pid, reused: true });
  expect(await answers(server.address, "default")).toBe(true);
  await server.stop();
  expect(await commandLine(server.pid)).toBeUndefined();
  expect(await readLocal(stateFolder)).toBeUndefined();
});

test("runs started at once in one folder share one server, which outlasts each of them but the last", async () => {
  const users = await Promise.all([another(), another(), another()]);
  expect(new Set(users.map(({ pid }) => pid)).size).toBe(1);
  expect(users.filter(({ reused }) => !reused)).toHaveLength(1);

  const starter = users.find(({ reused }) => !reused) ?? users[0];
  const [second, third] = users.filter((user) => user !== starter);
  await end(starter.process, "SIGTERM");
  expect(await answers(starter.address, "default")).toBe(true);
  if (second !== undefined) await end(second.process, "SIGKILL"); // killed: it never says that it is done
  if (third !== undefined) await end(third.process, "SIGTERM");
  expect(await commandLine(starter.pid)).toBeUndefined();
});

test("a record of a server that is gone, or whose process id is another's now, is passed over", async () => {
  const server = await useOrStartTemporal({ stateFolder, executable });
  const path = join(stateFolder, "local.json");
  const record = await readFile(path, "utf8");
  server.kill();
  await processGone(server);
  expect(await readLocal(stateFolder)).toBeUndefined();

  await writeFile(path, record.replace(`"pid": ${server.pid}`, `"pid": ${process.pid}`));
  const next = await useOrStartTemporal({ stateFolder, executable });
  expect(next).toMatchObject({ reused: false, address: server.address }); // on the ports that clients know
  expect(next.pid).not.toBe(process.pid);
  next.kill();
});

test("a server that answers no more is ended before another one opens its database", async () => {
  const hung = await useOrStartTemporal({ stateFolder, executable });
  process.kill(hung.pid, "SIGSTOP");
  const next = await useOrStartTemporal({ stateFolder, executable, hungAfterMs: 500, stopGraceMs: 300 });
  expect(next.reused).toBe(false);
  expect(await commandLine(hung.pid)).toBeUndefined();
  expect(await hung.died).toContain("SIGKILL");
  next.kill();
});

test("a second Ctrl-C ends the server only if nobody else uses it", async () => {
  const server = await useOrStartTemporal({ stateFolder, executable });
  const other = await another();
  server.kill();
  expect(await answers(server.address, "default")).toBe(true);
  const again = await useOrStartTemporal({ stateFolder, executable });
  await end(other.process, "SIGKILL");
  again.kill();
  await processGone(again);
});
