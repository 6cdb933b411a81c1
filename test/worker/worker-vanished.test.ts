// Temporal vanishes while a worker starts: some of its parts may be there already, another can no longer be made.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { environmentFor, start } from "../support/cli.ts";
import { spawnSandbox } from "../support/sandbox.ts";
import { startTemporalProxy } from "../support/temporal-proxy.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const sandbox = await spawnSandbox();
const folder = await mkdtemp(join(tmpdir(), "almanac-vanished-"));
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

test("when Temporal is gone by the time that a worker's parts are made, it says so and ends", async () => {
  const address = await startTemporalProxy(temporal.address, "DescribeNamespace", afterAll);
  const child = start(["worker"], {
    cwd: folder,
    env: {
      ...environmentFor(sandbox),
      TEMPORAL_ADDRESS: address,
      ALMANAC_VAULT: pathToFileURL(join(folder, "vault")).href,
      ALMANAC_SITE: pathToFileURL(join(folder, "site")).href,
    },
  });
  const ended = once(child, "exit").then(() => true);
  const [said, printed] = [text(child.stderr), text(child.stdout)];
  const hasEnded = await Promise.race([ended, delay(200_000, false, { ref: false })]);
  child.kill("SIGKILL");
  expect(hasEnded, await said).toBe(true);
  expect(child.exitCode).toBe(1);
  const lines = (await said).split("\n");
  const end = lines.findIndex((line) => line.startsWith("error: Namespace default "));
  expect(lines.slice(end).join(" ").replaceAll(/\s+/g, " ")).toMatch(
    /Connection refused.* next: wait until `almanac check` reaches Temporal, then start it again/,
  );
  // The library's messages meanwhile are ordinary lines of the log, and there are no others.
  const log = lines.slice(0, end).map((line): unknown => JSON.parse(line));
  expect(log).toContainEqual(expect.objectContaining({ level: "warn", sdkComponent: "core" }));
  expect(await printed).toBe("");
});
