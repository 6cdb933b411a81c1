// Conditional writes: the vault's store must obey them, because leases, record and decisions rely on them. The site's store need not.
import { kindOf } from "../store/kinds.ts";
import { lacksConditions, noConditions, probe } from "../store/probe.ts";
import type { Store } from "../store/store.ts";
import type { Opening } from "./opened-site.ts";

/** Thrown if the store would let two writers silently overwrite each other's files. */
export class StoreIgnoresConditions extends Error {
  override readonly name = "StoreIgnoresConditions";
}

type Stores = Pick<Opening, "environment" | "location">;

/** Throws if the settings say that the vault's store ignores conditions. */
export function requireObedientVault({ environment, location }: Stores): void {
  if (kindOf(location.vault).conditions(environment.s3) !== "none") return;
  throw new StoreIgnoresConditions(
    `the vault ${location.vault} is in a store that ignores conditional writes (ALMANAC_S3_CONDITIONS=none). Set ALMANAC_VAULT to a folder or to a store that honors them. The site's store need not`,
  );
}

/** Checked when a worker starts. A store that is down or refuses all writes passes: retries wait for it. */
export async function requireConditions({
  environment,
  location,
  vault,
  site,
}: Stores & Pick<Opening, "vault" | "site">): Promise<void> {
  requireObedientVault({ environment, location });
  for (const [address, store] of [[location.vault, vault.store] as const, [location.site, site] as const])
    if (kindOf(address).conditions(environment.s3) === "unproven") await requireProven(address, store);
}

async function requireProven(address: string, store: Store): Promise<void> {
  const probes = await probe(store);
  if (!lacksConditions(probes) || !probes.some(({ name, ok }) => name === "delete" && ok)) return;
  const wrong = probes.find(({ ok, name }) => !ok && name.startsWith("conditional"));
  throw new StoreIgnoresConditions(`cannot write to ${address}: ${wrong?.seen ?? ""}; ${noConditions}`);
}
