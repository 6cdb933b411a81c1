import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renewedCosts } from "../../bench/costs.ts";
import { renewedMillion } from "../../bench/million.ts";

test("docs/deployment.md says what sites cost by the figures that are measured today: `npm run bench:costs` writes it", () => {
  const page = readFileSync(new URL("../../docs/deployment.md", import.meta.url), "utf8");
  expect(renewedCosts()).toBe(page);
});

test("docs/performance.md says what a million requests a night would take by the figures that are measured today", () => {
  const [path, text] = renewedMillion();
  expect(text).toBe(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
});
