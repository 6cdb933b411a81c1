// From the published state and newly pressed files to the next state: whole parts, what is new, and why.
import { type PressedFile } from "../site/press.ts";
import { type Store } from "../store/store.ts";
import { type FileEntry, type Files } from "./manifest.schema.ts";
import { canonical, type HashedFile, hashed, readPart, type SiteState } from "./site-state.ts";

export interface Change {
  readonly path: string;
  readonly reason: "new" | "changed";
  readonly entry: FileEntry;
  readonly bytes: Uint8Array;
  readonly stage: PressedFile["stage"];
}

export interface Merged {
  readonly parts: Record<string, string>;
  /** The part files that the base does not have. */
  readonly newParts: readonly HashedFile[];
  readonly changes: readonly Change[];
}

/** Paths that were not pressed this time stay as they are: a missing answer never removes a page. */
export async function merge(
  site: Store,
  base: SiteState | undefined,
  pressed: ReadonlyMap<string, readonly PressedFile[]>,
): Promise<Merged> {
  const parts: Record<string, string> = { ...base?.manifest.parts };
  const newParts: HashedFile[] = [];
  const changes: Change[] = [];
  for (const [part, files] of byPart(pressed)) {
    const before = await readPart(site, base?.manifest, part);
    const after: Files = { ...before };
    for (const file of files) {
      const { hash } = hashed(file.bytes);
      const known = before[file.path];
      if (known?.object === hash && known.type === file.type) continue;
      const entry = { object: hash, size: file.bytes.length, type: file.type };
      after[file.path] = entry;
      changes.push({
        path: file.path,
        reason: known === undefined ? "new" : "changed",
        entry,
        bytes: file.bytes,
        stage: file.stage,
      });
    }
    const next = hashed(canonical({ files: after }));
    if (parts[part] === next.hash) continue;
    parts[part] = next.hash;
    newParts.push(next);
  }
  return { parts, newParts, changes };
}

/** `en/current`, `en/2026-11` for what is dated in that month, `shared` for what belongs to no language. */
function byPart(pressed: ReadonlyMap<string, readonly PressedFile[]>): Map<string, PressedFile[]> {
  const parts = new Map<string, PressedFile[]>();
  for (const [owner, files] of pressed) {
    for (const file of files) {
      const part =
        owner === "shared" ? "shared" : `${owner}/${file.stage === "dated" ? monthOf(file.path) : "current"}`;
      const list = parts.get(part) ?? [];
      list.push(file);
      parts.set(part, list);
    }
  }
  return parts;
}

/** The month in a dated path: `2026-11-22` and `2026-11` are in 2026-11, a year counts as its January. */
function monthOf(path: string): string {
  const found = /(?:^|\/)(\d{4})(?:-(\d{2}))?(?:-\d{2})?(?=[/.])/.exec(path);
  return found === null ? "undated" : `${found[1]}-${found[2] ?? "01"}`;
}
