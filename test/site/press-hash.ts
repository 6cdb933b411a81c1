// Prints the hash of a pressed edition: test/site/press.test.ts runs it under other clocks, zones and locales.
import { createHash } from "node:crypto";
import { isLanguage } from "../../readings/languages.ts";
import { pressLanguage, pressShared } from "../../site/press.ts";
import { settings, summaryOf, wholeEdition } from "./editions.ts";

const [language = "", order = ""] = process.argv.slice(2);
if (!isLanguage(language)) throw new Error(`"${language}" is no language`);
const edition = wholeEdition(language);
const sheets = order === "reversed" ? edition.sheets.toReversed().map(reversed) : edition.sheets;
const files = pressLanguage({ ...edition, sheets }, settings);
const hash = createHash("sha256");
for (const { path, bytes, type } of [...files, ...pressShared([summaryOf(files, language)], settings)]) {
  hash.update(`${path} ${type} ${bytes.length}\n`).update(bytes);
}
process.stdout.write(hash.digest("hex"));

function reversed<S extends { readonly readings: readonly unknown[] }>(sheet: S): S {
  return { ...sheet, readings: sheet.readings.toReversed() };
}
