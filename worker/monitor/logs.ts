// The log. Our messages and Temporal's go through one pino logger, as JSON or, at a terminal, as text. It never contains reading
// text or secrets.
import { ApplicationFailure } from "@temporalio/common";
import {
  DefaultLogger,
  type LogLevel,
  type Logger as TemporalLogger,
  type LogMetadata,
  Runtime,
} from "@temporalio/worker";
import { destination, type DestinationStream, type Logger, pino } from "pino";
import { z } from "zod";
import { buckets } from "../../activities/metrics.ts";
import { failureTypes } from "../../readings/answer.ts";
import type { Environment } from "../settings/environment.ts";

/** Logs to a file, or to standard error if none is named. Default form: text at a terminal, else JSON. */
export function createLog(
  file: string | undefined,
  { level = "info", form }: Partial<Environment["log"]> = {},
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const isTerminal = file === undefined && process.stderr.isTTY;
  const inWords = (form ?? (isTerminal ? "text" : "json")) === "text";
  if (inWords && file === undefined) return pino(options, words(process.stderr));
  return pino(options, destination({ dest: file ?? 2, sync: true, mkdir: true }));
}

const lineSchema = z.looseObject({ level: z.string(), time: z.string(), msg: z.string().default("") });

/** `03:05:12 warn  response quarantined  key=daily/... run=...` */
function words(stream: Pick<NodeJS.WriteStream, "write">): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, ...facts } = lineSchema.parse(JSON.parse(line));
      const shown = Object.entries(facts).map(([name, value]) => ` ${name}=${plain(value)}`);
      stream.write(
        `${time.slice(11, 19)} ${level.padEnd(5)} ${plain(msg)} ${shown.join("")}`.trimEnd() + "\n",
      );
    },
  };
}

/** One line without control characters, which could move the terminal's cursor. */
function plain(value: unknown) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, " ");
}

/**
 * Once a process: Temporal's core logs where we do, and leaves the signals to us. With a port of this machine it counts,
 * and says there what it counted (worker/monitor/monitor.ts hands it on), of Temporal's figures too with the site's id.
 */
export function installRuntime(
  log: Logger,
  exporter?: { readonly port: number; readonly site: string },
): void {
  Runtime.install({
    logger: forTemporal(log),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: { core: "WARN", other: "WARN" }, forward: {} },
      ...(exporter === undefined
        ? {}
        : {
            metrics: {
              attachServiceName: false,
              globalTags: { site: exporter.site },
              prometheus: {
                bindAddress: `127.0.0.1:${exporter.port}`,
                countersTotalSuffix: true,
                unitSuffix: true,
                useSecondsForDurations: true,
                histogramBucketOverrides: buckets,
              },
            },
          }),
    },
  });
}

/** Lowers two of Temporal's messages to debug: each of our workers lacks some kind of handler, and failed requests are already logged. */
function levelOf(level: LogLevel, message: string, meta: LogMetadata | undefined): LogLevel {
  if (/^No (?:workflows|activities|Nexus services) registered/.test(message)) return "DEBUG";
  const error: unknown = meta?.["error"];
  const isOurs = error instanceof ApplicationFailure && saidAlready.has(error.type ?? "");
  return message === "Activity failed" && isOurs ? "DEBUG" : level;
}

/** Failures that activities/call.ts has already logged with their key. */
const saidAlready: ReadonlySet<string> = new Set(failureTypes);

function forTemporal(log: Logger): TemporalLogger {
  // JSON would omit an error's message and stack.
  const inFull = (value: unknown) =>
    value instanceof Error ? { message: value.message, stack: value.stack } : value;
  return new DefaultLogger("TRACE", ({ level, message, meta }) => {
    const { taskToken: _token, ...rest } = meta ?? {};
    const facts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, inFull(value)]));
    log[pinoLevels[levelOf(level, message, meta)]](facts, message);
  });
}

const pinoLevels = { TRACE: "trace", DEBUG: "debug", INFO: "info", WARN: "warn", ERROR: "error" } as const;
