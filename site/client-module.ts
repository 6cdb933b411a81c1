// The module with which programs read the site. It is published with the site, byte for byte as it stands in client/.
import { readFileSync } from "node:fs";

function fileOf(name: string) {
  return readFileSync(new URL(`../client/${name}`, import.meta.url));
}

export const client = { code: fileOf("almanac.js"), types: fileOf("almanac.d.ts") } as const;
