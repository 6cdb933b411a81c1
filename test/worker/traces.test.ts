// Without the traces setting nothing is loaded; with it but without the packages, one sentence tells the operator what to do.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { bundleWorkflows } from "../../worker/bundle.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { almanac, environmentFor } from "../support/cli.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

/** Node on a machine without those packages. */
const withoutPackages = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    resolve(name, context, next) {
      if (!/^@opentelemetry\\/|interceptors-opentelemetry$/.test(name)) return next(name, context);
      throw Object.assign(new Error("Cannot find package " + name), { code: "ERR_MODULE_NOT_FOUND" });
    },
  });`)}`;

test("a worker without an endpoint loads none of the packages, and its workflows contain nothing for traces", async () => {
  const loading =
    'await import("./scripts/worker.ts"); await import("./worker/worker-process.ts"); console.log("loaded")';
  const words = [withoutPackages, "--input-type=module", "--eval", loading];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toBe("loaded\n");
  const textOf = (bundle: Awaited<ReturnType<typeof bundleWorkflows>>): string =>
    "code" in bundle ? bundle.code : readFileSync(bundle.codePath, "utf8");
  expect(textOf(await bundleWorkflows())).not.toContain("_tracer-data");
  expect(textOf(await bundleWorkflows(true))).toContain("_tracer-data");
});

test("a worker that is to trace without the packages says in one sentence how to install them, and ends as for wrong settings", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "almanac-traces-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, "almanac.config.ts"), "export default {};\n");
  const nowhere = "http://127.0.0.1:9";
  const endpoints = { english: nowhere, translator: nowhere, legacy: nowhere };
  const env = { ...environmentFor({ endpoints, token: "token", apiKey: "key" }), ...endpoint };
  const { code, stderr } = await almanac(["worker"], { node: [withoutPackages], cwd, env });
  expect(code).toBe(2);
  const { peerDependencies } = packageJson;
  const install = Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`);
  const command = `npm install ${install.join(" ")}`;
  expect(stderr).toContain(`but the packages for traces are not installed. Run ${command}`);
  expect(readFileSync(join(root, "docs/monitoring.md"), "utf8")).toContain(`\n${command}\n`);
});

test("the packages are optional dependencies, each within the tested range of versions", () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies } = packageJson;
  const tried: Readonly<Record<string, string>> = devDependencies;
  for (const [name, range] of Object.entries(peerDependencies)) {
    expect(peerDependenciesMeta).toHaveProperty([name], { optional: true });
    expect(tried[name]?.startsWith(range.replace("^", "").split(".", 2).join("."))).toBe(true);
  }
  expect(packageJson.dependencies["@temporalio/worker"]).toBe(
    peerDependencies["@temporalio/interceptors-opentelemetry"],
  );
});

test.each([
  [{}, undefined],
  [endpoint, { sampled: "always" }],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example/v1/traces" }, { sampled: "always" }],
  [{ ...endpoint, OTEL_SDK_DISABLED: "true" }, undefined],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: "none" }, undefined],
  [{ ...endpoint, OTEL_TRACES_SAMPLER: "always_off" }, { sampled: "never" }],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" },
    { sampled: { ratio: 0.25 } },
  ],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_TRACES_SAMPLER: "mine" }, undefined],
])("traces are as OpenTelemetry's variables say: %o", (given, traces) => {
  expect(readEnvironment(given).traces).toEqual(traces);
});

test.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"],
  ["OTEL_TRACES_EXPORTER", "zipkin"],
  ["OTEL_TRACES_SAMPLER", "sometimes"],
  ["OTEL_TRACES_SAMPLER_ARG", "half"],
])("%s=%s would do something else than it says, and is refused", (name, text) => {
  expect(() => readEnvironment({ ...endpoint, [name]: text })).toThrow(`${name}: expected `);
});
