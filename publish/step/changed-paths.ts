// In which paths two states differ, and how. A night changes ten thousands: they are computed on demand.
import type { Manifest } from "../state/manifest.schema.ts";
import { groupsIn, type PartReader, sameGroup } from "../state/parts.ts";

type Parts = Pick<Manifest, "parts">;

/** A path in which two states differ, with the reason. */
export interface PathChange {
  readonly path: string;
  readonly reason: "new" | "changed" | "gone";
}

/** The states before and after a step. */
export interface SiteStep {
  readonly before: Parts | undefined;
  readonly after: Parts;
  /** In how many paths they differ. */
  readonly changed: number;
}

/** The changes of a step; none if nothing was published. */
export async function changesOf({
  step,
  reader,
}: {
  readonly step: SiteStep | undefined;
  readonly reader: PartReader;
}): Promise<PathChange[]> {
  return step === undefined ? [] : changesBetween(reader, step.before, step.after);
}

/** A line for each path in which two states differ. */
export async function changesBetween(
  reader: PartReader,
  before: Parts | undefined,
  after: Parts,
): Promise<PathChange[]> {
  const changes: PathChange[] = [];
  for (const [group, paths] of await differing(reader, before, after)) {
    const [had, has] = [await reader.files(before, group), await reader.files(after, group)];
    for (const path of paths) {
      const reason = had[path] === undefined ? "new" : has[path] === undefined ? "gone" : "changed";
      changes.push({ path, reason });
    }
  }
  return changes;
}

/** The paths in which two states differ, by their groups. Only parts that changed are read. */
export async function differing(
  reader: PartReader,
  before: Parts | undefined,
  after: Parts | undefined,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const groups = new Set([before, after].flatMap(groupsIn));
  for (const group of groups) {
    if (before !== undefined && after !== undefined && sameGroup(before, after, group)) continue;
    const [had, has] = [await reader.files(before, group), await reader.files(after, group)];
    const paths = [...new Set([...Object.keys(had), ...Object.keys(has)])].filter((path) => {
      const [one, other] = [had[path], has[path]];
      return one?.object !== other?.object || one?.type !== other?.type;
    });
    if (paths.length > 0) found.set(group, paths);
  }
  return found;
}
