// A real Redis for BullMQ, configured as its documentation recommends for production: an append-only file flushed once per second,
// and no eviction (https://docs.bullmq.io/guide/going-to-production).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { Settings } from "../measures/measure.ts";

const startsWithinMs = 20_000;

export const redisMissing =
  "no redis-server on PATH: `apt-get install redis-server` or `brew install redis` brings one; REDIS_SERVER_PATH names another";

export interface Redis {
  readonly port: number;
  readonly pid: number;
}

export function redisPath(): string | undefined {
  const { REDIS_SERVER_PATH, PATH = "" } = process.env;
  if (REDIS_SERVER_PATH !== undefined) return REDIS_SERVER_PATH;
  return PATH.split(delimiter)
    .map((folder) => join(folder, "redis-server"))
    .find((path) => existsSync(path));
}

export async function startRedis(path: string, atEnd: Settings["atEnd"]): Promise<Redis> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-redis-"));
  const [port = 0] = await freePorts([undefined]);
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const durable = ["--appendonly", "yes", "--appendfsync", "everysec", "--maxmemory-policy", "noeviction"];
  const child = spawn(path, [...words, ...durable], { stdio: "ignore" });
  const ended = once(child, "exit");
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  atEnd(async () => {
    killNow();
    await ended;
    process.off("exit", killNow);
    await rm(folder, { recursive: true, force: true });
  });
  const deadlineMs = performance.now() + startsWithinMs;
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) throw new Error(`${path} does not start`);
    await delay(20);
  }
  return { port, pid: child.pid ?? 0 };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    const tell = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => tell(true)).once("error", () => tell(false));
  });
}
