// How much room a store has that is a folder of this machine: its file system can run out of bytes, or of inodes, of which each
// published file takes one.
import { statfs } from "node:fs/promises";
import type { MetricMeter } from "@temporalio/common";
import { gaugesOn } from "../../activities/metrics.ts";
import type { Log } from "../../vault/log.ts";
import type { SiteLocation } from "../settings/location.ts";
import { placeOnMachine } from "../settings/place-on-machine.ts";

export function createRoomLook(
  place: Pick<SiteLocation, "vault" | "site">,
  meter: MetricMeter,
  log: Log,
): () => Promise<void> {
  const free = gaugesOn(meter)(
    "almanac_store_free_ratio",
    "The free part of a folder store's file system, in bytes and in inodes",
  );
  const folders = (["vault", "site"] as const).flatMap((store) => {
    const folder = placeOnMachine(place[store])?.folder;
    return folder === undefined ? [] : [{ store, folder }];
  });
  return async () => {
    for (const { store, folder } of folders) {
      try {
        const { bavail, blocks, ffree, files } = await statfs(folder);
        if (blocks > 0) free.set(bavail / blocks, { store, of: "bytes" });
        if (files > 0) free.set(ffree / files, { store, of: "inodes" }); // some file systems count none
      } catch (error) {
        log.warn({ store }, `the free room of the ${store} could not be read: ${String(error)}`);
      }
    }
  };
}
