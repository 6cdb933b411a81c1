// The peers' nights: each peer is a program in bench/peers/nights that gets the calls of our night as plain data. For each call it
// does the same: it asks the same service, checks the shape, writes a data file and a page.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { spawnSandbox } from "../../test/support/sandbox.ts";
import type { TestTemporal } from "../../test/support/temporal.ts";
import type { Settings } from "../measures/measure.ts";
import { pageStyle } from "../render-readings.ts";
import { type Contender, type Night, seenBy, setUp } from "./contender.ts";
import { processorMsFromNow } from "./processes.ts";
import { redisMissing, redisPath, startRedis } from "./redis.ts";
import { callsOf, type Work } from "./work.ts";

const folder = fileURLToPath(new URL("../peers/", import.meta.url));
const arePackagesHere = existsSync(join(folder, "node_modules", "bullmq"));
const packagesMissing = "`npm ci --prefix bench/peers` brings it";

const said = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ tookMs: z.number(), processorMs: z.number() }),
  z.object({ failure: z.string() }),
]);

interface Server {
  readonly pid: number;
  readonly settings: Record<string, unknown>;
}

/** Runs the peer's program through one night, and ends it. */
async function drive(
  program: string,
  settings: object,
  server: Server | undefined,
  atEnd: Settings["atEnd"],
) {
  const out = await mkdtemp(join(tmpdir(), "almanac-peer-"));
  atEnd(() => rm(out, { recursive: true, force: true }));
  const file = join(out, "settings.json");
  await writeFile(file, JSON.stringify({ ...settings, ...server?.settings, out }));
  const child = fork(join(folder, "nights", program), [file], { execArgv: [] });
  const exited = once(child, "exit");
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  atEnd(async () => {
    killNow();
    await exited;
    process.off("exit", killNow);
  });
  const gone = exited.then(([code]) => {
    throw new Error(`${program} ended with ${String(code)} before its work was done`);
  });
  gone.catch(() => undefined);
  const next = async () => said.parse((await Promise.race([once(child, "message"), gone]))[0]);
  await next();
  const serverSpent = processorMsFromNow(...(server === undefined ? [] : [server.pid]));
  child.send({ go: true });
  const result = await next();
  const serverMs = serverSpent();
  if (!("tookMs" in result))
    throw new Error(`${program}: ${"failure" in result ? result.failure : "no answer"}`);
  return { tookMs: result.tookMs, processorMs: result.processorMs + serverMs };
}

async function nightWith(
  program: string,
  work: Work,
  atEnd: Settings["atEnd"],
  server?: Server,
): Promise<Night> {
  const sandbox = await spawnSandbox();
  atEnd(() => sandbox.close());
  await setUp(sandbox, work);
  const { endpoints, token, apiKey } = sandbox;
  const { concurrency, ratePerSecond } = work;
  const site = { calls: callsOf(work), concurrency, ratePerSecond, style: pageStyle() };
  const spent = await drive(program, { ...site, origin: endpoints.translator, token, apiKey }, server, atEnd);
  return { ...spent, ...(await seenBy(sandbox, work)) };
}

const here = arePackagesHere ? {} : { missing: packagesMissing };

export const bare: Contender = {
  name: "bare script",
  ...here,
  night: (work, atEnd) => nightWith("bare.js", work, atEnd),
};

function bullmq(): Contender {
  const path = redisPath();
  return {
    name: "BullMQ",
    ...(path === undefined ? { missing: redisMissing } : here),
    async night(work, atEnd) {
      if (path === undefined) throw new Error(redisMissing);
      const { port, pid } = await startRedis(path, atEnd);
      return nightWith("bullmq.js", work, atEnd, { pid, settings: { redisPort: port } });
    },
  };
}

export function naiveTemporal(temporal: TestTemporal): Contender {
  return {
    name: "simple Temporal",
    ...here,
    night: (work, atEnd) => nightWith("temporal.js", work, atEnd, serverOf(temporal)),
  };
}

function serverOf(temporal: TestTemporal): Server {
  return { pid: temporal.pid(), settings: { temporalAddress: temporal.address } };
}

export function createPeers(temporal: TestTemporal): Contender[] {
  return [bare, bullmq(), naiveTemporal(temporal)];
}

/** Runs as many empty activities as the work has calls: Temporal's own share of the processor time. */
export async function emptyActivities(work: Work, temporal: TestTemporal, atEnd: Settings["atEnd"]) {
  const { concurrency } = work;
  const settings = { calls: callsOf(work), concurrency, empty: true };
  return drive("temporal.js", settings, serverOf(temporal), atEnd);
}
