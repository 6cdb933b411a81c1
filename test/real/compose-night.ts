// A night of two languages from the sandbox into the stores that the environment names; run where they are.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { spawnSandboxProcess } from "../../packages/sandbox/spawn.ts";
import { environmentFor } from "../support/cli.ts";

const sandbox = await spawnSandboxProcess();
const almanac = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));
const child = spawn(process.execPath, [almanac, "local", "--once", "--languages", "en,hi", "--rate", "50"], {
  env: { ...process.env, ...environmentFor(sandbox) },
  stdio: "inherit",
});
await once(child, "exit");
await sandbox.close();
process.exitCode = child.exitCode ?? 1;
