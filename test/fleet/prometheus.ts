// A real Prometheus with the rules as they are shipped, which looks at the workers of a fleet while a night lasts.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { onPath } from "../support/on-path.ts";
import { createServers } from "./servers.ts";

const rules = fileURLToPath(new URL("../../deploy/monitoring/rules.yaml", import.meta.url));
const answer = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
    ),
  }),
});

export async function createPrometheus(atEnd: AtEnd) {
  const program = onPath("prometheus");
  if (program === undefined) throw new Error("prometheus has to be there: `apt-get install prometheus`");
  const folder = await mkdtemp(join(tmpdir(), "almanac-prometheus-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const targets = join(folder, "targets.json");
  await writeFile(targets, "[]");
  const settings = {
    global: { scrape_interval: "5s", scrape_timeout: "4s", evaluation_interval: "15s" },
    rule_files: [rules],
    scrape_configs: [
      { job_name: "almanac", file_sd_configs: [{ files: [targets], refresh_interval: "5s" }] },
    ],
  };
  await writeFile(join(folder, "prometheus.yaml"), JSON.stringify(settings)); // JSON is YAML
  const [port = 0] = await freePorts([undefined]);
  const words = [
    program,
    `--config.file=${join(folder, "prometheus.yaml")}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const server = createServers(atEnd)({ words, log: join(folder, "log") });

  async function ask(query: string) {
    const asked = new URLSearchParams({ query }).toString();
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${asked}`);
    return answer.parse(await response.json()).data.result;
  }

  await until("Prometheus to answer", () => ask("vector(1)").catch(() => undefined)).catch(
    async (cause: unknown) => {
      throw new Error(`Prometheus does not start:\n${await server.said()}`, { cause });
    },
  );
  return {
    ask,
    look: (addresses: readonly string[]) => writeFile(targets, JSON.stringify([{ targets: addresses }])),
    /** Each alert that has fired, with its labels. */
    async fired(): Promise<string[]> {
      const found = await ask('max_over_time(ALERTS{alertstate="firing"}[2h])');
      const alerts = found.map(({ metric }) => {
        const {
          __name__: _,
          alertname,
          alertstate: _state,
          severity: _severity,
          job: _job,
          ...where
        } = metric;
        return [alertname, ...Object.values(where)].join(" ");
      });
      return alerts.toSorted();
    },
  };
}
