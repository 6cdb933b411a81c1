// A namespace of a cluster that enforces what docs/deployment.md asks of the pods, and what a kubelet and a drain of nodes would do there.
import { z } from "zod";
import type { Cluster } from "./kubernetes-cluster.ts";

const pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()) }),
      spec: z.object({ serviceAccountName: z.string(), volumes: z.array(z.object({ name: z.string() })) }),
      status: z.object({
        conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
      }),
    }),
  ),
});
type Pod = z.infer<typeof pods>["items"][number];

export type Namespace = ReturnType<typeof createNamespace>;

export function createNamespace({ kubectl }: Cluster, namespace: string) {
  const here = (words: readonly string[], input?: string) => kubectl(["-n", namespace, ...words], input);
  const done = (words: readonly string[], input?: string): string => {
    const { status, stdout, stderr } = here(words, input);
    if (status !== 0) throw new Error(`kubectl ${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  done(["create", "namespace", namespace]);
  const restricted = ["enforce", "warn"].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
  done(["label", "namespace", namespace, ...restricted]);
  done([
    "create",
    "secret",
    "generic",
    "almanac-service",
    "--from-literal=token=t",
    "--from-literal=api-key=k",
  ]);

  return {
    kubectl: here,
    done,
    pods: (selector = ""): Pod[] =>
      pods.parse(JSON.parse(done(["get", "pods", "-o", "json", "-l", selector]))).items,
    /** Reports a pod as ready, like a kubelet once its probes succeed. */
    run(pod: Pod): void {
      const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
      done(["patch", "pod", pod.metadata.name, "--subresource=status", "-p", JSON.stringify({ status })]);
    },
    /** Evicts a pod like `kubectl drain`; returns the refusal, if any. */
    evict({ metadata: { name } }: Pod): string {
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
      return here(["create", "--raw", path, "-f", "-"], JSON.stringify(eviction)).stderr.trim();
    },
  };
}

export const isReady = ({ status }: Pod): boolean =>
  status.conditions.some((one) => one.type === "Ready" && one.status === "True");
