// The manifests of deploy/kubernetes* are valid by the schemas of Kubernetes and of the Prometheus operator, with and without
// overlays, and their references match.
import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { commands } from "../../scripts/commands.ts";
import { prometheusRule } from "../../docs/reference/alerts-part.ts";
import { deployed, documentsIn, kustomized } from "./kustomized.ts";

const textOf = (path: string) => readFileSync(deployed(path), "utf8");
const schema = z.object({
  kinds: z.record(z.string(), z.string()),
  $defs: z.record(z.string(), z.unknown()),
});
/** Non-standard formats of the schema ("int32"). */
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const kinds = Object.fromEntries(
  ["kubernetes", "prometheus-operator"].flatMap((name) => {
    const path = new URL(`schemas/${name}.json`, import.meta.url);
    const { kinds: named, $defs } = schema.parse(JSON.parse(readFileSync(path, "utf8")));
    ajv.addSchema({ $defs }, name); // compiled once
    return Object.entries(named).map(([kind, definition]) => [kind, `${name}#/$defs/${definition}`] as const);
  }),
);
const labels = z.record(z.string(), z.string());
const named = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
});

function problemsOf(manifest: unknown): string[] {
  const { apiVersion, kind, metadata } = named.parse(manifest);
  const validate = ajv.getSchema(kinds[`${apiVersion} ${kind}`] ?? "");
  if (validate === undefined) return [`${apiVersion} ${kind} has no schema here`];
  return validate(manifest) ? [] : [`${kind} ${metadata.name}: ${ajv.errorsText(validate.errors)}`];
}
const problemsIn = (text: string) => documentsIn(text).flatMap((document) => problemsOf(document.toJS()));

const folders = ["kubernetes", "kubernetes-monitoring", "kubernetes-versioned"];
const ofKind = <Found>(folder: string, kind: string, shape: z.ZodType<Found>): Found[] =>
  kustomized(folder).flatMap((one) => (named.parse(one).kind === kind ? [shape.parse(one)] : []));

describe("the manifests", () => {
  test.each(folders)("are ones by Kubernetes' and the operator's own schemas: %s", (folder) => {
    expect(kustomized(folder).length).toBeGreaterThan(1);
    expect(kustomized(folder).flatMap(problemsOf)).toEqual([]);
  });

  test.each([
    ["worker", "a key that there is not", "readinessProbe:", "readynessProbe:"],
    ["worker", "a word where a number belongs", "replicas: 2", "replicas: two"],
    [
      "worker",
      "no selector",
      "  selector:\n    matchLabels: { app.kubernetes.io/component: worker }\n  template",
      "  template",
    ],
    ["upkeep", "no time", '  schedule: "20 1 * * *"\n', ""],
    ["schedules", "a key that there is not", "backoffLimit", "backofLimit"],
    ["../kubernetes-monitoring/pod-monitor", "a key that there is not", "jobLabel", "joblabel"],
    ["../kubernetes-monitoring/rules", "a time that is none", "for: 5m", "for: soon"],
  ])("would not be: %s with %s", (file, _, from, to) => {
    const text = textOf(`kubernetes/${file}.yaml`);
    expect(text).toContain(from);
    expect(problemsIn(text.replace(from, to))).toHaveLength(1);
  });

  test.each(["kubernetes", "kubernetes-monitoring"])(
    "are all named in the kustomization, and nothing else is: %s",
    (folder) => {
      const { resources } = z
        .object({ resources: z.array(z.string()) })
        .parse(parse(textOf(`${folder}/kustomization.yaml`)));
      const files = readdirSync(deployed(folder)).filter(
        (name) => name.endsWith(".yaml") && name !== "kustomization.yaml",
      );
      expect(resources.toSorted()).toEqual(files.toSorted());
    },
  );
});

const without = z.strictObject({ key: z.string(), operator: z.literal("DoesNotExist") });
const budget = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    maxUnavailable: z.literal(1),
    selector: z.strictObject({ matchLabels: labels, matchExpressions: z.array(without).default([]) }),
  }),
});
const workers = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
    }),
  }),
});
const takes = (wanted: z.infer<typeof labels>, has: z.infer<typeof labels>) =>
  Object.entries(wanted).every(([name, value]) => has[name] === value);

/** The names of the budgets in these folders that count a pod with these labels. */
const budgetsOver = (has: z.infer<typeof labels>, among: readonly string[]) =>
  among
    .flatMap((folder) => ofKind(folder, "PodDisruptionBudget", budget))
    .filter(
      ({ spec: { selector } }) =>
        takes(selector.matchLabels, has) && !selector.matchExpressions.some(({ key }) => key in has),
    )
    .map(({ metadata }) => metadata.name);

test.each(["kubernetes", "kubernetes-versioned"])(
  "a worker has a disruption budget for its own pods: %s",
  (folder) => {
    const deployments = ofKind(folder, "Deployment", workers);
    expect(deployments).toHaveLength(1);
    for (const { metadata, spec } of deployments) {
      const pods = spec.template.metadata.labels;
      expect(takes(spec.selector.matchLabels, pods)).toBe(true);
      expect(budgetsOver(pods, [folder])).toEqual([metadata.name]);
    }
  },
);

test("while an old and a new version run, exactly one budget counts each pod", () => {
  const both = ["kubernetes", "kubernetes-versioned"];
  const names = both.flatMap((one) =>
    ofKind(one, "Deployment", workers).map(({ metadata, spec }) => {
      expect(budgetsOver(spec.template.metadata.labels, both)).toEqual([metadata.name]);
      return metadata.name;
    }),
  );
  expect(new Set(names).size).toBe(2);
});

test("versions of a worker, and their budgets, are told apart by the version that is their image's tag", () => {
  const overlay = textOf("kubernetes-versioned/kustomization.yaml");
  const tag = /newTag: (\S+)/.exec(overlay)?.[1] ?? "";
  const [one] = ofKind("kubernetes-versioned", "Deployment", workers);
  const [own] = ofKind("kubernetes-versioned", "PodDisruptionBudget", budget);
  expect(one?.metadata.name).toBe(`almanac-worker-${tag.replaceAll(".", "-")}`);
  const version = { "app.kubernetes.io/version": tag };
  expect(one?.spec.selector.matchLabels).toMatchObject(version);
  expect(one?.spec.template.metadata.labels).toMatchObject(version);
  expect(own?.spec.selector.matchLabels).toMatchObject(version);
  expect(overlay).toContain("name: TEMPORAL_WORKER_BUILD_ID");
  expect(overlay).toContain("fieldPath: \"metadata.labels['app.kubernetes.io/version']\"");
});

const reference = z.object({ name: z.string() });
const pod = z.object({
  serviceAccountName: z.string(),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.unknown(),
  containers: z.tuple([
    z.object({
      args: z.array(z.string()).min(1),
      env: z.undefined().optional(),
      envFrom: z.tuple([z.object({ configMapRef: reference })]),
      resources: z.object({ requests: z.object({ memory: z.string() }) }),
      securityContext: z.unknown(),
    }),
  ]),
  volumes: z.array(
    z.object({
      configMap: reference.optional(),
      secret: z.object({ secretName: z.string() }).optional(),
    }),
  ),
});
const templated = z.object({ template: z.object({ metadata: z.object({ labels }), spec: pod }) });
const inside = (shape: z.ZodType<z.infer<typeof templated>>) =>
  z.object({ metadata: reference, spec: shape });
const scheduled = z
  .object({ jobTemplate: z.object({ spec: templated }) })
  .transform((spec) => spec.jobTemplate.spec);

describe("what is done beside the nights", () => {
  const jobs = [
    ...ofKind("kubernetes", "Job", inside(templated)),
    ...ofKind("kubernetes", "CronJob", inside(scheduled)),
  ];
  const [worker] = ofKind("kubernetes", "Deployment", inside(templated));

  test("is a command each, under the role that it needs, with the credentials of the service and of Temporal where it asks these and nowhere else", () => {
    const rows = jobs.map(({ metadata, spec }) => {
      const { serviceAccountName, containers, volumes } = spec.template.spec;
      const secrets = volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret.secretName]));
      return [metadata.name, containers[0].args.join(" "), serviceAccountName, secrets];
    });
    expect(rows).toEqual([
      ["almanac-schedules", "schedule apply --unless-removed", "almanac-worker", ["almanac-temporal"]],
      ["almanac-check", "check", "almanac-worker", ["almanac-service", "almanac-temporal"]],
      ["almanac-check-up", "verify", "almanac-check-up", []],
      ["almanac-clean-up", "gc", "almanac-clean-up", []],
    ]);
    for (const { spec } of jobs)
      expect(commands).toHaveProperty(spec.template.spec.containers[0].args[0] ?? "");
    const accounts = ofKind("kubernetes", "ServiceAccount", z.object({ metadata: reference }));
    expect(new Set(accounts.map(({ metadata }) => metadata.name))).toEqual(
      new Set(rows.map(([, , account]) => account)),
    );
  });

  test("is as confined as a worker, has its settings, and is not taken for one", () => {
    const { securityContext, containers } = worker?.spec.template.spec ?? {};
    for (const { metadata, spec } of jobs) {
      const [own] = spec.template.spec.containers;
      expect(spec.template.spec.securityContext, metadata.name).toEqual(securityContext);
      expect(own.securityContext).toEqual(containers?.[0].securityContext);
      expect(own.envFrom).toEqual(containers?.[0].envFrom);
      expect(spec.template.metadata.labels).not.toMatchObject({ "app.kubernetes.io/component": "worker" });
    }
  });

  test("finds its configuration and settings by the names under which they are made", () => {
    const made = [...textOf("kubernetes/kustomization.yaml").matchAll(/^ {2}- name: (almanac-\w+)$/gm)];
    const used = [...jobs, ...(worker === undefined ? [] : [worker])].flatMap(({ spec }) => {
      const { volumes, containers } = spec.template.spec;
      const mounted = volumes.flatMap(({ configMap }) => (configMap === undefined ? [] : [configMap.name]));
      return [...mounted, containers[0].envFrom[0].configMapRef.name];
    });
    expect(new Set(used)).toEqual(new Set(made.map(([, name]) => name)));
  });
});

describe("the monitoring of a cluster", () => {
  test("has the rules of deploy/monitoring, all of them and no others", async () => {
    const text = textOf("kubernetes-monitoring/rules.yaml");
    expect(text).toBe(await prometheusRule()); // `npm run reference` writes it
    const groups = z.object({ groups: z.array(z.unknown()).min(1) });
    const { spec } = z.object({ spec: groups }).parse(parse(text));
    expect(spec).toEqual(groups.parse(parse(textOf("monitoring/rules.yaml"))));
  });

  test("gathers from every kind of worker, where it shows its metrics, under the name that the rules know", () => {
    const monitor = z.object({
      spec: z.object({
        jobLabel: z.string(),
        selector: z.object({ matchLabels: labels }),
        podMetricsEndpoints: z.tuple([z.object({ port: z.string() })]),
      }),
    });
    const [one] = ofKind("kubernetes-monitoring", "PodMonitor", monitor);
    const { jobLabel = "", selector, podMetricsEndpoints } = one?.spec ?? {};
    for (const folder of folders.filter((path) => path !== "kubernetes-monitoring"))
      for (const { spec } of ofKind(folder, "Deployment", workers)) {
        expect(takes(selector?.matchLabels ?? { none: "" }, spec.template.metadata.labels)).toBe(true);
        expect(textOf("monitoring/rules.yaml")).toContain(
          `up{job="${spec.template.metadata.labels[jobLabel]}"}`,
        );
      }
    expect(textOf("kubernetes/worker.yaml")).toContain(
      `- { name: ${podMetricsEndpoints?.[0].port}, containerPort: 9464 }`,
    );
  });
});
