// Parses a test's path into its place in the published tree.
import { parsePath } from "../../site/paths.ts";
import type { TreePath } from "../../site/tree.ts";

export function atPath(path: string): TreePath {
  const at = parsePath(path);
  if (at === undefined) throw new Error(`${path} is no path of the published tree`);
  return at;
}
