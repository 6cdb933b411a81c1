// The modules with which programs read the site. They are published with the site, byte for byte as they stand in client/.
import { readFileSync } from "node:fs";

export const client = {
  code: readFileSync(new URL("../client/almanac.js", import.meta.url)),
  types: readFileSync(new URL("../client/almanac.d.ts", import.meta.url)),
  pull: readFileSync(new URL("../client/almanac-pull.js", import.meta.url)),
} as const;
