// The pictures that are shown where a page is shared, one a sign and the site's; `npm run pictures` draws them.
import { readFileSync } from "node:fs";
import { signs } from "../readings/signs.ts";
import { picturePath } from "./paths.ts";

export const pictures = [undefined, ...signs].map((sign) => {
  const bytes: Uint8Array = readFileSync(new URL(`pictures/${sign ?? "site"}.png`, import.meta.url));
  return { path: picturePath(sign), bytes };
});
