// Runs one program after another in one process, because startup is most of a program's cost. Each is evaluated again, has its own
// arguments, folder, streams and exit code, and ends when nothing would keep its process alive.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { z } from "zod";
import { serve, type Wish } from "../../support/host.ts";

const wanted = z.object({ words: z.array(z.string()), cwd: z.string() });

const said = { out: "", err: "" };
let programs = 0;

for (const [stream, name] of [
  ["stdout", "out"],
  ["stderr", "err"],
] as const) {
  process[stream].write = (chunk: string | Uint8Array) => {
    said[name] += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
}

serve(run, async () => undefined);

async function run(wish: Wish): Promise<unknown> {
  const { words, cwd } = wanted.parse(wish);
  const [script = "", ...more] = words;
  const path = join(cwd, script);
  programs += 1;
  Object.assign(said, { out: "", err: "" });
  process.chdir(cwd);
  process.argv.splice(1, Infinity, path, ...more);
  process.exitCode = undefined;
  const over = new Promise((resolve) => void process.once("beforeExit", resolve));
  process.channel?.unref();
  try {
    await import(`${pathToFileURL(path).href}?program=${programs}`);
  } catch (error) {
    process.exitCode = 1;
    said.err += inspect(error);
  }
  await over;
  process.channel?.ref();
  return { ...said, code: exitCode() };
}

function exitCode(): number {
  return Number(process.exitCode ?? 0);
}
