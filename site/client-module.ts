// The modules with which programs and pages read the site. They are published with it, byte for byte as they stand in client/.
import { readFileSync } from "node:fs";

export const client = {
  code: readFileSync(new URL("../client/almanac.js", import.meta.url)),
  types: readFileSync(new URL("../client/almanac.d.ts", import.meta.url)),
  element: readFileSync(new URL("../client/almanac-reading.min.js", import.meta.url)),
  elementTypes: readFileSync(new URL("../client/almanac-reading.d.ts", import.meta.url)),
  pull: readFileSync(new URL("../client/almanac-pull.js", import.meta.url)),
} as const;
