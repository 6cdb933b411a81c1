// The manifests of deploy/kubernetes* before a real API server with its admission, and what its controllers make of them.
import { beforeAll, describe, expect, test } from "vitest";
import { deployed } from "../deploy/kustomized.ts";
import { fileEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { type Cluster, createCluster } from "./kubernetes-cluster.ts";
import { createNamespace, type Namespace } from "./kubernetes-namespace.ts";

const monitoring = "kubernetes-monitoring";
const ways = [
  ["all queues on each worker", ["kubernetes"]],
  ["a version", ["kubernetes-versioned"]],
] as const;
const quiet = { status: 0, stderr: "" };
const atEnd = fileEnd();
let cluster: Cluster;

beforeAll(async () => {
  cluster = await createCluster(atEnd);
  for (const path of cluster.operatorKinds)
    expect(cluster.kubectl(["apply", "--server-side", "-f", path])).toMatchObject(quiet);
  const known = ["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"];
  expect(cluster.kubectl(known)).toMatchObject(quiet);
}, 3_600_000); // the first time everything is built

describe("an API server's own look at the manifests", () => {
  const tried = (namespace: string, text: string) =>
    cluster.kubectl(["apply", "-n", namespace, "--server-side", "--dry-run=server", "-f", "-"], text);
  const rendered = (folder: string) => {
    const made = cluster.kubectl(["kustomize", deployed(folder)]);
    expect(made).toMatchObject(quiet);
    return made.stdout;
  };
  beforeAll(() => void createNamespace(cluster, "looked-at"));

  test.each([...ways.flatMap(([, together]) => together), monitoring])(
    "takes without a warning: %s",
    (folder) => {
      const text = rendered(folder);
      const { stdout, ...ended } = tried("looked-at", text);
      expect(ended).toEqual(quiet);
      const manifests = text.split(/^---$/m).length;
      expect(stdout.match(/serverside-applied \(server dry run\)$/gm)).toHaveLength(manifests);
    },
  );

  test.each([
    [
      "kubernetes",
      "a key that there is not",
      "readinessProbe:",
      "readynessProbe:",
      ".readynessProbe: field not declared",
    ],
    [
      "kubernetes",
      "a word where a number belongs",
      "replicas: 2",
      "replicas: two",
      ".spec.replicas: expected numeric",
    ],
    ["kubernetes", "an hour that there is not", "20 1 * * *", "20 25 * * *", "spec.schedule: Invalid value"],
    ["kubernetes", "a clock that there is not", "Etc/UTC", "Etc/UCT+1", "unknown time zone"],
    [
      "kubernetes",
      "two sizes of a budget",
      "  maxUnavailable: 1\n",
      "  maxUnavailable: 1\n  minAvailable: 1\n",
      "minAvailable and maxUnavailable cannot be both set",
    ],
    [
      "kubernetes-versioned",
      "pods that nobody selects",
      "version: 0.2.0\n    spec",
      "version: 0.1.0\n    spec",
      "`selector` does not match template `labels`",
    ],
    [monitoring, "a key that there is not", "jobLabel", "joblabel", ".spec.joblabel: field not declared"],
    [monitoring, "a time that is none", "for: 5m", "for: soon", '.for: Invalid value: "soon"'],
  ])("would not take: %s with %s", (folder, _, from, to, said) => {
    const text = rendered(folder);
    expect(text).toContain(from);
    const { status, stderr } = tried("looked-at", text.replace(from, to));
    expect(status).not.toBe(0);
    expect(stderr).toContain(said);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("would warn of a worker that may do more than it needs, and lets no such pod be made", async () => {
    const text = rendered("kubernetes").replace(
      "allowPrivilegeEscalation: false",
      "allowPrivilegeEscalation: true",
    );
    const { status, stderr } = tried("looked-at", text);
    expect(status).toBe(0);
    expect(stderr).toContain('would violate PodSecurity "restricted:latest"');
    const unconfined = ["run", "-n", "looked-at", "unconfined", "--image=almanac", "--dry-run=server"];
    const forbids = async () =>
      cluster.kubectl(unconfined).stderr.includes(' violates PodSecurity "restricted');
    await until("the API server to forbid it", forbids);
  });
});

describe.each(ways)("applied as docs/deployment.md says it: %s", (name, together) => {
  const namespace = name.replaceAll(" ", "-");
  const folders = [...together, monitoring].map((folder) => ["-n", namespace, "-k", deployed(folder)]);
  let here: Namespace;
  beforeAll(() => {
    here = createNamespace(cluster, namespace);
    for (const folder of folders) expect(cluster.kubectl(["apply", ...folder])).toMatchObject(quiet);
  });

  test("all its pods are made, where nothing but restricted ones may be, with no way to Kubernetes itself", async () => {
    const jobs = ["almanac-check", "almanac-check-up", "almanac-clean-up"];
    for (const job of jobs) here.done(["create", "job", `${job}-by-hand`, `--from=cronjob/${job}`]);
    const expected = 2 * together.length + 1 + jobs.length;
    const made = await until("every pod", async () => {
      const found = here.pods();
      return found.length >= expected && found;
    });
    for (const { spec } of made) {
      expect(spec.volumes.map((one) => one.name)).toEqual(
        expect.arrayContaining(["configuration", "scratch"]),
      );
      expect(spec.volumes.filter((one) => one.name.startsWith("kube-api-access"))).toEqual([]);
    }
    for (const account of new Set(made.map(({ spec }) => spec.serviceAccountName)))
      for (const wish of [
        ["get", "secrets"],
        ["list", "pods"],
        ["create", "jobs"],
      ]) {
        const as = `--as=system:serviceaccount:${namespace}:${account}`;
        expect(here.kubectl(["auth", "can-i", ...wish, as]).stdout).toBe("no\n");
      }
  });

  test("once more changes nothing", async () => {
    for (const folder of folders) {
      // Changes by a controller count as a difference too.
      const same = async () => cluster.kubectl(["diff", ...folder]).status === 0;
      await until("nothing to differ", same);
      const { stdout, ...ended } = cluster.kubectl(["apply", ...folder]);
      expect(ended).toEqual(quiet);
      const lines = stdout.trim().split("\n");
      // kubectl sends the selector of a budget each time, and says so, though it is the same.
      const changed = lines.filter((line) => !/^poddisruptionbudget| unchanged$/.test(line));
      expect(changed).toEqual([]);
    }
    const generations = here.done(["get", "pdb", "-o", "jsonpath={.items[*].metadata.generation}"]);
    expect(new Set(generations.split(" "))).toEqual(new Set(["1"]));
  });
});
