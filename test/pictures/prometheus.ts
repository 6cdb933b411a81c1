// A Prometheus (Debian's) that watches workers of this machine by the rules of deploy/monitoring/, with its answers to a
// dashboard's queries.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";

const rules = fileURLToPath(new URL("../../deploy/monitoring/rules.yaml", import.meta.url));
/** A night of minutes is looked at as often as one of hours with the usual fifteen seconds. */
const everySeconds = 2;

const point = z.tuple([z.number(), z.string().transform(Number)]);
const answered = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), values: z.array(point) })),
  }),
});

export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [atSeconds: number, value: number])[];
}

export async function startPrometheus(targets: readonly string[], atEnd: AtEnd) {
  const folder = await mkdtemp(join(tmpdir(), "almanac-prometheus-"));
  const [port] = await freePorts([undefined]);
  const every = `${everySeconds}s`;
  const configuration = {
    global: { scrape_interval: every, evaluation_interval: every },
    rule_files: [rules],
    scrape_configs: [{ job_name: "almanac", static_configs: [{ targets }] }],
  };
  const config = join(folder, "prometheus.yaml"); // JSON is YAML
  await writeFile(config, JSON.stringify(configuration));
  const words = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${folder}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn("prometheus", words, { stdio: "ignore" });
  let missing: unknown;
  child.once("error", (error) => (missing = error));
  const exited = once(child, "exit");
  exited.catch(() => undefined);
  atEnd(async () => {
    if (missing === undefined && child.kill()) await exited;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await until("Prometheus", async () => {
    if (missing !== undefined)
      throw new Error("prometheus has to be there: `apt-get install prometheus`", { cause: missing });
    return fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    /** Query that Grafana would send for a panel with this time range. */
    async range(expression: string, from: number, to: number): Promise<Series[]> {
      const query = expression.replaceAll("$__rate_interval", `${everySeconds * 4}s`);
      const asked = new URLSearchParams({ query, start: `${from}`, end: `${to}`, step: every });
      const answer = await fetch(`${url}/api/v1/query_range?${asked.toString()}`);
      if (!answer.ok) throw new Error(`${expression}: ${await answer.text()}`);
      const { data } = answered.parse(await answer.json());
      return data.result.map(({ metric, values }) => ({ labels: metric, points: values }));
    },
  };
}
