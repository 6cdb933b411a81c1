// An API server, its controllers, etcd and kubectl, and the kinds of the Prometheus operator, of the versions whose schemas
// test/deploy/schemas has.
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { goBuilt, type RunGo } from "./go-built.ts";

const kubernetes = "1.34.4";
const etcd = "3.6.8"; // version released with that Kubernetes
const operator = { path: "github.com/prometheus-operator/prometheus-operator", version: "v0.93.0" };
const kinds = ["podmonitors", "prometheusrules"];

const packages = {
  etcd: "go.etcd.io/etcd/server/v3",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
};
const downloaded = z.object({ GoMod: z.string(), Dir: z.string() });

export async function builtKubernetes() {
  const folder = await goBuilt({
    what: `Kubernetes ${kubernetes} with etcd ${etcd}`,
    name: `kubernetes-${kubernetes}-${etcd}-${operator.version.slice(1)}`,
    build,
  });
  const program = (name: keyof typeof packages) => join(folder, name);
  return {
    version: kubernetes,
    etcd: program("etcd"),
    apiServer: program("kube-apiserver"),
    controllers: program("kube-controller-manager"),
    kubectl: program("kubectl"),
    /** Manifests of the kinds that deploy/kubernetes-monitoring is of. */
    operatorKinds: kinds.map((kind) => join(folder, `${kind}.yaml`)),
  };
}

async function build(folder: string, go: RunGo): Promise<void> {
  const fetched = async (module: string) =>
    downloaded.parse(JSON.parse(await go("mod", "download", "-json", module)));
  const { GoMod: modules } = await fetched(`k8s.io/kubernetes@v${kubernetes}`);
  await writeFile(join(folder, "go.mod"), moduleOf(await readFile(modules, "utf8")));
  for (const [name, path] of Object.entries(packages))
    await go("build", "-trimpath", "-ldflags=-s -w", "-o", join(folder, name), path);
  const { Dir: manifests } = await fetched(`${operator.path}@${operator.version}`);
  for (const kind of kinds)
    await copyFile(
      join(manifests, "example/prometheus-operator-crd", `monitoring.coreos.com_${kind}.yaml`),
      join(folder, `${kind}.yaml`),
    );
}

/** Kubernetes finds its own modules beside itself, by `replace`, which counts in no other module: there they go by their versions. */
function moduleOf(text: string): string {
  const beside = [...text.matchAll(/^\t(k8s\.io\/[\w-]+) => \.\/staging\//gm)].map(([, path]) => path);
  const version = kubernetes.replace(/^1\./, "v0.");
  return [
    "module almanac.example/kubernetes",
    "go 1.24.0",
    `require (\n\tk8s.io/kubernetes v${kubernetes}\n\t${packages.etcd} v${etcd}\n)`,
    ...beside.map((path) => `replace ${path} => ${path} ${version}`),
    "",
  ].join("\n");
}
