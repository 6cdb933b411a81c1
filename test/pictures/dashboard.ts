// `npm run pictures:dashboard`: a night on the sandbox, scraped by Prometheus and drawn as the panels of
// deploy/monitoring/dashboard.json, into docs/images/dashboard.webp. Two workers, four languages, slow responses and some failures;
// about four minutes. It needs Prometheus (`apt-get install prometheus`).
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { freePorts } from "../../worker/temporal/ports.ts";
import { launchBrowser } from "../support/chromium.ts";
import { type AtEnd, withEnds } from "../support/ends.ts";
import { countsIn, createWorld } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { dashboardPage, pageWidth, type Panel } from "./dashboard-panels.ts";
import { startPrometheus } from "./prometheus.ts";

const own = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const dashboardShape = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      type: z.enum(["bargauge", "stat", "timeseries"]),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      fieldConfig: z.object({
        defaults: z.object({
          unit: z.string(),
          custom: z.object({ stacking: z.object({ mode: z.string() }) }).optional(),
        }),
      }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
    }),
  ),
});
const { panels } = dashboardShape.parse(
  JSON.parse(readFileSync(own("deploy/monitoring/dashboard.json"), "utf8")),
);

await withEnds(async (atEnd) => {
  const { prometheus, from, to } = await night(atEnd);
  const drawn = panels.map(async ({ title, type, gridPos, fieldConfig, targets }): Promise<Panel> => {
    const { unit, custom } = fieldConfig.defaults;
    const answers = targets.map(async ({ expr, legendFormat }) => {
      const found = await prometheus.range(expr, from, to);
      return found.map((series) => ({ ...series, name: named(legendFormat, series.labels) }));
    });
    const series = (await Promise.all(answers)).flat();
    return { title, type, unit, isStacked: custom?.stacking.mode === "normal", place: gridPos, series };
  });
  const html = dashboardPage(await Promise.all(drawn), from, to);
  const browser = await launchBrowser();
  atEnd(() => browser.close());
  const page = await browser.newPage({ viewport: { width: pageWidth, height: 900 } });
  await page.setContent(html);
  const size = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.setViewportSize({ width: pageWidth, height: size });
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  writeFileSync(own("docs/images/dashboard.webp"), Buffer.from(data, "base64"));
  console.log("docs/images/dashboard.webp");
});

async function night(atEnd: AtEnd) {
  const all = <Figure>(figure: Figure) => ({ english: figure, translator: figure, legacy: figure });
  const temporal = await sharedTemporal();
  const world = await createWorld(
    temporal,
    {
      languages: ["en", "hi", "de", "ar"],
      service: {
        ratePerSecond: all(6),
        concurrency: all(24),
        answerTimeoutSeconds: all(10),
        callsPerDay: 2_000,
      },
    },
    atEnd,
  );
  await world.sandbox.latency({ english: { fixedMs: 400 }, translator: { fixedMs: 2_500 } });
  await world.sandbox.faults([
    { match: { language: "hi" }, fault: "http500", times: 4 },
    { match: { operation: "daily-tarot" }, fault: "empty", times: 6 },
    { match: { operation: "daily-horoscope", language: "de" }, fault: "http429", times: 4, retryAfter: 2 },
  ]);
  const ports = await freePorts([undefined, undefined]);
  for (const port of ports) {
    world.env["ALMANAC_MONITOR_ADDRESS"] = `${port}`;
    await world.worker();
  }
  const prometheus = await startPrometheus(
    ports.map((port) => `127.0.0.1:${port}`),
    atEnd,
  );
  const from = Date.now() / 1000;
  await delay(6_000);
  const run = await world.nightly();
  const ended = await run.result();
  console.log(`${ended.state}: ${JSON.stringify(countsIn(ended))}`);
  await delay(15_000); // shows the end too
  return { prometheus, from, to: Date.now() / 1000 };
}

/** Fills Grafana's `{{language}}` with that label. A test's site has a random id; here it is `stars`. */
function named(format: string, labels: Readonly<Record<string, string>>): string {
  return format
    .replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => (label === "site" ? "stars" : (labels[label] ?? "")))
    .trim();
}
