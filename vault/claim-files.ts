// The small files that say who is asking for which request, and the clearing away of those that dead workers left.
// claims.ts takes and gives back its own; a plan sweeps, and needs nothing of Temporal for it.
import { z } from "zod";
import type { Stored } from "../store/store.ts";
import { parseJson, UnreadableFile } from "./json.ts";
import { folders } from "./layout.ts";
import type { Vault } from "./vault.ts";

export interface Claimed {
  /** The activity, not the attempt: after a worker's death the next attempt takes its own claim over at once. */
  readonly owner: string;
  /** When this attempt is over, whatever became of it: from then on the claim is anybody's. */
  readonly expiresAt: Date;
}

/** For one removal. */
const sweepingMs = 60_000;

const claimSchema = z.object({ format: z.literal(1), owner: z.string(), expiresAt: z.iso.datetime() });
type StoredClaim = z.infer<typeof claimSchema>;

/**
 * Takes away what dead workers left whose runs never came back: claims that have ended. Each is taken over first, so that
 * none goes that somebody takes over meanwhile.
 */
export async function sweepClaims(
  by: string,
  { vault: { store }, now }: { readonly vault: Pick<Vault, "store">; readonly now: () => Date },
): Promise<number> {
  let swept = 0;
  for await (const { key: path } of store.list(folders.claims)) {
    const found = await store.read(path);
    if (found === undefined || isHeld(claimIn(path, found), now())) continue;
    const body = claimBody({ owner: by, expiresAt: new Date(now().getTime() + sweepingMs) });
    const when = { kind: "version", version: found.version } as const;
    if ((await store.write(path, body, { type: "application/json" }, when)).kind === "refused") continue;
    await store.remove([path]);
    swept += 1;
  }
  return swept;
}

export function isHeld(claim: StoredClaim | undefined, at: Date): boolean {
  return claim !== undefined && new Date(claim.expiresAt) > at;
}

export function claimBody({ owner, expiresAt }: Claimed): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ format: 1, owner, expiresAt }));
}

/** One that can't be read was damaged: nobody is known to have it. */
export function claimIn(path: string, { body }: Stored): StoredClaim | undefined {
  try {
    return parseJson(path, body, claimSchema);
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}
