// Traces of nights, where somebody wants them: OTEL_EXPORTER_OTLP_ENDPOINT names a collector. The packages that it takes are
// an owner's to install, and are loaded here alone, so that nobody else has them or waits for them.
import packageJson from "../../package.json" with { type: "json" };
import type { Log } from "../../vault/log.ts";
import type { TraceSettings } from "../settings/telemetry-variables.ts";
import type { Closing } from "../shutdown.ts";
import type { Traces } from "./telemetry.ts";

/** Thrown where traces are wanted and the packages for them are not there. */
export class TracesNotInstalled extends Error {
  override readonly name = "TracesNotInstalled";
  constructor() {
    const packages = Object.entries(packageJson.peerDependencies).map(([name, range]) => `${name}@${range}`);
    super(
      `OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, and the packages for them are not installed: npm install ${packages.join(" ")}`,
    );
  }
}

/** Opens them before all that they tell of; they are closed after it. */
export async function openTraces(
  settings: TraceSettings | undefined,
  log: Log,
  closing: Closing,
): Promise<Traces | undefined> {
  if (settings === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry.ts").catch((error: unknown) => {
    throw isMissing(error) ? new TracesNotInstalled() : error;
  });
  const traces = startTelemetry(settings, log);
  closing.add("the traces", traces.close);
  return traces;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
