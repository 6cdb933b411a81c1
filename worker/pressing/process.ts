// The process that presses for a worker (press-process.ts): one language after the other, with stores of its own.
import { z } from "zod";
import { pressAhead } from "../../publish/press/pressed-ahead.ts";
import type { Publishing } from "../../publish/state/publishing-place.ts";
import { createMirror } from "../../service/pictures/mirror.ts";
import { openStore } from "../../store/kinds.ts";
import type { Log } from "../../vault/log.ts";
import { createVault } from "../../vault/vault.ts";
import { countedStore, type StoreWatch } from "../monitor/counted-store.ts";
import type { PressOrder, PressSettings, SaidByProcess } from "./messages.ts";

let orderedAt = new Date();
const say = (said: SaidByProcess) => process.send?.(said);
const logAs = (level: keyof Log) => (facts: object, message: string) =>
  say({ kind: "log", level, facts: { ...facts }, message });
const now = () => orderedAt;
const watch: StoreWatch = {
  metrics: {
    put: (store, sizeBytes) => say({ kind: "put", store, sizeBytes }),
    storeFailed: (store, doing) => say({ kind: "storeFailed", store, doing }),
  },
  alert: async ({ text, once }) => void say({ kind: "alert", text, once }),
  now,
};
const log: Log = { info: logAs("info"), warn: logAs("warn"), error: logAs("error") };

let publishing: Publishing | undefined;

function publishingOf({
  configuration,
  place,
  s3,
  fingerprint,
  workings,
  isSandbox,
}: PressSettings): Publishing {
  const vault = createVault(countedStore("vault", openStore(place.vault, s3), watch));
  const site = countedStore("site", openStore(place.site, s3), watch);
  const { mirror } = configuration.pictures;
  const pictures = mirror && createMirror({ ...mirror, loopback: isSandbox, store: vault.store, log, now });
  return { configuration, vault, site, pictures, fingerprint, workings, log, now };
}

async function press(order: PressOrder): Promise<void> {
  orderedAt = order.now;
  publishing ??= publishingOf(order.settings);
  await pressAhead(order.input, publishing, (printed, of) => say({ kind: "printed", printed, of }));
}

process.on("message", (message) => {
  press(z.custom<PressOrder>().parse(message)).then(
    () => say({ kind: "done" }),
    (error: unknown) => {
      const { name, message: words } = error instanceof Error ? error : new Error(String(error));
      say({ kind: "failed", name, message: words });
    },
  );
});
// The worker ends it, or dies; what a terminal sends to both is the worker's to heed.
process.on("disconnect", () => process.exit());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
