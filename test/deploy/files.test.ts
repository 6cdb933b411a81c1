// The files under deploy/ that set something for Almanac itself: right in what they set, and the compose file one by its schema.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const textOf = (path: string) => readFileSync(place(path), "utf8");

/** Non-standard formats of the schema ("duration", "int32"). */
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });

const composeText = textOf("deploy/compose/compose.yaml");
const composeSchema = ajv.compile(
  z.record(z.string(), z.unknown()).parse(JSON.parse(textOf("test/deploy/schemas/compose.json"))),
);
const composed = (text: string): unknown => parse(text, { merge: true });

/** A tag can be given to other bytes, a digest can't. */
const digest = /^[\w./-]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/;

describe("the compose file", () => {
  test("is one by the Compose Specification", () => {
    expect([composeSchema(composed(composeText)), composeSchema.errors]).toEqual([true, null]);
  });

  test.each([
    ["a key that there is not", "stop_grace_period:", "stop_grace_periode:"],
    ["a condition that there is not", "service_completed_successfully", "service_done"],
    ["a word where a list belongs", "cap_drop: [ALL]", "cap_drop: ALL"],
  ])("would not be with %s", (_, from, to) => {
    expect(composeText).toContain(from);
    expect(composeSchema(composed(composeText.replace(from, to)))).toBe(false);
  });
});

const container = z.object({
  startupProbe: z.unknown(),
  livenessProbe: z.unknown(),
  readinessProbe: z.unknown(),
  securityContext: z.unknown(),
});
const deployment = z
  .object({
    spec: z.object({
      template: z.object({
        spec: z.object({
          terminationGracePeriodSeconds: z.number(),
          containers: z.tuple([container]),
          securityContext: z.unknown(),
        }),
      }),
    }),
  })
  .parse(parse(textOf("deploy/kubernetes/worker.yaml"))).spec.template.spec;
const compose = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        image: z.string(),
        environment: z.record(z.string(), z.string()).default({}),
        stop_grace_period: z.string().optional(),
        read_only: z.boolean().optional(),
        ports: z.array(z.string()).default([]),
      }),
    ),
  })
  .parse(composed(composeText));
const unit = textOf("deploy/systemd/almanac-worker.service");
const dockerfile = textOf("deploy/Dockerfile");

/** Almanac's variables in each file, with the operator's placeholders filled in. */
function environments(): Record<string, Record<string, string>> {
  const filled = (text: string): string =>
    text
      .replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) =>
        name.endsWith("_URL") ? "https://service.example" : "word",
      )
      .replace(/\$\{\w+:-([^}]*)\}/g, "$1")
      .replaceAll("%d", "/run/credentials");
  const unitSettings = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
  const all = {
    compose: Object.entries(compose.services["worker"]?.environment ?? {}),
    kubernetes: [...textOf("deploy/kubernetes/settings.env").matchAll(/^(\w+)=(.*)$/gm)].map(
      ([, name, value]) => [name, value] as const,
    ),
    systemd: unitSettings.map((setting) => setting.split("=", 2)),
    image: [...dockerfile.matchAll(/(ALMANAC_\w+)=(\S+)/g)].map(([, name, value]) => [name, value] as const),
  };
  return Object.fromEntries(
    Object.entries(all).map(([file, settings]) => [
      file,
      Object.fromEntries(settings.map(([name = "", value = ""]) => [name, filled(value)])),
    ]),
  );
}

describe("what is set for Almanac", () => {
  test.each(Object.entries(environments()))("is right as it stands: %s", (_, env) => {
    expect(Object.keys(env).length).toBeGreaterThan(0);
    expect(() => readEnvironment(env)).not.toThrow();
  });

  test("gives a worker longer to stop than it takes", () => {
    const seconds = {
      compose: Number.parseInt(compose.services["worker"]?.stop_grace_period ?? "0", 10),
      kubernetes: deployment.terminationGracePeriodSeconds,
      systemd: Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1]),
    };
    const { compose: one, kubernetes: two, systemd: three } = environments();
    for (const env of [one, two, three]) {
      const drain = Number(env?.["ALMANAC_DRAIN_SECONDS"]);
      expect(drain).toBeGreaterThanOrEqual(45); // an answer of the translator takes half a minute
      for (const given of Object.values(seconds)) expect(given).toBeGreaterThanOrEqual(drain + 10);
    }
  });

  test("holds no credential, but names the files that do", () => {
    for (const env of Object.values(environments())) {
      expect(Object.keys(env)).not.toContain("READING_SERVICE_TOKEN");
      expect(Object.keys(env)).not.toContain("READING_SERVICE_API_KEY");
    }
  });

  test.each(["compose", "kubernetes"])("has a configuration that is right: %s", async (folder) => {
    const path = `deploy/${folder}/almanac.config.ts`;
    expect((await loadConfiguration(path, place(""))).site.name).toBe("Almanac");
  });
});

describe("two versions of a worker at once", () => {
  test("are told apart by one build id each, of which there is none unless asked for", () => {
    for (const text of [composeText, textOf("deploy/systemd/versioned.conf")])
      expect(text).toContain("TEMPORAL_WORKER_BUILD_ID");
    expect(environments()["compose"]).toMatchObject({ TEMPORAL_WORKER_BUILD_ID: "" });
  });

  test("have one user and differ in nothing but the version where systemd runs them", () => {
    const dropIn = textOf("deploy/systemd/versioned.conf");
    expect(dropIn).toMatch(
      /^ExecStart=\nExecStart=\/usr\/bin\/node \/opt\/almanac\/%i\/scripts\/almanac\.js worker$/m,
    );
    expect(dropIn).toMatch(/^User=almanac$/m);
    expect(unit).toMatch(/^DynamicUser=yes$/m);
  });
});

describe("a worker in a container", () => {
  test("is asked for its health where it shows it", () => {
    const [{ startupProbe, livenessProbe, readinessProbe }] = deployment.containers;
    const asks = (path: string) => ({ httpGet: { path, port: "monitor" } });
    expect(startupProbe).toMatchObject(asks("/livez"));
    expect(livenessProbe).toMatchObject(asks("/livez"));
    expect(readinessProbe).toMatchObject(asks("/readyz"));
    expect(dockerfile).toContain("http://127.0.0.1:9464/livez");
    expect(environments()["kubernetes"]?.["ALMANAC_MONITOR_ADDRESS"]).toBe("0.0.0.0:9464");
    expect(dockerfile).toContain("EXPOSE 9464");
  });

  test("does not run as root, and has a read-only root file system", () => {
    expect(deployment.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(deployment.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(compose.services["worker"]?.read_only).toBe(true);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });

  test("opens its ports only to this machine under compose, next to servers with pinned images", () => {
    for (const [name, { image, ports }] of Object.entries(compose.services)) {
      for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
      const isOwn = /^almanac:\$\{ALMANAC_VERSION(?:_BEFORE)?:-latest\}$/.test(image);
      if (!isOwn) expect(image, name).toMatch(digest);
    }
  });
});

/** A step by an action, with the inputs that its action.yml has in that version. */
const action = <Uses extends string, With extends z.ZodType>(uses: Uses, inputs: With) =>
  z.strictObject({ id: z.string().optional(), uses: z.literal(uses), with: inputs });
const plain = (uses: string) => z.strictObject({ id: z.string().optional(), uses: z.literal(uses) });
const pages = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    schedule: z.tuple([z.strictObject({ cron: z.string().regex(/^\d{1,2} \* \* \* \*$/) })]),
    workflow_dispatch: z.null(),
  }),
  concurrency: z.strictObject({ group: z.string(), "cancel-in-progress": z.literal(false) }),
  permissions: z.strictObject({
    contents: z.literal("read"),
    pages: z.literal("write"),
    "id-token": z.literal("write"),
  }),
  jobs: z.strictObject({
    deploy: z.strictObject({
      "runs-on": z.literal("ubuntu-latest"),
      "timeout-minutes": z.int().max(60),
      environment: z.strictObject({ name: z.literal("github-pages"), url: z.string() }),
      steps: z.tuple([
        plain("actions/checkout@v5"),
        action(
          "actions/setup-node@v5",
          z.strictObject({ "node-version": z.literal(24), cache: z.literal("npm") }),
        ),
        z.strictObject({ run: z.literal("npm ci") }),
        z.strictObject({
          run: z.literal("npx almanac deploy folder public --host github-pages"),
          env: z.record(z.string(), z.string()),
        }),
        action(
          "actions/upload-pages-artifact@v5",
          z.strictObject({ path: z.literal("public"), "include-hidden-files": z.literal(true) }),
        ),
        plain("actions/deploy-pages@v4"),
      ]),
    }),
  }),
});

test("the workflow for GitHub Pages uploads what the command has copied, with variables that it knows", () => {
  const { jobs } = pages.parse(parse(textOf("deploy/github-pages/pages.yml")));
  const { env } = jobs.deploy.steps[3];
  expect(() => readEnvironment(env)).not.toThrow();
  expect(env).toMatchObject({ AWS_SECRET_ACCESS_KEY: "${{ secrets.AWS_SECRET_ACCESS_KEY }}" });
});

describe("the CloudFront function", () => {
  const code = textOf("deploy/cloudfront/addresses.js");
  const answered = z.union([
    z.object({ uri: z.string() }).transform(({ uri }) => uri),
    z
      .object({
        statusCode: z.literal(302),
        headers: z.object({ location: z.object({ value: z.string() }) }),
      })
      .transform(({ headers }) => `302 ${headers.location.value}`),
  ]);
  const at = (uri: string, days: number, today: string) => {
    const text = code.replace("const days = 0;", `const days = ${days};`);
    class Today extends Date {
      static override now = () => Date.parse(today);
    }
    const event = { request: { uri } };
    return answered.parse(
      runInNewContext(`${text}; handler(event)`, { event, Date: Today }, { timeout: 60_000 }),
    );
  };

  test.each([
    ["/en/daily/leo/2025-01-31/", "/en/daily/leo/"],
    ["/stars/en/daily/leo/2025-01-31", "/stars/en/daily/leo/"],
    ["/en/weekly/leo/2025-01-26/index.html", "/en/weekly/leo/"],
    ["/en/monthly/leo/2025-01/", "/en/monthly/leo/"],
    ["/en/yearly/leo/2024/", "/en/yearly/leo/"],
  ])("leads %s to the current page once it has left the site, and not before", (address, current) => {
    expect(at(address, 62, "2025-06-01T00:00:00Z")).toBe(`302 ${current}`);
    const page = address.endsWith("/") ? `${address}index.html` : address.replace(/([^l])$/, "$1/index.html");
    expect(at(address, 62, "2025-02-01T00:00:00Z")).toBe(page);
    expect(at(address, 0, "2035-02-01T00:00:00Z")).toBe(page);
  });

  test("leads no data and no current page elsewhere", () => {
    for (const address of [
      "/v1/en/daily/2020-01-01.json",
      "/en/daily/leo/feed.xml",
      "/en/daily/leo/index.html",
    ])
      expect(at(address, 62, "2026-11-21T00:00:00Z")).toBe(address);
  });
});
