import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { alertKinds } from "../../activities/alert-kinds.ts";
import { alertRules, headingOf, runbooks } from "../../docs/reference/alerts-part.ts";

const folder = fileURLToPath(new URL("../../deploy/monitoring/", import.meta.url));
/** The Grafana units that the dashboard uses. */
const units = z.enum(["short", "s", "reqps", "wps", "Bps", "bytes", "percentunit"]);
const dashboard = z.object({
  editable: z.literal(false),
  templating: z.object({
    list: z.tuple([
      z.object({
        name: z.literal("datasource"),
        label: z.literal("Data source"),
        type: z.literal("datasource"),
        query: z.literal("prometheus"),
      }),
    ]),
  }),
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string().min(1),
      description: z.string().min(1),
      datasource: z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") }),
      fieldConfig: z.object({ defaults: z.object({ unit: units }) }),
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

// The rules of Grafana's dashboard-linter, most of which the shape above checks; promtool parses the queries
// (test/real/rules.test.ts). Four rules are left out on purpose, which want job and instance variables in each query: panels show
// all workers together, and many use recorded series without such labels.
test("the dashboard keeps the linter's rules: rates over $__rate_interval alone, and no counter as it stands", async () => {
  const queries = (await panels()).flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const rates = queries.flatMap((query) => query.match(/\bi?rate\([^)]*\)/g) ?? []);
  expect(rates.length).toBeGreaterThan(8);
  expect(rates.filter((rate) => !rate.endsWith("[$__rate_interval])"))).toEqual([]);
  const counters = queries.flatMap(
    (query) => query.match(/(?:\w+\()?\w+_total\b(?:\{[^}]*\})?(?:\[)?/g) ?? [],
  );
  expect(counters.length).toBeGreaterThan(6);
  expect(counters.filter((counter) => !/^(?:i?rate|increase)\(.*\[$/.test(counter))).toEqual([]);
});

/** Every place that an alert lacks. */
async function lackingPlaces(): Promise<string[]> {
  const textOf = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
  const rules = (await alertRules()).map(({ alert }) => alert);
  const troubles = await Promise.all(
    ["rules", "rules-days"].map((name) => textOf(`test/deploy/${name}.promtool.yaml`)),
  );
  const lacking = rules
    .filter((rule) => !troubles.some((text) => text.includes(`alertname="${rule}"`)))
    .map((rule) => `${rule}: a trouble in test/deploy/rules.promtool.yaml`);
  for (const [kind, { rule }] of Object.entries(alertKinds))
    if (rule !== undefined && !rules.includes(rule))
      lacking.push(`${kind}: ${rule} in deploy/monitoring/rules.yaml`);
  for (const [alert, runbook] of await runbooks()) {
    if (runbook !== undefined && (await headingOf(runbook)) === undefined)
      lacking.push(`${alert}: the heading docs/${runbook}`);
    for (const page of ["docs/monitoring.md", "docs/troubleshooting.md"])
      if (!(await textOf(page)).includes(`\`${alert}\``))
        lacking.push(`${alert}: ${page} (npm run reference)`);
  }
  return lacking;
}

test("each alert has its rule, a trouble that tries the rule, its runbook, and its rows in the documentation", async () => {
  expect((await runbooks()).length).toBeGreaterThan(30);
  expect(await lackingPlaces()).toEqual([]);
});
