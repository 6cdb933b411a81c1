// A worker in the process that this one's tests share for theirs (worker-host.ts): for a test that kills none.
import { fileURLToPath } from "node:url";
import { hosted } from "./host.ts";

const ask = hosted(fileURLToPath(new URL("worker-host.ts", import.meta.url)), "ignore");
let workers = 0;

/** Polls when this resolves; done when what it gives has resolved. */
export async function startSharedWorker(
  env: Record<string, string>,
  folder: string,
): Promise<() => Promise<unknown>> {
  const id = (workers += 1);
  await ask({ kind: "start", id, env, folder });
  return () => ask({ kind: "stop", id });
}
