// What kind of file a path is: a changed template changes thousands of files of few kinds.
import { parsePath } from "../site/paths.ts";
import { tree } from "../site/tree.ts";

/** Such as `{lang}/daily/{sign}/{key}/index.html`. */
export function kindOfPath(path: string): string {
  const at = parsePath(path);
  if (at === undefined) return path;
  const kind = tree[at.row].path.replace("{language}", "{lang}");
  return "kind" in at
    ? kind.replace("{kind}", at.kind)
    : "operation" in at
      ? kind.replace("{operation}", at.operation)
      : kind;
}
