// Puts per second of a publish, compared with a plain loop that puts the same bytes under the same keys, in paired rounds; and the
// two kinds of store to measure.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { createVault } from "../vault/vault.ts";
import type { Store } from "../store/store.ts";
import { commit } from "../publish/step/commit.ts";
import { withSite } from "../publish/step/site-owner.ts";
import { merge } from "../publish/render/merged-state.ts";
import type { PublishContext } from "../publish/state/publish-context.ts";
import type { RenderedFile } from "../site/edition.ts";
import { openFolder } from "../store/folder.ts";
import { openMemory } from "../test/support/memory.ts";
import { s3ForTests } from "../test/support/s3.ts";
import { bareFolder, bareS3, type BareLoop } from "./bare-puts.ts";
import { counted, type Write } from "./counted-store.ts";

const callsAtOnce = 32; // for both loops

export interface Kind {
  readonly name: string;
  /** Target for a publish, as a fraction of the bare loop's puts per second. */
  readonly aim: number;
  /** Opens a new, empty store. */
  open(): Promise<Store>;
  bare(): Promise<BareLoop>;
}

/** Registers the cleanup of servers and folders with `atEnd`. */
export async function kindsOfStore(atEnd: (end: () => Promise<void>) => void): Promise<readonly Kind[]> {
  const scratch = await mkdtemp(join(tmpdir(), "almanac-bench-"));
  atEnd(() => rm(scratch, { recursive: true, force: true }));
  const s3 = await s3ForTests(atEnd);
  return [
    {
      name: "folder",
      aim: 0.95,
      open: async () => openFolder(await mkdtemp(join(scratch, "site-"))),
      bare: async () => bareFolder(await mkdtemp(join(scratch, "bare-"))),
    },
    { name: "S3", aim: 0.97, open: async () => s3.open(), bare: async () => bareS3(s3) },
  ];
}

const log = { info: () => {}, warn: () => {}, error: () => {} };

export function placeOn(site: Store): PublishContext {
  const now = (): Date => new Date();
  return { site, vault: createVault(openMemory(), "almanac"), now, log, fingerprint: "sha256-bench" };
}

export async function publishOn(place: PublishContext, files: readonly RenderedFile[]): Promise<number> {
  const startedMs = performance.now();
  const by = { run: "bench", asOf: new Date().toISOString() };
  await withSite(place, "measure", (owned) =>
    commit(owned, by, (base, reader) => merge(base?.manifest, files, [], reader)),
  );
  return performance.now() - startedMs;
}

export interface Puts {
  readonly ours: number[];
  readonly bare: number[];
  readonly ratios: number[];
}

export async function putRounds(kind: Kind, files: readonly RenderedFile[], rounds: number): Promise<Puts> {
  const puts: Puts = { ours: [], bare: [], ratios: [] };
  // The first publish records the writes. Together with a plain loop it also compiles the code, most of which both share.
  const { store, written } = counted(await kind.open());
  await publishOn(placeOn(store), files);
  await putBare(kind, written);
  const publish = async (): Promise<number> => publishOn(placeOn(await kind.open()), files);
  for (let round = 0; round < rounds; round += 1) {
    const earlyMs = round % 2 === 0 ? await publish() : undefined;
    const bareMs = await putBare(kind, written);
    const publishedMs = earlyMs ?? (await publish());
    puts.ours.push((written.length * 1000) / publishedMs);
    puts.bare.push((written.length * 1000) / bareMs);
    puts.ratios.push(bareMs / publishedMs);
  }
  return puts;
}

async function putBare(kind: Kind, written: readonly Write[]): Promise<number> {
  const put = await kind.bare();
  const limit = pLimit(callsAtOnce);
  const startedMs = performance.now();
  await limit.map(written, ({ key, body, headers }) => put(key, body, headers));
  return performance.now() - startedMs;
}
