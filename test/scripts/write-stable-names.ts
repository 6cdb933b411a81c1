// Records the names that docs/versions.md promises to keep: `npm run names`, with a release and at no other time.
import { writeFileSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import { commands } from "../../scripts/commands.ts";
import { stableNames } from "../../scripts/upgrade.ts";

const names = { ...(await stableNames(commands)), imports: Object.keys(packageJson.exports) };
writeFileSync(
  new URL("stable-names.json", import.meta.url),
  `${JSON.stringify({ version: packageJson.version, names }, undefined, 2)}\n`,
);
