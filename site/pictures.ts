// The pictures that are shown where a page is shared, one a sign and the site's; `npm run pictures` draws them.
import { readFileSync } from "node:fs";
import { signs } from "../readings/signs.ts";
import type { TreePath } from "./tree.ts";

export const pictures = [undefined, ...signs].map((sign) => {
  const bytes: Uint8Array = readFileSync(new URL(`pictures/${sign ?? "site"}.png`, import.meta.url));
  const at: TreePath = sign === undefined ? { row: "sitePicture" } : { row: "signPicture", sign };
  return { at, bytes };
});
