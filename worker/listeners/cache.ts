// What all caches have in common: they are told the parts of the site that changed.
import { foldedParts, partOf } from "../../publish/state/cache-parts.ts";
import type { Listener } from "./listener.ts";

export const toldInParts: Pick<Listener, "itemsOf" | "folded"> = {
  itemsOf: (paths) => foldedParts(paths.flatMap((path) => partOf(path) ?? [])),
  folded: foldedParts,
};
