// The sandbox in another process, with its control endpoint as functions: the base of tests with calls.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { ProfileName } from "../../packages/sandbox/profiles.ts";
import type { SandboxOptions } from "../../packages/sandbox/server.ts";
import type {
  ClockSetting,
  CredentialsSetting,
  FaultsSetting,
  LatencySetting,
  OptionsSetting,
} from "../../packages/sandbox/settings.ts";
import { hosted } from "./host.ts";

const place = z.object({
  origin: z.url(),
  endpoints: z.object({ english: z.url(), translator: z.url(), legacy: z.url() }),
  token: z.string(),
  apiKey: z.string(),
});

const endpointCount = z.object({
  calls: z.number(),
  firstMs: z.number().nullable(),
  lastMs: z.number().nullable(),
  peakInSlidingSecond: z.number(),
  inFlightPeak: z.number(),
});
const requestCount = z.object({
  calls: z.number(),
  answered: z.number(),
  firstMs: z.number(),
  lastMs: z.number(),
});
const statistics = z.object({
  calls: z.number(),
  byEndpoint: z.object({ english: endpointCount, translator: endpointCount, legacy: endpointCount }),
  repeats: z.number(),
  byRequest: z.record(z.string(), requestCount),
  byStatus: z.record(z.string(), z.number()),
});

export type SandboxStatistics = z.infer<typeof statistics>;
export type SpawnedSandbox = ReturnType<typeof controlled>;

/** Starts one on a free port; it ends with `close`, or with this process. */
export async function spawnSandbox(options: Pick<SandboxOptions, "seed" | "faults"> = {}) {
  const main = fileURLToPath(new URL("../../packages/sandbox/main.ts", import.meta.url));
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, [main, "--with-parent", ...flags], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const where = await firstLineOf(child.stdout, ended);
  return controlled(where, async () => {
    child.kill("SIGTERM");
    await ended;
  });
}

const ask = hosted(fileURLToPath(new URL("sandbox-host.ts", import.meta.url)));
let sandboxes = 0;

/** Starts one in the shared process of this process's tests. */
export async function sharedSandbox(): Promise<SpawnedSandbox> {
  const id = (sandboxes += 1);
  const where = place.parse(await ask({ kind: "start", id }));
  return controlled(where, async () => void (await ask({ kind: "stop", id })));
}

function controlled(where: z.infer<typeof place>, close: () => Promise<void>) {
  const control = (method: string, path: string, body?: unknown) =>
    requested(`${where.origin}/control/${path}`, method, body);
  return {
    ...where,
    stats: async () => statistics.parse(await control("GET", "stats")),
    /** Counts from zero; all else stays. */
    clearStats: () => control("DELETE", "stats"),
    /** Adds rules behind the ones that are there. */
    faults: (rules: FaultsSetting) => control("POST", "faults", rules),
    profile: (profile: ProfileName) => control("POST", "profile", { profile }),
    clearFaults: () => control("DELETE", "faults"),
    credentials: (setting: CredentialsSetting) => control("POST", "credentials", setting),
    latency: (setting: LatencySetting) => control("POST", "latency", setting),
    clock: (setting: ClockSetting) => control("POST", "clock", setting),
    options: (setting: OptionsSetting) => control("POST", "options", setting),
    /** Everything as at the start, the counts too. */
    reset: () => control("POST", "reset"),
    close,
  };
}

async function firstLineOf(stdout: NodeJS.ReadableStream, ended: Promise<unknown>) {
  const lines = createInterface(stdout);
  const line = await Promise.race([
    once(lines, "line").then(([text]: unknown[]) => z.string().parse(text)),
    ended.then(() => undefined),
  ]);
  if (line === undefined) throw new Error("the sandbox ended before it listened: its own words are above");
  return place.parse(JSON.parse(line));
}

async function requested(url: string, method: string, body: unknown): Promise<unknown> {
  const told = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url, { method, ...(body === undefined ? {} : told) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
