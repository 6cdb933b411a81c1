// `npm run ngrams`: eld's database in the form in which readings/rules/language-detector.ts keeps it.
import { writeFileSync } from "node:fs";
import { z } from "zod";

const eld = new URL("../../node_modules/eld/src/", import.meta.url);
const scores = z.record(z.string(), z.int());
const database = z.object({
  ngramsData: z.object({
    languages: z.record(z.string(), z.string()),
    ngrams: z.record(z.string(), scores),
  }),
});
const signs = z.object({ dictionary: z.array(z.string()) });

/** A line for all groups of bytes with the same scores: language and score, each as a number, then the groups. */
export async function ngramsFile(): Promise<string> {
  const { ngramsData } = database.parse(await import(new URL("ngrams/small.js", eld).href));
  const { dictionary } = signs.parse(await import(new URL("dictionary.js", eld).href));
  const lines = Map.groupBy(Object.keys(ngramsData.ngrams), (group) =>
    Object.entries(ngramsData.ngrams[group] ?? {})
      .flat()
      .join(" "),
  );
  const file = {
    origin:
      "eld 2.1.0, its small database, in another form. Copyright 2023 Nito T.M., Apache License 2.0: ngrams.LICENSE",
    languages: Object.values(ngramsData.languages),
    signs: dictionary.join(""),
    ngrams: Array.from(lines, ([known, groups]) => `${known}\t${groups.join("\t")}`).join("\n"),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(new URL("../../readings/rules/ngrams.json", import.meta.url), await ngramsFile());
}
