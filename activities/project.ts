// The stable paths, written from the manifest: dated files first, then the latest ones, front pages last. The vault
// notes which manifest they show, so that whoever publishes next finishes what a dead publisher left.
import pLimit from "p-limit";
import { z } from "zod";
import { always, type Store } from "../store/store.ts";
import { type PressedFile } from "../site/press.ts";
import { type Dependencies } from "./dependencies.ts";
import { projectedHeaders } from "./headers.ts";
import { type FileEntry, type Files, type Manifest, manifestSchema } from "./manifest.schema.ts";
import { type Change } from "./merge.ts";
import { manifestPath, objectPath, readPart } from "./site-state.ts";
import { writesAtOnce } from "./swap.ts";
import { readJson, UnreadableFile, writeJson } from "./vault.ts";

const projectedKey = "site/projected.json";
const projectedSchema = z.object({ format: z.literal(1), manifest: z.string() });

export async function project(
  dependencies: Dependencies,
  hash: string,
  manifest: Manifest,
  changes: readonly Change[],
): Promise<void> {
  const { vault, site } = dependencies;
  const shown = (await readJson(vault.store, projectedKey, projectedSchema))?.manifest;
  if (shown === hash) return;
  const before = shown === undefined ? undefined : await readJson(site, manifestPath(shown), manifestSchema);
  const different = await difference(site, before, manifest);
  const inHand = new Map(changes.map((change) => [change.entry.object, change.bytes]));
  const limit = pLimit(writesAtOnce);
  for (const stage of ["dated", "latest", "front"] as const) {
    const paths = different.filter(({ path }) => stageOf(path) === stage);
    await Promise.all(
      paths.map(({ path, entry }) =>
        limit(async () => {
          const bytes = inHand.get(entry.object) ?? (await objectBytes(site, entry, path));
          await site.write(path, bytes, projectedHeaders(entry.type, stage === "dated"), always);
        }),
      ),
    );
  }
  await writeJson(vault.store, projectedKey, { format: 1, manifest: hash }, always);
}

interface Different {
  readonly path: string;
  readonly entry: FileEntry;
}

/** What the stable paths must show otherwise than they do; only parts that changed are read. */
async function difference(site: Store, before: Manifest | undefined, after: Manifest): Promise<Different[]> {
  const different: Different[] = [];
  for (const [part, hash] of Object.entries(after.parts)) {
    if (before?.parts[part] === hash) continue;
    const shown: Files = before === undefined ? {} : await readPart(site, before, part);
    for (const [path, entry] of Object.entries(await readPart(site, after, part))) {
      if (shown[path]?.object !== entry.object) different.push({ path, entry });
    }
  }
  return different;
}

async function objectBytes(site: Store, { object }: FileEntry, path: string): Promise<Uint8Array> {
  const stored = await site.read(objectPath(object, path));
  if (stored !== undefined) return stored.body;
  throw new UnreadableFile(`the manifest names ${objectPath(object, path)} for ${path}, which is not there`);
}

/** Indexes and front pages link to everything else, so they come last. */
function stageOf(path: string): PressedFile["stage"] {
  if (/\/\d{4}(-\d{2}){0,2}(\/|\.)/.test(path)) return "dated";
  const front =
    /^[^/]*$|^[a-z]{2,3}\/(?:love-compatibility\/)?index\.html$|^v1\/(?:[a-z]{2,3}\/)?[a-z]+\.json$|feed\.(?:json|xml)$/;
  return front.test(path) ? "front" : "latest";
}
