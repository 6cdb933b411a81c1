// OpenTelemetry's own variables. Its packages read them, but are loaded only if tracing is on. This file decides that, and refuses
// values that the packages would not honor as intended.
import { z } from "zod";
import { anyText, collectorUrl, yesOrNo } from "./variables.ts";
import type { GivenVariables, WrongSetting } from "./wrong-setting.ts";

export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl,
  OTEL_SDK_DISABLED: yesOrNo,
  OTEL_TRACES_EXPORTER: anyText,
  OTEL_TRACES_SAMPLER: anyText,
  OTEL_TRACES_SAMPLER_ARG: anyText,
};
const shape = z.object(telemetryVariables);
type TelemetryVariables = z.output<typeof shape>;

/** Sampling of nights. The decision is made per night, so that a night is traced either completely or not at all. */
export interface TraceSettings {
  readonly sampled: "always" | "never" | { readonly ratio: number };
}

/** Undefined if tracing is off. */
export function tracesFrom(variables: TelemetryVariables): TraceSettings | undefined {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint = endpoint,
    OTEL_SDK_DISABLED: isDisabled = false,
    OTEL_TRACES_EXPORTER: exporter = "otlp",
    OTEL_TRACES_SAMPLER: sampler = "parentbased_always_on",
    OTEL_TRACES_SAMPLER_ARG: ratio = "1",
  } = variables;
  if (tracesEndpoint === undefined || isDisabled || exporter === "none") return undefined;
  switch (sampler.replace("parentbased_", "")) {
    case "always_off":
      return { sampled: "never" };
    case "traceidratio":
      return { sampled: { ratio: Number(ratio) } };
    default:
      return { sampled: "always" };
  }
}

const samplers = ["always_on", "always_off", "traceidratio"].flatMap((one) => [one, `parentbased_${one}`]);

/** Checks nothing without an endpoint: the variables may be set for other programs. */
export function telemetryProblemsIn(given: GivenVariables): WrongSetting[] {
  const parsed = shape.safeParse(given);
  if (!parsed.success || tracesFrom(parsed.data) === undefined) return [];
  const protocol = "http/protobuf";
  const allowed: Readonly<Record<string, readonly string[]>> = {
    OTEL_EXPORTER_OTLP_PROTOCOL: [protocol],
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: [protocol],
    OTEL_TRACES_EXPORTER: ["otlp", "none"],
    OTEL_TRACES_SAMPLER: samplers,
  };
  const wrong = Object.entries(allowed).flatMap(([name, words]) => {
    const seen = given[name];
    const isRight = seen === undefined || seen === "" || words.includes(seen);
    return isRight ? [] : [{ name, problem: `expected ${words.join(" or ")}, got ${JSON.stringify(seen)}` }];
  });
  const name = "OTEL_TRACES_SAMPLER_ARG";
  const ratio = Number(given[name] ?? 1);
  if (ratio >= 0 && ratio <= 1) return wrong;
  return [...wrong, { name, problem: `expected a number from 0 to 1, got ${JSON.stringify(given[name])}` }];
}
