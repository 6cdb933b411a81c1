// The Kubernetes commands of docs/deployment.md, run on a real API server. No test needs a running pod, because none runs.
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { fileEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { type Cluster, createCluster } from "./kubernetes-cluster.ts";

const page = await readFile(new URL("../../docs/deployment.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
const atEnd = fileEnd();
let cluster: Cluster;
let cwd: string;

beforeAll(async () => {
  cluster = await createCluster(atEnd);
  cwd = await mkdtemp(join(tmpdir(), "almanac-typed-"));
  atEnd(() => rm(cwd, { recursive: true, force: true }));
  await symlink(fileURLToPath(new URL("../../deploy", import.meta.url)), join(cwd, "deploy"));
  for (const name of ["token", "api-key"]) await writeFile(join(cwd, name), "x");
}, 3_600_000); // the first time everything is built

/** Runs the page's code block with these words, except for commands that need a running pod. Warnings fail the test. */
function typed(words: string): void {
  const [block = "", ...more] = blocks.filter((one) => one.includes(words));
  expect(more).toEqual([]);
  const lines = block.split("\n").filter((line) => !/^kubectl (exec|logs) /.test(line));
  expect(lines.join("")).toContain("kubectl");
  const { status, stderr } = spawnSync("sh", ["-ec", lines.join("\n")], {
    cwd,
    env: cluster.env,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}

const seen = (kind: string, path: string) => cluster.kubectl(["get", kind, "-o", `jsonpath=${path}`]).stdout;
const replicas = () => seen("deployment", "{.items[*].spec.replicas}");
const suspended = () => seen("cronjob", "{.items[*].spec.suspend}");
const argsOf = (job: string) =>
  seen("pods", `{.items[?(@.metadata.labels.job-name=="${job}")].spec.containers[0].args}`);

test("a namespace, the secret and the manifests, a command of its own, and workers that stop for a restore and come back", async () => {
  typed("kubectl create namespace almanac");
  expect([replicas(), suspended()]).toEqual(["2", "false false false"]);

  typed("kubectl create secret generic almanac-temporal");
  typed("kubectl create job check-now");
  expect(await until("the pod of the check", async () => argsOf("check-now"))).toBe('["check"]');

  typed("kubectl create job restore");
  expect([replicas(), suspended()]).toEqual(["0", "true true true"]);
  expect(await until("the pod of the restore", async () => argsOf("restore"))).toBe(
    '["restore","s3://example-copies"]',
  );
  await until(
    "the workers to be gone",
    async () => !seen("pods", "{.items[*].metadata.name}").includes("almanac-worker"),
  );

  typed('"suspend":false');
  expect([replicas(), suspended()]).toEqual(["2", "false false false"]);
});
