import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settingForms } from "../../store/kinds.ts";
import { readEnvironment, WrongSettings, now } from "../../worker/settings/environment.ts";

function failureOf(env: Record<string, string>): unknown {
  try {
    return readEnvironment(env) && undefined;
  } catch (error) {
    return error;
  }
}

function wrongIn(env: Record<string, string>): Record<string, string> {
  const error = failureOf(env);
  if (!(error instanceof WrongSettings)) throw new Error("expected wrong settings", { cause: error });
  for (const { name, problem } of error.wrong) expect(error.message).toContain(`${name}: ${problem}`);
  return Object.fromEntries(error.wrong.map(({ name, problem }) => [name, problem]));
}

const credentials = { READING_SERVICE_TOKEN: "tok-abcdefgh", READING_SERVICE_API_KEY: "key-abcdefgh" };

describe("the environment", () => {
  it("may be empty, and then changes nothing", () => {
    expect(readEnvironment({ PATH: "/bin" })).toEqual({
      endpoints: { english: undefined, translator: undefined, legacy: undefined },
      token: undefined,
      apiKey: undefined,
      vault: undefined,
      site: undefined,
      s3: { pathStyle: undefined, checksums: undefined, encryption: undefined, kmsKey: undefined },
      configPath: undefined,
      alertUrl: undefined,
      drainMs: 25_000,
      log: {},
      temporalCliPath: undefined,
      cacheHome: undefined,
      chromiumPath: undefined,
      path: "/bin",
      testClockOffsetMs: undefined,
      testClockSpeed: 1,
      temporalVariables: [],
      proxies: { http: undefined, https: undefined, none: "localhost,127.0.0.1,[::1]" },
    });
  });

  it("accepts a moved clock only in a test run", () => {
    const moved = { ALMANAC_TEST_CLOCK_OFFSET_MS: "-7200000" };
    expect(() => readEnvironment(moved)).toThrow(
      "ALMANAC_TEST_CLOCK_OFFSET_MS: only for test runs, which set ALMANAC_TEST_RUN. Remove it",
    );
    const inTests = readEnvironment({ ...moved, ALMANAC_TEST_RUN: "/tmp/run" });
    expect(inTests.testClockOffsetMs).toBe(-7_200_000);
    expect(Math.abs(now(inTests).getTime() + 7_200_000 - Date.now())).toBeLessThan(60_000);
  });

  it("accepts a faster lease clock only in a test run", () => {
    const faster = { ALMANAC_TEST_CLOCK_SPEED: "5" };
    expect(() => readEnvironment(faster)).toThrow(
      "ALMANAC_TEST_CLOCK_SPEED: only for test runs, which set ALMANAC_TEST_RUN. Remove it",
    );
    expect(readEnvironment({ ...faster, ALMANAC_TEST_RUN: "/tmp/run" }).testClockSpeed).toBe(5);
    expect(() => readEnvironment({ ALMANAC_TEST_CLOCK_SPEED: "0" })).toThrow("a whole number from 1 to 100");
  });

  it("is parsed into typed values, and secrets stay secrets", () => {
    const environment = readEnvironment({
      ...credentials,
      READING_SERVICE_URL: "https://readings.example.org/base/",
      READING_SERVICE_TRANSLATOR_URL: "http://localhost:8080",
      READING_SERVICE_LEGACY_URL: "http://[::1]:8081/",
      ALMANAC_VAULT: "s3://bucket/vault",
      ALMANAC_SITE: "file:./.almanac/site",
      ALMANAC_S3_PATH_STYLE: "Yes",
      ALMANAC_S3_CHECKSUMS: "when-required",
      ALMANAC_S3_ENCRYPTION: "aws:kms",
      ALMANAC_S3_KMS_KEY: "alias/site",
      ALMANAC_CONFIG: "./almanac.config.ts",
      ALMANAC_ALERT_URL: "https://hooks.example.org/T0/a-b-c?key=d",
      TEMPORAL_CLI_PATH: "/opt/temporal",
      TEMPORAL_ADDRESS: "temporal.example.org:7233",
      CHROMIUM_PATH: "/opt/chromium",
      HTTPS_PROXY: "http://user:pass-w0rd@proxy.example.org:3128",
      NO_PROXY: ".example.net",
    });
    expect(environment).toMatchObject({
      endpoints: {
        english: "https://readings.example.org/base",
        translator: "http://localhost:8080",
        legacy: "http://[::1]:8081",
      },
      vault: "s3://bucket/vault",
      site: "file:./.almanac/site",
      s3: { pathStyle: true, checksums: "when-required", encryption: "aws:kms", kmsKey: "alias/site" },
      configPath: "./almanac.config.ts",
      temporalCliPath: "/opt/temporal",
      temporalVariables: ["TEMPORAL_ADDRESS"],
      chromiumPath: "/opt/chromium",
    });
    const alertUrl = environment.alertUrl;
    const revealed = alertUrl !== undefined && "value" in alertUrl && alertUrl.value.reveal();
    expect(revealed).toBe("https://hooks.example.org/T0/a-b-c?key=d");
    expect(environment.proxies.https?.reveal()).toBe("http://user:pass-w0rd@proxy.example.org:3128");
    expect(environment.proxies.none).toBe(".example.net,localhost,127.0.0.1,[::1]");
    const print = inspect(environment, { depth: 9, showHidden: true }) + JSON.stringify(environment);
    expect(print).not.toMatch(/abcdefgh|a-b-c|pass-w0rd/);
  });

  it.each([
    ["9464", { host: "127.0.0.1", port: 9464 }],
    ["0.0.0.0:9464", { host: "0.0.0.0", port: 9464 }],
    ["[::]:9464", { host: "::", port: 9464 }],
  ])("has %s for the monitor's address: without a host it is this machine's alone", (text, monitor) => {
    expect(readEnvironment({ ALMANAC_MONITOR_ADDRESS: text }).monitor).toEqual(monitor);
  });

  it("gives a worker 25 s to stop, and refuses invalid times and addresses", () => {
    expect(readEnvironment({}).drainMs).toBe(25_000);
    expect(readEnvironment({ ALMANAC_DRAIN_SECONDS: "90" }).drainMs).toBe(90_000);
    for (const [name, text] of [
      ["ALMANAC_DRAIN_SECONDS", "4"],
      ["ALMANAC_DRAIN_SECONDS", "25s"],
      ["ALMANAC_MONITOR_ADDRESS", "70000"],
      ["ALMANAC_MONITOR_ADDRESS", "http://127.0.0.1:9464"],
      ["ALMANAC_ALERT_FORM", "teams"],
    ] as const)
      expect(wrongIn({ [name]: text })[name], `${name}=${text}`).toContain("expected ");
    for (const name of ["ALMANAC_PING_URL", "ALMANAC_PUBLISHED_URL"])
      expect(wrongIn({ [name]: "http://hooks.example.org/secret" })[name]).not.toContain("secret");
  });

  it("has a worker's version from the variables that Temporal's controller sets, which name no Temporal", () => {
    expect(readEnvironment({}).version).toBeUndefined();
    const build = { TEMPORAL_WORKER_BUILD_ID: "1.2.0+a" };
    expect(readEnvironment(build)).toMatchObject({ version: { buildId: "1.2.0+a" }, temporalVariables: [] });
    const both = { ...build, TEMPORAL_DEPLOYMENT_NAME: "default/almanac" };
    expect(readEnvironment(both).version).toEqual({ buildId: "1.2.0+a", deployment: "default/almanac" });
    const { TEMPORAL_DEPLOYMENT_NAME } = wrongIn({ TEMPORAL_DEPLOYMENT_NAME: "almanac" });
    expect(TEMPORAL_DEPLOYMENT_NAME).toContain("needs TEMPORAL_WORKER_BUILD_ID");
    expect(wrongIn({ TEMPORAL_WORKER_BUILD_ID: "two words" })).toHaveProperty("TEMPORAL_WORKER_BUILD_ID");
  });

  it("treats an empty variable as unset", () => {
    const environment = readEnvironment({ READING_SERVICE_URL: "", ALMANAC_VUALT: "", HTTP_PROXY: "" });
    expect(environment.endpoints.english).toBeUndefined();
    expect(environment.proxies.http).toBeUndefined();
  });

  it("prefers the lower-case proxy variable, and accepts http as the scheme", () => {
    const environment = readEnvironment({ http_proxy: "small:3128", HTTP_PROXY: "http://large:3128" });
    expect(environment.proxies.http?.reveal()).toBe("http://small:3128");
  });

  it("names the file of a credential from a file", () => {
    const files = { READING_SERVICE_TOKEN_FILE: "/run/token", READING_SERVICE_API_KEY_FILE: "/run/key" };
    const environment = readEnvironment(files);
    expect(environment.token).toEqual({ variable: "READING_SERVICE_TOKEN_FILE", file: "/run/token" });
    expect(environment.apiKey).toEqual({ variable: "READING_SERVICE_API_KEY_FILE", file: "/run/key" });
  });
});

describe("a wrong value", () => {
  it("is reported with the expected and the actual value, all of them at once", () => {
    const wrong = wrongIn({
      READING_SERVICE_URL: "http://readings.example.org",
      READING_SERVICE_LEGACY_URL: "readings.example.org",
      ALMANAC_SITE: "s3://No",
      ALMANAC_VAULT: "./vault",
      ALMANAC_S3_PATH_STYLE: "perhaps",
      ALMANAC_S3_CHECKSUMS: "never",
      ALMANAC_S3_ENCRYPTION: "rot13",
      ALMANAC_VUALT: "file:./vault",
      READING_SERVICE_TOKEN: "tok-abcdefgh",
      HTTP_PROXY: "socks5://proxy:1080",
    });
    const url = "expected an https URL without user name, query or fragment (http on this machine only)";
    expect(wrong).toEqual({
      READING_SERVICE_URL: `${url}, got "http://readings.example.org"`,
      READING_SERVICE_LEGACY_URL: `${url}, got a text without "https://"`,
      ALMANAC_SITE: expect.stringContaining("a bucket name has 3 to 63 lower-case letters"),
      ALMANAC_VAULT: `expected ${settingForms}, got "./vault"`,
      ALMANAC_S3_PATH_STYLE: 'expected 1 or 0, true or false, yes or no, got "perhaps"',
      ALMANAC_S3_CHECKSUMS: 'expected when-supported or when-required, got "never"',
      ALMANAC_S3_ENCRYPTION: 'expected AES256 or aws:kms or aws:kms:dsse, got "rot13"',
      ALMANAC_VUALT: "unknown variable. Did you mean ALMANAC_VAULT?",
      READING_SERVICE_API_KEY:
        "not set, and neither is READING_SERVICE_API_KEY_FILE. The service needs a token and an API key",
      HTTP_PROXY: 'expected a proxy\'s http or https URL, got "socks5://proxy:1080"',
    });
  });

  it.each([
    "https://user:hidden@readings.example.org",
    "https://readings.example.org/?key=hidden",
    "https://readings.example.org/#hidden",
    "user:hidden@readings.example.org",
    "ftp://user:hidden@readings.example.org/a@b",
    "hidden",
    "http://127.0.0.1.example.org?hidden",
  ])("of an endpoint's URL is refused without showing what may be a credential: %s", (text) => {
    const wrong = wrongIn({ READING_SERVICE_URL: text });
    expect(Object.keys(wrong)).toEqual(["READING_SERVICE_URL"]);
    expect(wrong["READING_SERVICE_URL"]).not.toContain("hidden");
  });

  it.each(["http://127.0.0.1", "http://127.8.9.10:80", "http://localhost:1", "http://sandbox.localhost"])(
    "is none for a service on this machine: %s",
    (url) => {
      expect(readEnvironment({ READING_SERVICE_URL: url }).endpoints.english).toBe(
        new URL(url).href.slice(0, -1),
      );
    },
  );

  it.each(["Bearer tok-hidden", "tok-hidden\n", "tok hidden", "tök-hidden"])(
    "of a credential is never printed: %j",
    (text) => {
      const wrong = wrongIn({ ...credentials, READING_SERVICE_TOKEN: text });
      expect(wrong["READING_SERVICE_TOKEN"]).toMatch(/^expected one word .*, got something else$/);
    },
  );

  it("of the alert's URL is never printed", () => {
    const wrong = wrongIn({ ALMANAC_ALERT_URL: "http://hooks.example.org/hidden" });
    expect(wrong["ALMANAC_ALERT_URL"]).toBe(
      "expected an https URL (http on this machine only), got something else",
    );
  });

  it("can be a credential given twice", () => {
    const wrong = wrongIn({ ...credentials, READING_SERVICE_TOKEN_FILE: "/run/token" });
    expect(wrong).toEqual({
      READING_SERVICE_TOKEN: "set together with READING_SERVICE_TOKEN_FILE. Keep one of the two",
    });
  });

  it("can be a key for an encryption that takes none", () => {
    const wrong = "has no effect without ALMANAC_S3_ENCRYPTION=aws:kms";
    expect(wrongIn({ ALMANAC_S3_KMS_KEY: "alias/site" })).toEqual({ ALMANAC_S3_KMS_KEY: wrong });
    const both = { ALMANAC_S3_ENCRYPTION: "AES256", ALMANAC_S3_KMS_KEY: "alias/site" };
    expect(wrongIn(both)).toEqual({ ALMANAC_S3_KMS_KEY: wrong });
  });

  it("can be a vault at the same location as the site", () => {
    const wrong = wrongIn({ ALMANAC_VAULT: "s3://bucket", ALMANAC_SITE: "s3://bucket" });
    expect(wrong).toEqual({ ALMANAC_SITE: "is the same location as ALMANAC_VAULT, which is private" });
  });
});

describe("an unknown variable", () => {
  it.each([
    ["ALMANAC_VALUT", "ALMANAC_VAULT"],
    ["ALMANAC_site", "ALMANAC_SITE"],
    ["READING_SERVICE_APIKEY", "READING_SERVICE_API_KEY"],
    ["READING_SERVICE_TRANSLATION_URL", "READING_SERVICE_TRANSLATOR_URL"],
  ])("of ours is an error, with the name that was meant: %s", (name, meant) => {
    expect(wrongIn({ [name]: "x" })).toEqual({ [name]: `unknown variable. Did you mean ${meant}?` });
  });

  it("with our prefix and no similar name is an error too", () => {
    expect(wrongIn({ ALMANAC_FAVOURITE_COLOUR: "blue" })).toEqual({
      ALMANAC_FAVOURITE_COLOUR: "unknown variable",
    });
  });

  it("of other programs and of the tests is ignored", () => {
    expect(readEnvironment({ AWS_REGION: "eu-west-1", ALMANAC_TEST_DEEP: "1" }).vault).toBeUndefined();
  });

  it("causes only errors about settings, whatever the values are", () => {
    const name = fc.constantFrom(
      "READING_SERVICE_URL",
      "ALMANAC_VAULT",
      "HTTP_PROXY",
      "READING_SERVICE_TOKEN",
    );
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true }))),
        (env) => {
          const error = failureOf(env);
          expect(error === undefined || error instanceof WrongSettings).toBe(true);
        },
      ),
    );
  });
});

describe("a variable of Temporal's", () => {
  it.each([
    ["TEMPORAL_CODEC_ENDPOINT", "https://codec.example", /sends only keys, hashes and counts to Temporal/],
    ["TEMPORAL_CODEC_AUTH", "Bearer hidden", /sends only keys, hashes and counts to Temporal/],
    ["TEMPORAL_TLS_DISABLE_HOST_VERIFICATION", "true", /TEMPORAL_TLS_SERVER_CA_CERT_PATH to its CA/],
  ])("that would protect nothing is refused by name, with what to do instead: %s", (name, text, instead) => {
    const wrong = wrongIn({ [name]: text });
    expect(Object.keys(wrong)).toEqual([name]);
    expect(wrong[name]).toMatch(/^not supported, so unset it: /);
    expect(wrong[name]).toMatch(instead);
    expect(wrong[name]).not.toContain("hidden");
    expect(failureOf({ [name]: "" })).toBeUndefined();
  });

  it("with a redundant or foreign meaning is accepted", () => {
    const env = {
      TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: "false",
      TEMPORAL_UI_PORT: "8080",
      TEMPORAL_TLS: "0",
    };
    expect(failureOf({ ...env, TEMPORAL_GRPC_META_TEAM: "stars" })).toBeUndefined();
  });

  it("with a value for TLS that Temporal's library would read as false is refused", () => {
    for (const text of ["yes", "True", "on"])
      expect(wrongIn({ TEMPORAL_TLS: text })["TEMPORAL_TLS"]).toMatch(
        /^expected true or 1, false or 0, got "/,
      );
  });

  it("with an API key in a file names its Temporal, and excludes another key", () => {
    const file = { TEMPORAL_API_KEY_FILE: "/run/temporal-key" };
    expect(readEnvironment(file)).toMatchObject({
      temporalApiKey: { variable: "TEMPORAL_API_KEY_FILE", file: "/run/temporal-key" },
      temporalVariables: ["TEMPORAL_API_KEY_FILE"],
    });
    expect(wrongIn({ ...file, TEMPORAL_API_KEY: "hidden" })).toEqual({
      TEMPORAL_API_KEY: "set together with TEMPORAL_API_KEY_FILE. Keep one of the two",
    });
  });
});
