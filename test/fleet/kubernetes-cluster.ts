// The parts of Kubernetes that validate manifests, on this machine: etcd, an API server with its admission, and the controllers.
// There is no kubelet: pods are created but never run, unless a test reports them as running.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { certificate } from "../support/self-signed.ts";
import { builtKubernetes } from "./built-kubernetes.ts";
import { createServers, type Running } from "./servers.ts";

/** Controllers that create pods, count the evictable ones, and remove dependents of deleted objects. */
const controllers = [
  "cronjob-controller",
  "deployment-controller",
  "disruption-controller",
  "garbage-collector-controller",
  "job-controller",
  "replicaset-controller",
  "serviceaccount-controller",
];
const token = "operator-of-tests";
const startMs = 120_000;

export type Cluster = Awaited<ReturnType<typeof createCluster>>;

export async function createCluster(atEnd: AtEnd) {
  const built = await builtKubernetes();
  const folder = await mkdtemp(join(tmpdir(), "almanac-kubernetes-"));
  const start = createServers((stop) =>
    atEnd(async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    }),
  );
  const [etcdPort = 0, peerPort = 0, port = 0] = await freePorts([undefined, undefined, undefined]);
  const started = (name: string, words: readonly string[]) =>
    start({ words, log: join(folder, `${name}.log`), cwd: folder });

  started("etcd", etcd(built.etcd, folder, `http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`));
  const files = await credentials(folder, port);
  const server = started("api-server", apiServer(built.apiServer, files, port, etcdPort));
  const path = `${dirname(built.kubectl)}:${process.env["PATH"]}`;
  const env = { HOME: folder, KUBECONFIG: files.kubeconfig, PATH: path };
  /** kubectl as an operator has it, who may do everything. */
  const kubectl = (words: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(built.kubectl, words, { input, env, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  await answering(server, () => kubectl(["get", "--raw", "/readyz"]).status === 0);
  const words = { kubeconfig: files.kubeconfig, controllers: controllers.join(","), "leader-elect": "false" };
  const signing = { "service-account-private-key-file": files.key };
  started("controllers", [built.controllers, ...flags({ ...words, ...signing, "secure-port": "0" })]);
  return { kubectl, env, operatorKinds: built.operatorKinds };
}

const flags = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`);

function etcd(program: string, folder: string, clients: string, peers: string): string[] {
  const settings = {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": clients,
    "advertise-client-urls": clients,
    "listen-peer-urls": peers,
    "initial-advertise-peer-urls": peers,
    "initial-cluster": `default=${peers}`,
  };
  return [program, "--unsafe-no-fsync", ...flags(settings)]; // nothing of it outlasts the test
}

/** The server's certificate, which signs service accounts too; and an operator's way to it. */
async function credentials(folder: string, port: number) {
  const file = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const authority = certificate("authority of tests");
  const own = certificate("localhost", authority);
  const ca = await file("ca.pem", authority.cert);
  const name = "tests";
  const cluster = { server: `https://127.0.0.1:${port}`, "certificate-authority": ca };
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  return {
    folder,
    ca,
    cert: await file("server.pem", own.cert),
    key: await file("server-key.pem", own.keyText),
    tokens: await file("tokens.csv", `${token},operator,operator,system:masters\n`),
    kubeconfig: await file("kubeconfig", JSON.stringify(kubeconfig)),
  };
}

function apiServer(
  program: string,
  files: Awaited<ReturnType<typeof credentials>>,
  port: number,
  etcdPort: number,
): string[] {
  const settings = {
    "etcd-servers": `http://127.0.0.1:${etcdPort}`,
    "bind-address": "127.0.0.1",
    "advertise-address": "127.0.0.1",
    "secure-port": `${port}`,
    "endpoint-reconciler-type": "none",
    "service-cluster-ip-range": "10.96.0.0/24",
    "cert-dir": files.folder,
    "tls-cert-file": files.cert,
    "tls-private-key-file": files.key,
    "client-ca-file": files.ca,
    "token-auth-file": files.tokens,
    "authorization-mode": "RBAC",
    "service-account-issuer": "https://kubernetes.default.svc",
    "service-account-key-file": files.cert,
    "service-account-signing-key-file": files.key,
  };
  return [program, ...flags(settings)];
}

async function answering(server: Running, answers: () => boolean): Promise<void> {
  const ready = async () => !server.isRunning() || answers();
  await until("Kubernetes' API server to answer", ready, startMs).catch(() => undefined);
  if (!server.isRunning() || !answers())
    throw new Error(`Kubernetes' API server does not start:\n${await server.said()}`);
}
