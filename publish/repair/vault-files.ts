// Checks files of the vault, each by its name and bytes alone, for `almanac verify --vault` and the scrub. It only reads.
import { inParallel } from "../../store/parallel-calls.ts";
import { type Listed, type Store, StoreFailure } from "../../store/store.ts";
import { faultInFile } from "../../vault/file-faults.ts";
import type { SiteFinding } from "./site-source.ts";

/** Files that are read and held in memory at once. */
const filesAtOnce = 64;

interface VaultVerified {
  readonly files: number;
  readonly sizeBytes: number;
  readonly findings: readonly SiteFinding[];
}

/** Reads the whole vault. A file that the store does not give is a finding too. */
export async function verifyVault(
  vault: Store,
  onProgress: (done: number) => void = () => undefined,
): Promise<VaultVerified> {
  let [files, sizeBytes] = [0, 0];
  const findings: SiteFinding[] = [];
  const read = patientReader(vault);
  for await (const batch of inBatches(vault.list(""), filesAtOnce)) {
    const found = await inParallel(batch, async ({ key }) => findingFrom(key, await read(key)));
    findings.push(...found.filter((one) => one !== undefined));
    files += batch.length;
    for (const listed of batch) sizeBytes += listed.sizeBytes;
    onProgress(files);
  }
  return { files, sizeBytes, findings };
}

/** Undefined for a file that is right, or gone by now. */
export function findingFrom(key: string, look: FileRead | undefined): SiteFinding | undefined {
  if (look === undefined) return undefined;
  const fault = look.kind === "bytes" ? faultInFile(key, look.bytes) : look;
  return (
    fault && { path: key, expected: "the file as it was stored", seen: fault.seen, remedy: fault.remedy }
  );
}

/** After so many files in a row that a store did not give, it is the store that is away. */
const mostUnanswered = 8;

type FileRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "none"; readonly seen: string; readonly remedy: string };

/** Reads on where the store does not give a file, but not where it gives none. */
export function patientReader(store: Store): (key: string) => Promise<FileRead | undefined> {
  let unanswered = 0;
  return async (key) => {
    try {
      const stored = await store.read(key);
      unanswered = 0;
      return stored && { kind: "bytes", bytes: stored.body };
    } catch (error) {
      unanswered += 1;
      if (!(error instanceof StoreFailure) || unanswered > mostUnanswered) throw error;
      return { kind: "none", seen: error.facts.seen, remedy: error.facts.remedy };
    }
  };
}

export async function* inBatches(listed: AsyncIterable<Listed>, size: number): AsyncGenerator<Listed[]> {
  let batch: Listed[] = [];
  for await (const one of listed) {
    batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
