// Problems between variables: unknown names, values that contradict each other, and variables of the libraries of Temporal and
// OpenTelemetry that would have no effect. Otherwise an ignored variable would look as if it worked.
import { z } from "zod";
import { faultInAddress, kindOf } from "../../store/kinds.ts";
import { nearestName } from "./nearest-name.ts";
import { type GivenVariables, type WrongSetting, anyText, collectorUrl, yesOrNo } from "./variables.ts";

/** Each of these, and of the other secrets, may stand in a file that `..._FILE` names. */
export const credentials = ["READING_SERVICE_TOKEN", "READING_SERVICE_API_KEY"] as const;
export const otherSecrets = [
  "ALMANAC_SIGNING_KEY",
  "ALMANAC_ALERT_URL",
  "ALMANAC_PING_URL",
  "ALMANAC_PUBLISHED_URL",
  "ALMANAC_PURGE_URL",
  "ALMANAC_CLOUDFLARE_TOKEN",
] as const;

const forTests = (harm: string) =>
  `only for test runs, which set ALMANAC_TEST_RUN. Remove it, because ${harm}`;

/** Variables that are wrong unless another one is set. */
const needing: readonly (readonly [name: string, other: string, form: RegExp, problem: string])[] = [
  [
    "ALMANAC_S3_KMS_KEY",
    "ALMANAC_S3_ENCRYPTION",
    /^aws:kms/,
    "has no effect without ALMANAC_S3_ENCRYPTION=aws:kms",
  ],
  [
    "TEMPORAL_DEPLOYMENT_NAME",
    "TEMPORAL_WORKER_BUILD_ID",
    /^/,
    "needs TEMPORAL_WORKER_BUILD_ID, the version in the deployment",
  ],
  ["ALMANAC_TEST_CLOCK_OFFSET_MS", "ALMANAC_TEST_RUN", /^/, forTests("dates would be wrong")],
  ["ALMANAC_TEST_CLOCK_SPEED", "ALMANAC_TEST_RUN", /^/, forTests("calls would exceed the configured rate")],
];

export function conflictsIn(given: GivenVariables): WrongSetting[] {
  const isSet = (name: string) => given[name] !== undefined;
  const twice = [...credentials, ...otherSecrets, "TEMPORAL_API_KEY"]
    .filter((name) => isSet(name) && isSet(`${name}_FILE`))
    .map((name) => ({ name, problem: `set together with ${name}_FILE. Keep one of the two` }));
  const missing = credentials.filter((name) => !isSet(name) && !isSet(`${name}_FILE`));
  const lacking = (missing.length === 1 ? missing : []).map((name): WrongSetting => {
    const problem = `not set, and neither is ${name}_FILE. The service needs a token and an API key`;
    return { name, problem, isUnset: true };
  });
  const alone = needing
    .filter(([name, other, form]) => isSet(name) && !(isSet(other) && form.test(given[other] ?? "")))
    .map(([name, , , problem]) => ({ name, problem }));
  const { ALMANAC_VAULT: vault, ALMANAC_SITE: site, TEMPORAL_TLS: tls } = given;
  const near = vault === undefined || site === undefined ? [] : storesTooNear(vault, site);
  // Temporal's library treats every other word as false, and would then connect without encryption.
  const isTls = tls === undefined || isNo(tls) || tls === "true" || tls === "1";
  const problem = `expected true or 1, false or 0, got ${JSON.stringify(tls)}`;
  return [...twice, ...lacking, ...alone, ...near, ...(isTls ? [] : [{ name: "TEMPORAL_TLS", problem }])];
}

/** Stores inside one another: readers of the site could read the vault, or a cleanup could remove files of the other store. */
function storesTooNear(vault: string, site: string): WrongSetting[] {
  const name = "ALMANAC_SITE";
  if (faultInAddress(vault) !== undefined || faultInAddress(site) !== undefined) return []; // said of each
  const [hidden, shown] = [kindOf(vault).rootOf(vault), kindOf(site).rootOf(site)];
  if (hidden === shown) return [{ name, problem: "is the same location as ALMANAC_VAULT, which is private" }];
  if (hidden.startsWith(shown)) return [{ name, problem: "contains ALMANAC_VAULT, which is private" }];
  if (shown.startsWith(hidden)) return [{ name, problem: "is inside ALMANAC_VAULT, which is private" }];
  return [];
}

/** Variables that Temporal's library reads. Our own, which also start with `TEMPORAL_`, are in the schema. */
const temporalNames = [
  "TEMPORAL_ADDRESS",
  "TEMPORAL_NAMESPACE",
  "TEMPORAL_API_KEY",
  "TEMPORAL_PROFILE",
  "TEMPORAL_CONFIG_FILE",
  "TEMPORAL_TLS",
  "TEMPORAL_TLS_CLIENT_CERT_PATH",
  "TEMPORAL_TLS_CLIENT_CERT_DATA",
  "TEMPORAL_TLS_CLIENT_KEY_PATH",
  "TEMPORAL_TLS_CLIENT_KEY_DATA",
  "TEMPORAL_TLS_SERVER_CA_CERT_PATH",
  "TEMPORAL_TLS_SERVER_CA_CERT_DATA",
  "TEMPORAL_TLS_SERVER_NAME",
];

export const noCodec =
  "Almanac sends only keys, hashes and counts to Temporal, without a codec. Set a codec for other programs in their own environment";
export const noUnverifiedHost =
  "the server's name is always verified. Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to its CA, and TEMPORAL_TLS_SERVER_NAME to the name in its certificate";

/** Protections that Temporal documents and its TypeScript library does not apply, with the remedy. */
const refused: Readonly<Record<string, string>> = {
  TEMPORAL_CODEC_ENDPOINT: noCodec,
  TEMPORAL_CODEC_AUTH: noCodec,
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: noUnverifiedHost,
};

const isNo = (text: string | undefined) => text === "false" || text === "0";

/** Problems of names: a misspelt variable would silently do nothing. ALMANAC_TEST_ is for the tests. */
export function strangersIn(given: GivenVariables, names: readonly string[]): WrongSetting[] {
  const known = [...names, ...temporalNames];
  return Object.keys(given).flatMap((name): WrongSetting[] => {
    if (known.includes(name)) return [];
    const instead = refused[name];
    if (instead !== undefined) {
      const isDefault = name === "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION" && isNo(given[name]);
      return isDefault ? [] : [{ name, problem: `not supported, so unset it: ${instead}` }];
    }
    if (!/^(?:ALMANAC_(?!TEST_)|READING_SERVICE_|TEMPORAL_)/.test(name)) return [];
    const meant = nearestName(name.toUpperCase(), known);
    if (meant !== undefined) return [{ name, meant, problem: `unknown variable. Did you mean ${meant}?` }];
    // One of Temporal's, unlike all that are known, may belong to another program.
    return name.startsWith("TEMPORAL_") ? [] : [{ name, problem: "unknown variable" }];
  });
}

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
