// A fleet for one test: a Temporal of several processes on PostgreSQL, an S3 server, the sandbox behind TLS, a Prometheus, and
// workers on separate hosts with different clocks. Everything ends with the test.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { createVault } from "../../vault/vault.ts";
import type { AtEnd } from "../support/ends.ts";
import { almanac, entry, environmentFor } from "../support/cli.ts";
import { until } from "../support/night.ts";
import { zonesAtNoon } from "../support/noon.ts";
import { s3ForTests } from "../support/s3.ts";
import { spawnSandbox } from "../support/sandbox.ts";
import { sendsOf } from "../support/sends.ts";
import { clockApart } from "./clocks.ts";
import { createNetwork, type Host } from "./hosts.ts";
import { createPostgres } from "./postgres.ts";
import { createPrometheus } from "./prometheus.ts";
import { reached, reachedByTls } from "./reached.ts";
import { createServers } from "./servers.ts";
import { createTemporalCluster } from "./temporal-cluster.ts";

export type Fleet = Awaited<ReturnType<typeof createFleet>>;
export type FleetWorker = Awaited<ReturnType<Fleet["worker"]>>;

const id = "fleet";
const port = 9464;
/** Timeout for tasks of a few seconds, because other programs may use the machine too. */
export const patienceMs = 180_000;

export interface WorkerStart {
  readonly host: Host;
  /** Offset of the host's clock. */
  readonly clockSeconds: number;
  readonly buildId: string;
  readonly configuration: ConfigurationInput;
  /** The command of another checkout. */
  readonly program?: string;
}

export async function createFleet(atEnd: AtEnd) {
  const folder = await mkdtemp(join(tmpdir(), "almanac-fleet-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const network = await createNetwork(atEnd);
  const postgres = await createPostgres(atEnd);
  const cluster = await createTemporalCluster(network.address, postgres.port, atEnd);
  const s3 = await s3ForTests(atEnd);
  const sandbox = await spawnSandbox();
  atEnd(sandbox.close);
  const prometheus = await createPrometheus(atEnd);
  const service = await reachedByTls(sandbox.origin, network.address, folder, atEnd);
  const connection = await Connection.connect({ address: cluster.address });
  atEnd(() => connection.close());
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "",
    ...environmentFor(sandbox),
    ...s3.variables,
    AWS_ENDPOINT_URL_S3: await reached(s3.endpoint, network.address, atEnd),
    TEMPORAL_ADDRESS: cluster.address,
    NODE_EXTRA_CA_CERTS: service.certificate,
    ALMANAC_VAULT: `s3://${s3.bucket}/vault`,
    ALMANAC_SITE: `s3://${s3.bucket}/site`,
    // Each call is recorded when it leaves.
    NODE_OPTIONS: `--import=${new URL("../support/record-sends.ts", import.meta.url).href}`,
    ALMANAC_TEST_SENDS: join(folder, "sends"),
  };
  for (const [name, value] of Object.entries(env))
    if (name.startsWith("READING_SERVICE")) env[name] = value.replace(sandbox.origin, service.origin);
  const begin = createServers(atEnd);
  let workers = 0;
  const instances = new Set<string>();

  const zones = zonesAtNoon(); // same zones on all workers, even if an hour ends meanwhile
  async function configured(configuration: ConfigurationInput): Promise<string> {
    const rate = configuration.service?.ratePerSecond?.translator;
    const path = join(folder, `almanac-at-${rate}.config.ts`);
    const whole = { ...configuration, zones, site: { id } };
    await writeFile(path, `export default ${JSON.stringify(whole)};\n`);
    return path;
  }

  return {
    id,
    folder,
    host: () => network.host(),
    postgres,
    cluster,
    sandbox,
    prometheus,
    env,
    client: new Client({ connection }),
    vault: createVault(s3.open({ prefix: "vault" }), id),
    /** Starts a worker, and waits until it works. */
    async worker(start: WorkerStart) {
      const { host, clockSeconds, buildId, configuration, program = entry } = start;
      workers += 1;
      const log = join(folder, `worker-${workers}.log`);
      const its = {
        ...env,
        ...clockApart(clockSeconds),
        ALMANAC_CONFIG: await configured(configuration),
        TEMPORAL_WORKER_BUILD_ID: buildId,
        ALMANAC_MONITOR_ADDRESS: `${host.address}:${port}`,
      };
      const words = [...host.within, process.execPath, program, "worker"];
      const running = begin({ words, log, cwd: folder, env: its });
      await until(
        "a worker to work",
        async () => {
          const said = await running.said();
          if (!running.isRunning()) throw new Error(`a worker ended before it worked:\n${said}`);
          return said.includes("worker started");
        },
        patienceMs,
      );
      const instance = `${host.address}:${port}`;
      instances.add(instance);
      await prometheus.look([...instances]);
      return { ...running, start, host, instance };
    },
    /** A command of the operator's. */
    command: async (configuration: ConfigurationInput, ...words: string[]) =>
      almanac(words, {
        env: { ...env, NODE_OPTIONS: "", ALMANAC_CONFIG: await configured(configuration) },
        cwd: folder,
        ownProcess: true,
      }),
    /** Send times of the calls, in milliseconds of the machine's own clock, in order. */
    sends: () => sendsOf({ folder }).catch((): number[] => []),
  };
}
