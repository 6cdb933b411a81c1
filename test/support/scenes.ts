// Open test worlds. When a test fails, its message gets one line for each of them: the requests and stored readings, and a copy of
// the log with its last lines, because the world's own folder is removed with the test.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import type { Vault } from "../../vault/vault.ts";
import type { SpawnedSandbox } from "./sandbox.ts";

interface Scene {
  readonly id: string;
  readonly logPath: string;
  readonly sandbox: Pick<SpawnedSandbox, "stats">;
  readonly vault: Pick<Vault, "held">;
}

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const copies = join(checkout, ".almanac/test-logs");
const scenes = new Set<Scene>();
const lastLines = 3;
const mostOfLine = 300;

/** Returns the function that ends it. */
export function openScene(scene: Scene): () => void {
  scenes.add(scene);
  return () => void scenes.delete(scene);
}

/** Call it before each test file. */
export function describeScenesOnFailure(): void {
  afterEach(async ({ task }) => {
    const [error] = task.result?.errors ?? [];
    if (task.result?.state !== "fail" || error === undefined || scenes.size === 0) return;
    const lines = await Promise.all([...scenes].map(lineOf));
    error.message += `\n\n${lines.join("\n")}`;
    error.stack = `${error.name}: ${error.message}\n${error.stack ?? ""}`; // JSON reports show the stack
  });
}

async function lineOf({ id, logPath, sandbox, vault }: Scene): Promise<string> {
  const [stats, kept] = await Promise.all([
    sandbox.stats().then(
      ({ calls, byStatus }) => `${calls} calls, by status ${JSON.stringify(byStatus)}`,
      (error: unknown) => `no statistics (${String(error)})`,
    ),
    vault.held("").then(
      (keys) => `${keys.length} readings`,
      (error: unknown) => `no readings (${String(error)})`,
    ),
  ]);
  const state = `${id}: the sandbox has ${stats}; the vault has ${kept}`;
  if (!existsSync(logPath)) return `${state}; nothing was logged`;
  mkdirSync(copies, { recursive: true });
  const copy = join(copies, `${id}.log`);
  copyFileSync(logPath, copy);
  const last = readFileSync(copy, "utf8").trim().split("\n").slice(-lastLines);
  const shown = last.map((line) => `  ${line.slice(0, mostOfLine)}`).join("\n");
  return `${state}; the log is ${relative(checkout, copy)}, and ends with\n${shown}`;
}
