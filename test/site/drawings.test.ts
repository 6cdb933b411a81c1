import { expect, test } from "vitest";
import { operationNames, signs } from "../../readings/tables.ts";
import { operationDrawing, starChart } from "../../site/pages/drawings.ts";

test("every operation has its own drawing, and the four horoscopes share one", () => {
  const drawn = operationNames.map((operation) => String(operationDrawing(operation)));
  expect(new Set(drawn).size).toBe(operationNames.length - 3);
});

test("every sign has its own stars, all within their ring", () => {
  const charts = signs.map((sign) => String(starChart(sign)));
  expect(new Set(charts).size).toBe(12);
  for (const chart of charts) {
    const [, stars = ""] = /class="stars" d="([^"]+)"/.exec(chart) ?? [];
    const places = [...stars.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) =>
      Math.hypot(Number(x) - 50, Number(y) - 50),
    );
    expect(places.length).toBeGreaterThan(3);
    expect(Math.max(...places)).toBeLessThan(43);
  }
});
