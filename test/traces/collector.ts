// `npm run traces:collector`: sends a night's spans to a real OpenTelemetry Collector, and checks its output. It uses an installed
// `otelcol`, or builds one with Go from the collector's own modules, which takes some minutes the first time. It exits with 1 if a
// span was refused or contains forbidden data.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "../../worker/temporal/ports.ts";
import { shownAttributes } from "../../worker/traces/telemetry.ts";
import { type AtEnd, withEnds } from "../support/ends.ts";
import { createWorld, until } from "../support/night.ts";
import { isExecutable, onPath } from "../support/on-path.ts";
import { sharedTemporal } from "../support/temporal.ts";

const version = "0.165.0";
const modules = "go.opentelemetry.io/collector";

await withEnds(async (atEnd) => {
  const collector = await startRealCollector(atEnd);
  const temporal = await sharedTemporal();
  const world = await createWorld(
    temporal,
    { languages: ["en", "hi"], operations: ["daily-horoscope"] },
    atEnd,
  );
  world.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url;
  const worker = await world.worker();
  const { state } = await (await world.nightly()).result();
  const code = await worker.stop();
  const { calls } = await world.sandbox.stats();
  await until("the last spans", async () => namesIn(collector.said()).filter(isCall).length >= calls);
  const said = collector.said();
  const names = namesIn(said);
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} ${name}`);
  console.log(
    `otelcol ${version} took ${names.length} spans of a night that is ${state}: ${counts.join(", ")}`,
  );
  const keys = new Set(Array.from(said.matchAll(/^\s+-> ([\w.]+): \w+\(/gm), ([, key = ""]) => key));
  const known = new Set<string>([
    ...shownAttributes,
    "service.name",
    "service.version",
    "telemetry.sdk.language",
  ]);
  const strange = [...keys].filter((key) => !known.has(key) && !key.startsWith("telemetry.sdk."));
  const nights = new Set(
    Array.from(said.matchAll(/Trace ID +: (\w+)\n(?:.*\n){2}    Name +: call /g), ([, id]) => id),
  );
  const wrong = [
    ...(code === 0 ? [] : [`the worker ended with ${code}`]),
    ...(names.filter(isCall).length === calls ? [] : [`${calls} calls were made`]),
    ...(nights.size === 1 ? [] : [`the calls are in ${nights.size} traces`]),
    ...(keys.has("almanac.waited_ms") ? [] : ["no call says how long it waited"]),
    ...(strange.length === 0 ? [] : [`attributes that should not be there: ${strange.join(", ")}`]),
    ...(/(?:Dropped|refused|error)\b.*spans/i.test(said) ? ["the collector dropped or refused spans"] : []),
  ];
  console.log(
    wrong.length === 0 ? "each call is there once, in one trace, and nothing else is said" : wrong.join("; "),
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
});

function isCall(name: string): boolean {
  return name.startsWith("call ");
}

/** The collector's exporter for people to read writes each span with all that it has. */
function namesIn(said: string): string[] {
  return Array.from(said.matchAll(/^ {4}Name +: (.*)$/gm), ([, name = ""]) => name);
}

async function startRealCollector(atEnd: AtEnd) {
  const path = onPath("otelcol", "otelcol-contrib") ?? builtCollector();
  const folder = mkdtempSync(join(tmpdir(), "almanac-collector-"));
  const [port] = await freePorts([undefined]);
  const config = join(folder, "collector.yaml"); // JSON is YAML
  const settings = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { debug: { verbosity: "detailed" } },
    service: {
      telemetry: { metrics: { level: "none" } },
      pipelines: { traces: { receivers: ["otlp"], exporters: ["debug"] } },
    },
  };
  writeFileSync(config, JSON.stringify(settings));
  const child = spawn(path, ["--config", config], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  atEnd(async () => {
    child.kill();
    await delay(100);
    rmSync(folder, { recursive: true, force: true });
  });
  await until("the collector", async () => {
    if (child.exitCode !== null) throw new Error(`the collector ended:\n${said}`);
    return said.includes("Everything is ready");
  });
  return { url: `http://127.0.0.1:${port}`, said: () => said };
}

/** Built with the collector's own builder, and cached for the user. */
function builtCollector(): string {
  const folder = join(
    process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
    "almanac",
    `otelcol-${version}`,
  );
  const path = join(folder, "otelcol");
  if (isExecutable(path)) return path;
  mkdirSync(folder, { recursive: true });
  const settings = {
    dist: { name: "otelcol", output_path: folder, version },
    receivers: [{ gomod: `${modules}/receiver/otlpreceiver v${version}` }],
    exporters: [{ gomod: `${modules}/exporter/debugexporter v${version}` }],
  };
  const config = join(folder, "builder.yaml");
  writeFileSync(config, JSON.stringify(settings));
  console.log("building a collector, which takes some minutes ...");
  const words = ["run", `${modules}/cmd/builder@v${version}`, "--config", config];
  const { status, error } = spawnSync("go", words, { stdio: "inherit" });
  if (status === 0 && isExecutable(path)) return path;
  throw new Error(
    "an OpenTelemetry Collector has to be there: put otelcol on the path, or install Go 1.25 or newer, which builds one",
    {
      cause: error,
    },
  );
}
