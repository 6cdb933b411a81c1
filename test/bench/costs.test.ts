import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renewedCosts } from "../../bench/costs.ts";
import { renewedMillion } from "../../bench/million.ts";

test("docs/deployment.md shows the costs of sites by the latest measurements: `npm run bench:costs` updates it", () => {
  const page = readFileSync(new URL("../../docs/deployment.md", import.meta.url), "utf8");
  expect(renewedCosts()).toBe(page);
});

test("docs/performance.md shows the costs of a million requests per night by the latest measurements", () => {
  const [path, text] = renewedMillion();
  expect(text).toBe(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
});
