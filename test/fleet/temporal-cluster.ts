// A Temporal of several processes, one for each of its roles, on a PostgreSQL: for one test or measure.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Connection } from "@temporalio/client";
import { msToTs } from "@temporalio/common/lib/time.js";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { builtTemporal } from "./built-temporal.ts";
import { createServers, type Running } from "./servers.ts";

const roles = ["frontend", "history", "matching", "worker"] as const;
type Role = (typeof roles)[number];
/** Ports for calls, and for gossip among all roles. */
type Ports = Readonly<Record<Role, readonly [number, number]>>;

const databases = { temporal: "temporal", temporal_visibility: "visibility" };
const dynamic = fileURLToPath(new URL("../../deploy/compose/temporal-dynamic.yaml", import.meta.url));

export async function createTemporalCluster(host: string, postgresPort: number, atEnd: AtEnd) {
  const { server, sqlTool, version } = await builtTemporal();
  await Promise.all(
    Object.entries(databases).map(([name, schema]) => createSchema(sqlTool, postgresPort, name, schema)),
  );
  const folder = await mkdtemp(join(tmpdir(), "almanac-cluster-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await copyFile(dynamic, join(folder, "dynamic.yaml"));
  const ports = await portsOfAll();
  const cluster = settings({ host, ports, postgresPort, folder });
  await writeFile(join(folder, "cluster.yaml"), JSON.stringify(cluster)); // JSON is YAML
  const begin = createServers(atEnd);
  const running = new Map<Role, Running>();
  const start = (role: Role) => {
    const words = ["--root", folder, "--config", ".", "--env", "cluster", "--allow-no-auth", "start"];
    running.set(
      role,
      begin({ words: [server, ...words, "--service", role], log: join(folder, `${role}.log`), cwd: folder }),
    );
  };
  for (const role of roles) start(role);
  const address = `${host}:${ports.frontend[0]}`;
  await ready(address).catch(async (cause: unknown) => {
    const said = await Promise.all([...running.values()].map((one) => one.said()));
    throw new Error(
      `Temporal's cluster does not start:\n${said.map((text) => text.slice(-1_500)).join("\n")}`,
      {
        cause,
      },
    );
  });
  return {
    address,
    version,
    start,
    kill: async (role: Role) => void (await running.get(role)?.end("SIGKILL")),
    /** Nothing notifies the caller when a role exits by itself. */
    areRunning: () => [...running.values()].every((one) => one.isRunning()),
    pids: () => [...running.values()].map(({ child }) => child.pid ?? Number.NaN),
  };
}

async function portsOfAll(): Promise<Ports> {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = await freePorts(
    Array.from({ length: 8 }, () => undefined),
  );
  return { frontend: [a, b], history: [c, d], matching: [e, f], worker: [g, h] };
}

async function createSchema(tool: string, port: number, database: string, schema: string): Promise<void> {
  const place = ["--plugin", "postgres12", "--ep", "127.0.0.1", "-p", String(port), "-u", "temporal"];
  const sql = (...words: string[]) => promisify(execFile)(tool, [...place, "--db", database, ...words]);
  await sql("create-database");
  await sql("setup-schema", "-v", "0.0");
  await sql("update-schema", "--schema-name", `postgresql/v12/${schema}`);
}

interface Places {
  readonly host: string;
  readonly ports: Ports;
  readonly postgresPort: number;
  readonly folder: string;
}

function settings({ host, ports, postgresPort, folder }: Places) {
  const store = (databaseName: string) => ({
    sql: {
      pluginName: "postgres12",
      databaseName,
      connectAddr: `127.0.0.1:${postgresPort}`,
      connectProtocol: "tcp",
      user: "temporal",
      password: "temporal",
      maxConns: 20,
      maxIdleConns: 20,
      maxConnLifetime: "1h",
    },
  });
  const service = (role: Role) => {
    const [grpcPort, membershipPort] = ports[role];
    return { rpc: { grpcPort, membershipPort, bindOnIP: host } };
  };
  return {
    log: { stdout: true, level: "warn" },
    persistence: {
      defaultStore: "default",
      visibilityStore: "visibility",
      numHistoryShards: 4,
      datastores: { default: store("temporal"), visibility: store("temporal_visibility") },
    },
    global: { membership: { maxJoinDuration: "30s", broadcastAddress: host } },
    services: Object.fromEntries(roles.map((role) => [role, service(role)])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: "active",
      currentClusterName: "active",
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: "frontend",
          rpcAddress: `${host}:${ports.frontend[0]}`,
        },
      },
    },
    publicClient: { hostPort: `${host}:${ports.frontend[0]}` },
    dynamicConfigClient: { filepath: join(folder, "dynamic.yaml"), pollInterval: "10s" },
  };
}

/** The cluster is ready when its namespace is there, and known to all roles. */
async function ready(address: string): Promise<void> {
  const namespace = "default";
  await until(
    "Temporal's frontend to make a namespace",
    async () => {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 }).catch(() => undefined);
      if (connection === undefined) return false;
      const { workflowService } = connection;
      const workflowExecutionRetentionPeriod = msToTs("1 day");
      try {
        await workflowService
          .registerNamespace({ namespace, workflowExecutionRetentionPeriod })
          .catch(() => undefined);
        await workflowService.listWorkflowExecutions({ namespace });
        return true;
      } catch {
        return false;
      } finally {
        await connection.close();
      }
    },
    90_000,
  );
}
