// Opens tracing if OTEL_EXPORTER_OTLP_ENDPOINT names a collector. The OpenTelemetry packages are optional peer dependencies that are
// loaded only here, so that other installations neither need them nor wait for them.
import packageJson from "../../package.json" with { type: "json" };
import type { Log } from "../../vault/vault.ts";
import type { TraceSettings } from "../settings/environment-problems.ts";
import type { Closing } from "../shutdown.ts";
import type { Traces } from "./telemetry.ts";

/** Thrown if tracing is configured but its packages are not installed. */
export class TracesNotInstalled extends Error {
  override readonly name = "TracesNotInstalled";
  constructor() {
    const packages = Object.entries(packageJson.peerDependencies).map(([name, range]) => `${name}@${range}`);
    super(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed. Run npm install ${packages.join(" ")}`,
    );
  }
}

/** Opens tracing before everything that is traced, so that it is closed last. */
export async function openTraces(settings: TraceSettings, log: Log, closing: Closing): Promise<Traces> {
  const { startTelemetry } = await import("./telemetry.ts").catch((error: unknown) => {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new TracesNotInstalled() : error;
  });
  const traces = startTelemetry(settings, log);
  closing.add("the traces", traces.close);
  return traces;
}
