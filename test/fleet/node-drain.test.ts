// How nodes are drained and settings changed under workers: before a real API server and its controllers, with the test in the
// kubelet's stead.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deployed } from "../deploy/kustomized.ts";
import { fileEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { type Cluster, createCluster } from "./kubernetes-cluster.ts";
import { createNamespace, isReady, type Namespace } from "./kubernetes-namespace.ts";

const refused = "Cannot evict pod as it would violate the pod's disruption budget";
const worker = "app.kubernetes.io/component=worker";
const versioned = "almanac-worker-0-2-0";
const atEnd = fileEnd();
let cluster: Cluster;

beforeAll(async () => {
  cluster = await createCluster(atEnd);
}, 3_600_000); // the first time everything is built

const applied = (here: Namespace, ...folders: readonly string[]): void => {
  for (const folder of folders) here.done(["apply", "-k", folder]);
};

/** The two pods of a kind, both ready, once their budget has counted them. */
async function running(here: Namespace, budget: string, selector: string) {
  const pods = await until(`two pods of ${selector}`, async () => {
    const [first, second, ...more] = here.pods(selector);
    return first !== undefined && second !== undefined && more.length === 0 && ([first, second] as const);
  });
  for (const pod of pods) if (!isReady(pod)) here.run(pod);
  const allowed = [
    "get",
    "pdb",
    budget,
    "-o",
    "jsonpath={.status.currentHealthy} {.status.disruptionsAllowed}",
  ];
  await until(`${budget} to allow one`, async () => here.done(allowed) === "2 1");
  return pods;
}

describe("a node that is drained", () => {
  test("takes one worker, and the next when another is there", async () => {
    const here = createNamespace(cluster, "drained");
    applied(here, deployed("kubernetes"));
    const [one, other] = await running(here, "almanac-worker", worker);
    expect(here.evict(one)).toBe("");
    expect(here.evict(other)).toContain(refused);
    await running(here, "almanac-worker", worker);
    expect(here.evict(other)).toBe("");
  });

  test("takes one of the workers so far and one of their first version beside them", async () => {
    const here = createNamespace(cluster, "drained-in-a-deploy");
    applied(here, deployed("kubernetes"), deployed("kubernetes-versioned"));
    const [old, otherOld] = await running(here, "almanac-worker", `${worker},!app.kubernetes.io/version`);
    const [made, otherMade] = await running(here, versioned, `${worker},app.kubernetes.io/version`);
    expect(here.evict(made)).toBe("");
    expect(here.evict(otherMade)).toContain(refused);
    expect(here.evict(old)).toBe("");
    expect(here.evict(otherOld)).toContain(refused);

    // Simulates a budget of the existing workers that also counted the others.
    here.done(["create", "pdb", "over-all", "--max-unavailable=1", `--selector=${worker}`]);
    expect(here.evict(otherOld)).toContain("more than one PodDisruptionBudget");
  });
});

test("changed settings reach the workers, and the job of the schedules once the one before is gone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-manifests-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(deployed("kubernetes"), folder, { recursive: true });
  const here = createNamespace(cluster, "changed");
  applied(here, folder);
  const settings = "jsonpath={.spec.template.spec.containers[0].envFrom[0].configMapRef.name}";
  const taken = () => here.done(["get", "deployment", "almanac-worker", "-o", settings]);
  const before = taken();

  const file = join(folder, "settings.env");
  await writeFile(file, (await readFile(file, "utf8")).replace("DRAIN_SECONDS=45", "DRAIN_SECONDS=50"));
  const { status, stderr } = here.kubectl(["apply", "-k", folder]);
  expect(status).toBe(1);
  expect(stderr.match(/^The \S+ "[\w-]+" is invalid/gm)).toEqual(['The Job "almanac-schedules" is invalid']);
  expect(stderr).toContain("field is immutable");
  const after = taken();
  expect(after).not.toBe(before);
  expect(here.done(["get", "configmap", after, "-o", "jsonpath={.data.ALMANAC_DRAIN_SECONDS}"])).toBe("50");

  here.done(["rollout", "undo", "deployment", "almanac-worker"]);
  expect(taken()).toBe(before);
  expect(here.done(["get", "configmap", before, "-o", "jsonpath={.data.ALMANAC_DRAIN_SECONDS}"])).toBe("45");

  here.done(["delete", "job", "almanac-schedules"]);
  expect(here.kubectl(["apply", "-k", folder])).toMatchObject({ status: 0, stderr: "" });
});
