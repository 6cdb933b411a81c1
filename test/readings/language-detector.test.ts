import { readFileSync } from "node:fs";
import { eld } from "eld/small";
import { expect, it } from "vitest";
import { detectLanguage } from "../../readings/rules/language-detector.ts";
import { languageNames } from "../../readings/tables.ts";
import { heldOutProse, sandboxProse } from "../support/prose.ts";
import { ngramsFile } from "./write-ngrams.ts";

const prose = languageNames.flatMap((name) => [...sandboxProse(name), ...heldOutProse(name)]);
/** Excerpts that a rule reports, and longer ones than a rule reads. */
const pieces = prose.flatMap((text) => [text.slice(0, 160), text.slice(-170), text.slice(0, 1000)]);
const mixed = prose.map((text, index) => {
  const between = ["", " ", "'", "’s ", " 😀 ", "\u{20000}", " 12-3 ", "\u0307"][index % 8] ?? "";
  return text.slice(0, index % 90) + between + (prose[(index * 31) % prose.length] ?? "").slice(0, 80);
});
const odd = ["", " ", "'", "’", "x", "a b c", "İÇİN", "ﬁﬂ", "don't", "a".repeat(80), "字".repeat(200)];

it("agrees with eld on every text, with the same scores", () => {
  const different = [...pieces, ...mixed, ...odd].filter((given) => {
    const text = given.toWellFormed();
    const theirs = eld.detect(text);
    const ours = detectLanguage(text);
    const scores = theirs.getScores();
    const isSame = Object.keys(scores).length === Object.keys(ours.scores).length;
    const agrees = Object.entries(scores).every(([name, score]) => ours.scores[name] === score);
    return !isSame || !agrees || theirs.language !== ours.language;
  });
  expect(different).toEqual([]);
  expect(pieces.length).toBeGreaterThan(3_000);
});

it("has eld's current database: npm run ngrams", async () => {
  const file = readFileSync(new URL("../../readings/rules/ngrams.json", import.meta.url), "utf8");
  expect(file === (await ngramsFile())).toBe(true);
});
