// One line a fact, as JSON: ours and Temporal's through one pino. Never a text, never a secret.
import { type LogLevel, type Logger as TemporalLogger, type LogMetadata, Runtime } from "@temporalio/worker";
import { destination, type Logger, pino } from "pino";
import { buckets } from "../activities/metrics.ts";

/** To a file, or to standard error where none is named. */
export function createLog(file: string | undefined, level = "info"): Logger {
  return pino({ level, base: null }, destination({ dest: file ?? 2, sync: true, mkdir: true }));
}

/**
 * Once a process: Temporal's core logs where we do, and leaves the signals to us. With a port of this machine it counts,
 * and says there what it counted (worker/monitor.ts hands it on).
 */
export function installRuntime(log: Logger, metricsPort?: number): void {
  const prometheus = {
    bindAddress: `127.0.0.1:${metricsPort}`,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
    histogramBucketOverrides: buckets,
  };
  Runtime.install({
    logger: forTemporal(log),
    shutdownSignals: [],
    ...(metricsPort === undefined
      ? {}
      : { telemetryOptions: { metrics: { attachServiceName: false, prometheus } } }),
  });
}

function forTemporal(log: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    const { taskToken: _token, ...facts } = meta ?? {};
    log[pinoLevels[level]](facts, message);
  };
  return {
    log: write,
    trace: (message, meta) => write("TRACE", message, meta),
    debug: (message, meta) => write("DEBUG", message, meta),
    info: (message, meta) => write("INFO", message, meta),
    warn: (message, meta) => write("WARN", message, meta),
    error: (message, meta) => write("ERROR", message, meta),
  };
}

const pinoLevels = { TRACE: "trace", DEBUG: "debug", INFO: "info", WARN: "warn", ERROR: "error" } as const;
