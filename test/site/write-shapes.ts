// `npm run shapes`: records the published shapes next to their test, so that a change shows in a review. If a shape has changed, it
// raises the version of the contract, which OpenAPI names, by a minor number: an old reader must still read the new shape.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import contract from "../../site/contract.json" with { type: "json" };
import { schemaOf } from "../../site/data.ts";
import { shapeNames } from "../../site/data.schema.ts";

const changed = shapeNames.filter((name) => {
  const file = new URL(`shapes/${name}.json`, import.meta.url);
  const text = `${JSON.stringify(schemaOf(name), undefined, 2)}\n`;
  if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
  writeFileSync(file, text);
  return true;
});

if (changed.length === 0) {
  process.stdout.write("no published shape has changed\n");
} else {
  const [major = 1, minor = 0] = contract.version.split(".").map(Number);
  const version = `${major}.${minor + 1}.0`;
  writeFileSync(new URL("../../site/contract.json", import.meta.url), `{ "version": "${version}" }\n`);
  process.stdout.write(
    `changed: ${changed.join(", ")}. Describe the change in CHANGELOG.md, with the words "contract ${version}".\n`,
  );
}
