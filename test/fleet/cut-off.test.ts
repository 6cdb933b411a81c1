// A fleet that is stopped leaves nothing behind: no namespace, no bridge, no server.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished, test } from "vitest";
import { z } from "zod";
import { until } from "../support/until.ts";

const began = z.object({ address: z.string(), server: z.int(), endpoint: z.url() });
const program = fileURLToPath(new URL("cut-off-host.ts", import.meta.url));

test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
  "a fleet that is stopped by %s leaves nothing behind",
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), "almanac-cut-off-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const child = spawn(process.execPath, [program, join(folder, "server.log")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line]: unknown[] = await once(createInterface(child.stdout), "line");
    const { address, server, endpoint } = began.parse(JSON.parse(String(line)));
    const bridge = `alm${child.pid}`;
    const left = async () => {
      const { stdout: namespaces } = spawnSync("ip", ["netns", "list"], { encoding: "utf8" });
      const { stdout: links } = spawnSync("ip", ["-brief", "address"], { encoding: "utf8" });
      const isServed = await fetch(endpoint).then(
        () => true,
        () => false,
      );
      return {
        namespace: namespaces.includes(bridge),
        bridge: links.includes(bridge) || links.includes(`${address}/`),
        server: spawnSync("kill", ["-0", String(server)]).status === 0,
        s3: isServed,
      };
    };
    await until("all of it to be there", async () => !Object.values(await left()).includes(false));
    child.kill(signal);
    await once(child, "exit");
    await until("all of it to be gone", async () => !Object.values(await left()).includes(true));
  },
);
