// The paths of a published state, each group of them read once.
import type { PublishedSite } from "./published-files.ts";
import { groupOf } from "./parts.ts";

export interface BasePaths {
  has(path: string): Promise<boolean>;
  /** Those of these paths that are there. */
  present(paths: Iterable<string>): Promise<string[]>;
  inGroup(group: string): Promise<string[]>;
}

export function basePaths({ manifest, reader }: PublishedSite): BasePaths {
  const groups = new Map<string, ReturnType<typeof reader.files>>();
  const filesIn = (group: string) => {
    const known = groups.get(group) ?? reader.files(manifest, group);
    groups.set(group, known);
    return known;
  };
  const has = async (path: string) => Object.hasOwn(await filesIn(groupOf(path)), path);
  return {
    has,
    async present(paths) {
      const there: string[] = [];
      for (const path of paths) if (await has(path)) there.push(path);
      return there;
    },
    inGroup: async (group) => Object.keys(await filesIn(group)),
  };
}
