// Runs one command after another in one process, because nearly all that a command costs is its start. Each is evaluated
// again and finds its own words, environment, folder, streams and exit code.
import { setImmediate as everythingElse } from "node:timers/promises";
import { z } from "zod";
import { serve, type Wish } from "./host.ts";

const wanted = z.object({
  words: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
});

const said = { stdout: "", stderr: "" };
let commands = 0;

process.setMaxListeners(0);
for (const name of ["stdout", "stderr"] as const) {
  process[name].setMaxListeners(0);
  process[name].write = (chunk: string | Uint8Array) => {
    said[name] += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
}

serve(run, async () => undefined);

async function run(wish: Wish): Promise<unknown> {
  const { words, env, cwd } = wanted.parse(wish);
  commands += 1;
  Object.assign(said, { stdout: "", stderr: "" });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(2, Infinity, ...words);
  process.exitCode = undefined;
  await import(`../../scripts/almanac.ts?command=${commands}`);
  await everythingElse(); // pending callbacks would run before a process exits
  return { ...said, code: exitCode() };
}

function exitCode(): number {
  return Number(process.exitCode ?? 0);
}
