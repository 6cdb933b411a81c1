// Output of kustomize for a folder of deploy/, limited to the features used there: resources, labels of pods and selectors, and
// patches.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Document, parse, parseAllDocuments } from "yaml";
import { z } from "zod";

const operation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.enum(["add", "replace"]), path: z.string(), value: z.unknown() }),
  z.strictObject({ op: z.literal("remove"), path: z.string() }),
]);
const patch = z.object({ target: z.object({ kind: z.string(), name: z.string() }), patch: z.string() });
const kustomization = z.object({
  resources: z.array(z.string()),
  labels: z.array(z.object({ pairs: z.record(z.string(), z.string()) })).default([]),
  patches: z.array(patch).default([]),
});
const matched = ["selector", "matchLabels"];
const ofPods = ["template", "metadata", "labels"];
/** Paths of the pod labels and selectors in each kind. */
const labelled: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Deployment: [matched, ofPods],
  Job: [ofPods],
  CronJob: [["jobTemplate", "spec", ...ofPods]],
  PodDisruptionBudget: [matched],
  NetworkPolicy: [["podSelector", "matchLabels"]],
};

export const deployed = (path: string) => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url));

/** Each manifest of a folder with its overlays applied, as JSON. */
export function kustomized(folder: string): unknown[] {
  return documentsOf(folder).map((document): unknown => document.toJS());
}

/** Documents of one file; a document with only comments is skipped. */
export function documentsIn(text: string): Document[] {
  const documents = parseAllDocuments(text);
  return [...documents].filter((document) => document.has("kind"));
}

function documentsOf(folder: string): Document[] {
  const { resources, labels, patches } = kustomization.parse(
    parse(readFileSync(deployed(join(folder, "kustomization.yaml")), "utf8")),
  );
  const all = resources.flatMap((path) =>
    path.endsWith(".yaml")
      ? documentsIn(readFileSync(deployed(join(folder, path)), "utf8"))
      : documentsOf(join(folder, path)),
  );
  for (const one of patches) patched(all, one);
  for (const { pairs } of labels)
    for (const document of all)
      for (const place of labelled[String(document.get("kind"))] ?? [])
        for (const [name, value] of Object.entries(pairs)) document.setIn(["spec", ...place, name], value);
  return all;
}

function patched(all: readonly Document[], { target, patch: text }: z.infer<typeof patch>): void {
  const aimed = all.filter(
    (one) => one.get("kind") === target.kind && one.getIn(["metadata", "name"]) === target.name,
  );
  const [document] = aimed;
  if (document === undefined || aimed.length > 1)
    throw new Error(`${aimed.length} manifests are ${target.kind} ${target.name}`);
  for (const one of z.array(operation).parse(parse(text))) {
    const { op, path } = one;
    const names = path
      .slice(1)
      .split("/")
      .map((name) => name.replaceAll("~1", "/"));
    const place = names.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
    if (document.hasIn(place) !== (op !== "add")) throw new Error(`${op} ${path} does not fit what is there`);
    if (one.op === "remove") document.deleteIn(place);
    else document.setIn(place, document.createNode(one.value));
  }
}
