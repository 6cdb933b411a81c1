// This process's access to the leases in the vault.
import { hostname } from "node:os";
import { lockFolderOf, openStore } from "../store/kinds.ts";
import { Leases } from "../store/lease.ts";
import { clockAt } from "../store/clock.ts";
import { leaseLimits } from "../store/lease-file.ts";
import type { LeaseLog } from "../store/held-lease.ts";
import type { Opening } from "./opened-site.ts";

export function openLeases(
  { environment, location }: Pick<Opening, "environment" | "location">,
  log: LeaseLog,
): Leases {
  return new Leases({
    store: openStore(location.vault, { ...environment.s3, isPrivate: true, limits: leaseLimits }),
    lockFolder: lockFolderOf(location.vault),
    where: `${process.pid}@${hostname()}`,
    log,
    clock: clockAt(environment.testClockSpeed),
  });
}
