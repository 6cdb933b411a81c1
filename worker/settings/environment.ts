// The only file that reads process.env, and the only wall clock for decisions about dates. Every variable is declared here, validated
// once at startup, and passed on as a parsed value. The libraries of AWS, Temporal and OpenTelemetry also read their own variables
// (environment-problems.ts).
import { z } from "zod";
import type { Secret } from "../../service/secret.ts";
import {
  conflictsIn,
  type credentials,
  type otherSecrets,
  strangersIn,
  telemetryProblemsIn,
  telemetryVariables,
  tracesFrom,
} from "./environment-problems.ts";
import {
  anyText,
  clockSpeed,
  drainSeconds,
  filePath,
  listenAddress,
  milliseconds,
  proxyUrl,
  secretText,
  secretUrl,
  secretWord,
  serviceUrl,
  storeAddress,
  versionWord,
  yesOrNo,
  type WrongSetting,
} from "./variables.ts";

const schema = z.object({
  READING_SERVICE_URL: serviceUrl,
  READING_SERVICE_TRANSLATOR_URL: serviceUrl,
  READING_SERVICE_LEGACY_URL: serviceUrl,
  READING_SERVICE_TOKEN: secretWord,
  READING_SERVICE_TOKEN_FILE: filePath,
  READING_SERVICE_API_KEY: secretWord,
  READING_SERVICE_API_KEY_FILE: filePath,
  ALMANAC_VAULT: storeAddress,
  ALMANAC_SITE: storeAddress,
  ALMANAC_BACKUP: storeAddress,
  ALMANAC_S3_PATH_STYLE: yesOrNo,
  ALMANAC_S3_CHECKSUMS: oneOf("when-supported", "when-required"),
  ALMANAC_S3_CONDITIONS: oneOf("supported", "none"),
  ALMANAC_S3_ENCRYPTION: oneOf("AES256", "aws:kms", "aws:kms:dsse"),
  ALMANAC_S3_KMS_KEY: anyText,
  ALMANAC_SIGNING_KEY: secretText,
  ALMANAC_SIGNING_KEY_FILE: filePath,
  ALMANAC_CONFIG: filePath,
  ALMANAC_OPERATOR: anyText,
  ALMANAC_ALERT_URL: secretUrl,
  ALMANAC_ALERT_URL_FILE: filePath,
  ALMANAC_ALERT_FORM: oneOf("json", "slack"),
  ALMANAC_PING_URL: secretUrl,
  ALMANAC_PING_URL_FILE: filePath,
  ALMANAC_PUBLISHED_URL: secretUrl,
  ALMANAC_PUBLISHED_URL_FILE: filePath,
  ALMANAC_PURGE_URL: secretUrl,
  ALMANAC_PURGE_URL_FILE: filePath,
  ALMANAC_CLOUDFLARE_TOKEN: secretWord,
  ALMANAC_CLOUDFLARE_TOKEN_FILE: filePath,
  ALMANAC_MONITOR_ADDRESS: listenAddress,
  ALMANAC_DRAIN_SECONDS: drainSeconds,
  ALMANAC_LOG_LEVEL: oneOf("debug", "info", "warn", "error"),
  ALMANAC_LOG_FORM: oneOf("json", "text"),
  ALMANAC_TEST_CLOCK_OFFSET_MS: milliseconds,
  ALMANAC_TEST_CLOCK_SPEED: clockSpeed,
  TEMPORAL_API_KEY_FILE: filePath,
  TEMPORAL_CLI_PATH: filePath,
  TEMPORAL_WORKER_BUILD_ID: versionWord,
  TEMPORAL_DEPLOYMENT_NAME: versionWord,
  ...telemetryVariables,
  CHROMIUM_PATH: filePath,
  PATH: anyText,
  XDG_CACHE_HOME: filePath,
  // Proxy variables have two spellings; lowercase takes precedence, as in other programs.
  http_proxy: proxyUrl,
  HTTP_PROXY: proxyUrl,
  https_proxy: proxyUrl,
  HTTPS_PROXY: proxyUrl,
  no_proxy: anyText,
  NO_PROXY: anyText,
});
type Variables = z.output<typeof schema>;
export const variableNames: readonly string[] = Object.keys(schema.shape);

/** Source of a credential: the environment variable itself, or the file that the named variable points to. */
export type SecretFrom = { readonly value: Secret } | { readonly variable: string; readonly file: string };

export type Environment = ReturnType<typeof environmentFrom>;

/** Thrown with all errors at once, so that they can be fixed in one pass. */
export class WrongSettings extends Error {
  override readonly name = "WrongSettings";
  readonly wrong: readonly WrongSetting[];
  /** Path of the configuration, which is checked too. */
  readonly configPath: string | undefined;

  constructor(wrong: readonly WrongSetting[], configPath?: string, also?: Error) {
    const lines = ["invalid environment:", ...wrong.map((one) => `${one.name}: ${one.problem}`)];
    super([lines.join("\n  "), ...(also === undefined ? [] : [also.message])].join("\n"));
    this.wrong = wrong;
    this.configPath = configPath;
  }
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, text]) => text !== undefined && text !== ""),
  );
  const parsed = schema.safeParse(given);
  const issues = parsed.error?.issues ?? [];
  const wrong = [
    ...issues.map((issue) => ({ name: issue.path.join("."), problem: issue.message })),
    ...conflictsIn(given),
    ...strangersIn(given, variableNames),
    ...telemetryProblemsIn(given),
  ];
  if (!parsed.success || wrong.length > 0) throw new WrongSettings(wrong, given["ALMANAC_CONFIG"]);
  return environmentFrom(parsed.data, Object.keys(given));
}

/** Reads only the test clock, for decisions before the environment is validated. */
function readTestClock(env: NodeJS.ProcessEnv = process.env): Pick<Environment, "testClockOffsetMs"> {
  const { ALMANAC_TEST_CLOCK_OFFSET_MS: offset, ALMANAC_TEST_RUN: run } = env;
  return { testClockOffsetMs: run === undefined ? undefined : milliseconds.safeParse(offset).data };
}

function environmentFrom(variables: Variables, given: readonly string[]) {
  const { TEMPORAL_WORKER_BUILD_ID: buildId, TEMPORAL_DEPLOYMENT_NAME: deployment } = variables;
  const { TEMPORAL_API_KEY_FILE: apiKeyFile } = variables;
  return {
    endpoints: {
      english: variables.READING_SERVICE_URL,
      translator: variables.READING_SERVICE_TRANSLATOR_URL,
      legacy: variables.READING_SERVICE_LEGACY_URL,
    },
    token: secretFrom("READING_SERVICE_TOKEN", variables),
    apiKey: secretFrom("READING_SERVICE_API_KEY", variables),
    vault: variables.ALMANAC_VAULT,
    site: variables.ALMANAC_SITE,
    /** The default place that `almanac backup` copies to. */
    backup: variables.ALMANAC_BACKUP,
    /** The settings for which the AWS SDK has no variable of its own. */
    s3: {
      pathStyle: variables.ALMANAC_S3_PATH_STYLE,
      checksums: variables.ALMANAC_S3_CHECKSUMS,
      conditions: variables.ALMANAC_S3_CONDITIONS,
      encryption: variables.ALMANAC_S3_ENCRYPTION,
      kmsKey: variables.ALMANAC_S3_KMS_KEY,
    },
    /** The key that signs the site's pointer (credentials.ts). */
    signingKey: secretFrom("ALMANAC_SIGNING_KEY", variables),
    configPath: variables.ALMANAC_CONFIG,
    /** The name for decisions in the journal. */
    operator: variables.ALMANAC_OPERATOR,
    alertUrl: secretFrom("ALMANAC_ALERT_URL", variables),
    alertForm: variables.ALMANAC_ALERT_FORM,
    /** Dead-man's switch: called after each good night, so that a monitor notices a missing call. */
    pingUrl: secretFrom("ALMANAC_PING_URL", variables),
    /** The address that is notified of changes of the site. */
    publishedUrl: secretFrom("ALMANAC_PUBLISHED_URL", variables),
    /** Purge webhook of a cache, and the API token for purging Cloudflare. */
    purgeUrl: secretFrom("ALMANAC_PURGE_URL", variables),
    cloudflareToken: secretFrom("ALMANAC_CLOUDFLARE_TOKEN", variables),
    /** Listen address of a worker's metrics and health checks. Default: none. */
    monitor: variables.ALMANAC_MONITOR_ADDRESS,
    /** A worker's log. */
    log: { level: variables.ALMANAC_LOG_LEVEL, form: variables.ALMANAC_LOG_FORM },
    /** Tracing, and its sampling. OpenTelemetry's packages read the collector's address themselves. */
    traces: tracesFrom(variables),
    /** Time limit from the stop signal to the exit. */
    drainMs: (variables.ALMANAC_DRAIN_SECONDS ?? 25) * 1000,
    /** Shifts every decision about a date, in tests. Temporal's own clock is not shifted. */
    testClockOffsetMs: variables.ALMANAC_TEST_CLOCK_OFFSET_MS,
    /** Shortens the durations of leases and endpoints, in tests: their clock runs so many times as fast. */
    testClockSpeed: variables.ALMANAC_TEST_CLOCK_SPEED ?? 1,
    /** File with the API key for Temporal. Its library reads the key only from a variable. */
    temporalApiKey:
      apiKeyFile === undefined ? undefined : { variable: "TEMPORAL_API_KEY_FILE", file: apiKeyFile },
    temporalCliPath: variables.TEMPORAL_CLI_PATH,
    chromiumPath: variables.CHROMIUM_PATH,
    path: variables.PATH ?? "",
    cacheHome: variables.XDG_CACHE_HOME,
    /** Worker version, for deploys during a run (worker/worker.ts). Temporal's controller for Kubernetes sets these names. */
    version: buildId === undefined ? undefined : { buildId, deployment },
    /** The given variables that name a Temporal: `almanac local` ignores them and says so. */
    temporalVariables: given.filter(
      (name) => name === "TEMPORAL_API_KEY_FILE" || (name.startsWith("TEMPORAL_") && !(name in schema.shape)),
    ),
    proxies: {
      http: variables.http_proxy ?? variables.HTTP_PROXY,
      https: variables.https_proxy ?? variables.HTTPS_PROXY,
      // A sandbox on this machine is never behind a proxy.
      none: [variables.no_proxy ?? variables.NO_PROXY, "localhost,127.0.0.1,[::1]"].filter(Boolean).join(","),
    },
  };
}

function secretFrom(
  name: (typeof credentials)[number] | (typeof otherSecrets)[number],
  variables: Variables,
): SecretFrom | undefined {
  const variable = `${name}_FILE` as const;
  const file = variables[variable];
  if (file !== undefined) return { variable, file };
  const value = variables[name];
  return value === undefined ? undefined : { value };
}

function oneOf<const Word extends string>(...words: readonly Word[]) {
  const problem = (seen: unknown) => `expected ${words.join(" or ")}, got ${JSON.stringify(seen)}`;
  return z.enum(words, { error: ({ input }) => problem(input) }).optional();
}

/** The clock of a process with this environment, or of this one. Durations, deadlines and file ages use the machine's own clocks. */
export function now({ testClockOffsetMs = 0 }: Partial<Environment> = readTestClock()): Date {
  return new Date(Date.now() + testClockOffsetMs);
}
