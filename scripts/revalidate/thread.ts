// Worker thread of `almanac revalidate`. It opens its own settings and stores, like the command.
import { parentPort, workerData } from "node:worker_threads";
import { revalidate, wishSchema } from "../../insight/revalidate.ts";
import { openSite } from "../../worker/opened-site.ts";
import type { Said } from "./threads.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const say = (said: Said) => parentPort?.postMessage(said);

const { configuration, vault } = await openSite();
const revalidated = await revalidate(wishSchema.parse(workerData), {
  configuration,
  vault,
  onProgress: (progress) => say({ kind: "progress", ...progress }),
});
say({ kind: "done", revalidated });
