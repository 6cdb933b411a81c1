// The paths of a published state, each group of them read once.
import { groupOf } from "./parts.ts";
import type { PublishedSite } from "./published-files.ts";

export interface BasePaths {
  has(path: string): Promise<boolean>;
  inGroup(group: string): Promise<string[]>;
}

export function basePaths({ manifest, reader }: PublishedSite): BasePaths {
  const groups = new Map<string, Promise<Set<string>>>();
  const pathsIn = (group: string): Promise<Set<string>> => {
    const known =
      groups.get(group) ?? reader.files(manifest, group).then((files) => new Set(Object.keys(files)));
    groups.set(group, known);
    return known;
  };
  return {
    has: async (path) => (await pathsIn(groupOf(path))).has(path),
    inGroup: async (group) => [...(await pathsIn(group))],
  };
}
