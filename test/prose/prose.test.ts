// The prose rules hold in the documentation, in every message of the program and in the English labels (rules.ts).
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { programTexts } from "./messages.ts";
import { countWords, type Hit, hitsIn, type Paragraph, paragraphsOf } from "./prose.ts";
import { exceptions } from "./rules.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = ["*.md", "docs/*.md", "packages/*/README.md"].flatMap((glob) => globSync(glob, { cwd: root }));
const labels = "site/labels/en.json";

const paragraphs: readonly Paragraph[] = [
  ...pages.flatMap((file) => paragraphsOf(file, readFileSync(root + file, "utf8"))),
  ...programTexts().map(({ file, line, text }) => ({ file: `${file}:${line}`, text: withoutValues(text) })),
  ...textsIn(JSON.parse(readFileSync(root + labels, "utf8"))).map((text) => ({ file: labels, text })),
];

/** Values that a template fills in count as one word. */
function withoutValues(text: string): string {
  return text.replaceAll(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|`[^`]*`/g, "Value");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  const inner = z.record(z.string(), z.unknown()).or(z.array(z.unknown())).safeParse(value).data;
  return inner === undefined ? [] : Object.values(inner).flatMap(textsIn);
}

const isException = ({ text }: Hit) => exceptions.some((one) => text.includes(one.text));

test("documentation, messages and English labels follow the prose rules", () => {
  const hits = paragraphs.flatMap(hitsIn).filter((hit) => !isException(hit));
  expect(hits.map(({ file, text, write }) => `${file}: ${write}: ${text}`)).toEqual([]);
});

test("exceptions are used, and fewer than 0.3 per 1,000 words", () => {
  const hits = paragraphs.flatMap(hitsIn);
  expect(exceptions.filter(({ text }) => !hits.some((hit) => hit.text.includes(text)))).toEqual([]);
  const words = paragraphs.reduce((sum, { text }) => sum + countWords(text), 0);
  expect(exceptions.length).toBeLessThan((0.3 * words) / 1000);
});
