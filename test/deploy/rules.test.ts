import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

const folder = fileURLToPath(new URL("../../deploy/monitoring/", import.meta.url));
const dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string().min(1),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1) })).min(1),
    }),
  ),
});

async function panels() {
  return dashboard.parse(JSON.parse(await readFile(join(folder, "dashboard.json"), "utf8"))).panels;
}

test("no two panels of the dashboard share a place or a number", async () => {
  const all = await panels();
  const cells = all.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...all.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test("each alert says what it is about and what to do next", async () => {
  const alerts = (await readFile(join(folder, "rules.yaml"), "utf8")).split("- alert: ").slice(1);
  expect(alerts.length).toBeGreaterThan(5);
  for (const alert of alerts)
    expect(alert).toMatch(/severity: (?:page|ticket)[\s\S]+ summary: [\s\S]+ next: \S/);
});
