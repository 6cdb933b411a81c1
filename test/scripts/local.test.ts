// What ends `almanac local` in its midst, Ctrl-C or a reader who has gone: calls in flight may end, everything is closed,
// and nothing breaks on the way out.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exists, signalGroup } from "../../worker/temporal/processes.ts";
import { readRecord } from "../../worker/temporal/temporal-record.ts";
import { start } from "../support/cli.ts";
import { until } from "../support/night.ts";
import { temporalExecutable } from "../support/temporal.ts";

/** Ends a night under way, and answers what was said, the exit code and whether the Temporal server has ended too. */
async function nightEndedBy(end: (child: ReturnType<typeof start>) => void) {
  const folder = await mkdtemp(join(tmpdir(), "almanac-local-"));
  const child = start(["local", "--once", "--languages", "en", "--rate", "2"], {
    cwd: folder,
    env: { TEMPORAL_CLI_PATH: await temporalExecutable(), HOME: folder },
  });
  const ended = once(child, "close");
  let said = "";
  let pid = 0;
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  try {
    await until("a night under way", async () => /^gathering: /m.test(said), 60_000);
    ({ pid = 0 } = readRecord(join(folder, ".almanac")) ?? {});
    expect(exists(pid)).toBe(true);
    end(child);
    await ended;
    return { said, code: child.exitCode, isServerLeft: exists(pid) };
  } finally {
    child.kill("SIGKILL");
    if (pid > 0 && exists(pid)) signalGroup(pid, "SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}

test("Ctrl-C in mid-night ends all that runs, with no word of a fault", async () => {
  const { said, ...ended } = await nightEndedBy((child) => child.kill("SIGINT"));
  expect(said).toContain("stopping: calls in flight may end");
  expect(said).not.toMatch(/Error|could not|^ +at /m);
  expect(ended).toEqual({ code: 1, isServerLeft: false }); // the night is not done
}, 120_000);

test("a reader who goes in mid-night, such as head, leaves no server behind", async () => {
  const { said: _said, ...ended } = await nightEndedBy((child) => child.stderr.destroy());
  expect(ended).toEqual({ code: 1, isServerLeft: false });
}, 120_000);
