// A worker in the process that this one's tests share for theirs (worker-host.ts): for a test that kills none.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const hostPath = fileURLToPath(new URL("worker-host.ts", import.meta.url));
const answer = z.object({ id: z.number(), error: z.string().optional() });

interface Host {
  readonly child: ChildProcess;
  readonly waiting: Map<number, (error: string | undefined) => void>;
}

let host: Host | undefined;
let workers = 0;

/** Polls when this resolves; done when what it gives has resolved. */
export async function startSharedWorker(
  env: Record<string, string>,
  folder: string,
): Promise<() => Promise<void>> {
  const id = (workers += 1);
  const asked = (host ??= startHost());
  await ask(asked, { kind: "start", id, env, folder });
  return () => ask(asked, { kind: "stop", id });
}

async function ask({ child, waiting }: Host, wish: { kind: string; id: number; [more: string]: unknown }) {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  waiting.set(wish.id, resolve);
  child.send(wish);
  const error = await promise;
  if (error !== undefined) throw new Error(`the shared worker did not ${wish.kind}: ${error}`);
}

/** It ends with this process. */
function startHost(): Host {
  const child = fork(hostPath, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const waiting: Host["waiting"] = new Map();
  child.on("message", (message) => {
    const { id, error } = answer.parse(message);
    waiting.get(id)?.(error);
    waiting.delete(id);
  });
  child.once("exit", () => {
    host = undefined;
    for (const resolve of waiting.values()) resolve("its process has ended");
  });
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}
