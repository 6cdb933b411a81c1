// Ctrl-C in the midst of `almanac local`: calls in flight may end, everything is closed, and nothing breaks on the way out.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../support/cli.ts";
import { until } from "../support/night.ts";
import { temporalExecutable } from "../support/temporal.ts";

test("Ctrl-C in mid-night ends all that runs, with no word of a fault", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-local-"));
  const child = start(["local", "--once", "--languages", "en", "--rate", "2"], {
    cwd: folder,
    env: { TEMPORAL_CLI_PATH: await temporalExecutable(), HOME: folder },
  });
  const ended = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  try {
    await until("a night under way", async () => /^gathering: /m.test(said), 60_000);
    child.kill("SIGINT");
    await ended;
  } finally {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
  expect(said).toContain("stopping: calls in flight may end");
  expect(said).not.toMatch(/Error|could not|^ +at /m);
  expect(child.exitCode).toBe(1); // the night is not done
}, 120_000);
