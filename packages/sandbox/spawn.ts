// Starts the sandbox as a separate process and waits until it listens. It ends with `close`, or when its parent process ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const place = z.object({
  origin: z.url(),
  endpoints: z.object({ english: z.url(), translator: z.url(), legacy: z.url() }),
  token: z.string(),
  apiKey: z.string(),
});

export type SpawnedPlace = z.infer<typeof place> & {
  readonly pid: number | undefined;
  readonly close: () => Promise<void>;
};

export async function spawnSandboxProcess(flags: readonly string[] = []): Promise<SpawnedPlace> {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  // A separate session: the terminal's Ctrl-C reaches only the parent, which closes the sandbox after draining.
  const child = spawn(process.execPath, [main, "--with-parent", ...flags], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), ended.then(() => undefined)]);
  if (first === undefined)
    throw new Error(`the sandbox did not start: its process exited with code ${child.exitCode}`);
  const where = place.parse(JSON.parse(String(first[0])));
  return {
    ...where,
    pid: child.pid,
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
