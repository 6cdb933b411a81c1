// Writes the published shapes beside their test, so that a change shows in a review: npm run shapes. It
// prints the marks that CHANGELOG.md is to have, and enters nothing there: what changes for whom is for a person to say.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { schemaOf } from "../../site/data.ts";
import { shapeNames } from "../../site/data.schema.ts";

for (const name of shapeNames) {
  const text = `${JSON.stringify(schemaOf(name), undefined, 2)}\n`;
  writeFileSync(new URL(`shapes/${name}.json`, import.meta.url), text);
  process.stdout.write(`\`${name}\` ${createHash("sha256").update(text).digest("hex").slice(0, 8)}\n`);
}
