// Prints the hash of a rendered edition: test/site/render.test.ts runs it under other clocks, zones and locales.
import { createHash } from "node:crypto";
import { isLanguage } from "../../readings/tables.ts";
import { renderShared } from "../../site/render.ts";
import { settings, summaryOf, wholeEdition, renderLanguage } from "./editions.ts";

const [language = "", order = ""] = process.argv.slice(2);
if (!isLanguage(language)) throw new Error(`"${language}" is no language`);
const edition = wholeEdition(language);
const sets = order === "reversed" ? edition.sets.toReversed().map(reversed) : edition.sets;
const files = renderLanguage({ ...edition, sets }, settings);
const hash = createHash("sha256");
for (const { path, bytes, type } of [...files, ...renderShared([summaryOf(files, language)], settings)]) {
  hash.update(`${path} ${type} ${bytes.length}\n`).update(bytes);
}
process.stdout.write(hash.digest("hex"));

function reversed<S extends { readonly readings: readonly unknown[] }>(set: S): S {
  return { ...set, readings: set.readings.toReversed() };
}
