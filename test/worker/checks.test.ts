// `almanac check` for wrong settings, one at a time and many at once: the setting, the observation, the remedy. All servers that it
// asks are real.
import { symlinkSync } from "node:fs";
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { newChecking } from "./support/checking.ts";
import { clockMovedBy } from "../support/noon.ts";

const { folder, usual, sandbox, temporal, pageUrl, checked } = await newChecking();

test("correct settings pass, each with its observation", async () => {
  const checks = await checked({ ALMANAC_ALERT_URL: pageUrl() });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  const seen = Object.fromEntries(checks.map((check) => [check.name, check.seen]));
  expect(seen).toMatchObject({
    "service: english": expect.stringMatching(/^READING_SERVICE_URL answered in \d+\.\d s/),
    "service: translator": expect.stringContaining("accepts the credentials"),
    clock: `in sync with ${sandbox.origin}`,
    "zone data": expect.stringMatching(/^20\d\d[a-z], with the 2 time zones/),
    languages: "Node formats dates and numbers in all 2 languages of this site",
    Temporal: `${temporal.address} answers; namespace default found`,
    schedules: "all 3 found, none paused",
    workers: expect.stringContaining("the queues main, english, translator, legacy"),
    "vault: private": `${join(folder, "vault")} is closed to other users`,
    alerts: "the server of ALMANAC_ALERT_URL answers (HTTP 200 to a test request)",
  });
  expect(seen).not.toHaveProperty("service: legacy"); // nothing is wanted from there
});

/** A wrong setting, and the expected check: setting, observation, remedy. */
interface Wrong {
  readonly env?: Record<string, string>;
  readonly configuration?: object;
  readonly check: string;
  readonly seen: RegExp;
  readonly remedy: RegExp;
  /** 2 if the error is known without asking a server. */
  readonly code: 1 | 2;
}

const environment = { check: "environment", code: 2 } as const;
const configured = {
  check: "configuration",
  remedy: /^fix it in \/.*almanac-\d+\.config\.ts$/,
  code: 2,
} as const;

const table: readonly [string, () => Wrong][] = [
  [
    "a service by http",
    () => ({
      ...environment,
      env: { READING_SERVICE_URL: "http://readings.example" },
      seen: /^READING_SERVICE_URL: expected an https URL .* got "http:\/\/readings\.example"$/,
      remedy: /^fix or remove READING_SERVICE_URL$/,
    }),
  ],
  [
    "an endpoint where nobody listens",
    () => ({
      check: "service: english",
      env: { READING_SERVICE_URL: "http://127.0.0.1:1" },
      seen: /^READING_SERVICE_URL: .*http:\/\/127\.0\.0\.1:1\/.*refused/,
      remedy: /READING_SERVICE_URL is the endpoint's URL.*HTTPS_PROXY/,
      code: 1,
    }),
  ],
  [
    "the address of a web page",
    () => ({
      check: "service: translator",
      env: { READING_SERVICE_TRANSLATOR_URL: pageUrl() },
      seen: /^READING_SERVICE_TRANSLATOR_URL: .*an HTML page instead of JSON/,
      remedy: /READING_SERVICE_TRANSLATOR_URL is the URL of the service, not of a web page/,
      code: 1,
    }),
  ],
  [
    "no address for what is wanted",
    () => ({
      check: "service: translator",
      env: { READING_SERVICE_TRANSLATOR_URL: "" },
      seen: /^READING_SERVICE_TRANSLATOR_URL is not set/,
      remedy: /^set READING_SERVICE_TRANSLATOR_URL to the URL of the translator endpoint$/,
      code: 2,
    }),
  ],
  [
    "a token of somebody else",
    () => ({
      check: "service: english",
      env: { READING_SERVICE_TOKEN: "token-hidden" },
      seen: /the service refused the credentials.*HTTP 401/,
      remedy: /READING_SERVICE_TOKEN and READING_SERVICE_API_KEY/,
      code: 1,
    }),
  ],
  [
    "an API key of somebody else",
    () => ({
      check: "service: english",
      env: { READING_SERVICE_API_KEY: "key-hidden" },
      seen: /the service refused the credentials/,
      remedy: /READING_SERVICE_TOKEN and READING_SERVICE_API_KEY/,
      code: 1,
    }),
  ],
  [
    "a token without a key",
    () => ({
      ...environment,
      env: { READING_SERVICE_API_KEY: "" },
      seen: /^READING_SERVICE_API_KEY: not set, and neither is READING_SERVICE_API_KEY_FILE/,
      remedy: /^set READING_SERVICE_API_KEY or READING_SERVICE_API_KEY_FILE$/,
    }),
  ],
  [
    "a token with a blank in it",
    () => ({
      ...environment,
      env: { READING_SERVICE_TOKEN: "Bearer token-hidden" },
      seen: /^READING_SERVICE_TOKEN: expected one word .* got something else$/,
      remedy: /READING_SERVICE_TOKEN/,
    }),
  ],
  [
    "a file for the token that is not there",
    () => ({
      check: "credentials",
      env: { READING_SERVICE_TOKEN: "", READING_SERVICE_TOKEN_FILE: "/nowhere/token" },
      seen: /^READING_SERVICE_TOKEN_FILE: \/nowhere\/token cannot be read \(ENOENT\)/,
      remedy: /fix that file/,
      code: 2,
    }),
  ],
  [
    "a misspelt variable",
    () => ({
      ...environment,
      env: { ALMANAC_VUALT: "file:./vault" },
      seen: /^ALMANAC_VUALT: unknown variable\. Did you mean ALMANAC_VAULT\?$/,
      remedy: /^rename it to ALMANAC_VAULT$/,
    }),
  ],
  [
    "a misspelt variable of Temporal",
    () => ({
      ...environment,
      env: { TEMPORAL_ADRESS: "127.0.0.1:7233" },
      seen: /^TEMPORAL_ADRESS: unknown variable\. Did you mean TEMPORAL_ADDRESS\?$/,
      remedy: /^rename it to TEMPORAL_ADDRESS$/,
    }),
  ],
  [
    "a vault that is no address",
    () => ({
      ...environment,
      env: { ALMANAC_VAULT: "./vault" },
      seen: /^ALMANAC_VAULT: expected file:<folder> or s3:.* got "\.\/vault"$/,
      remedy: /ALMANAC_VAULT/,
    }),
  ],
  [
    "a vault within the site",
    () => ({
      ...environment,
      env: { ALMANAC_VAULT: `${usual["ALMANAC_SITE"]}/vault` },
      seen: /^ALMANAC_SITE: contains ALMANAC_VAULT, which is private$/,
      remedy: /ALMANAC_SITE/,
    }),
  ],
  [
    "a vault that a link leads to within the site",
    () => {
      const link = join(folder, "by-link");
      symlinkSync(join(folder, "site"), link);
      return {
        ...environment,
        env: { ALMANAC_VAULT: `${pathToFileURL(link).href}/vault` },
        seen: /^ALMANAC_SITE: contains ALMANAC_VAULT, which is private$/,
        remedy: /ALMANAC_SITE/,
      };
    },
  ],
  [
    "a site where no folder can be",
    () => ({
      check: "site: write",
      env: { ALMANAC_SITE: "file:/dev/null/site" },
      seen: /a file that Almanac did not write is in the way/,
      remedy: /./,
      code: 1,
    }),
  ],
  [
    "a bucket whose server is away",
    () => ({
      check: "vault: write",
      env: {
        ALMANAC_VAULT: "s3://example-vault",
        AWS_ENDPOINT_URL_S3: "http://127.0.0.1:1",
        AWS_REGION: "us-east-1",
        AWS_ACCESS_KEY_ID: "id",
        AWS_SECRET_ACCESS_KEY: "aws-hidden",
      },
      seen: /ECONNREFUSED/,
      remedy: /./,
      code: 1,
    }),
  ],
  [
    "an encryption that S3 does not know",
    () => ({
      ...environment,
      env: { ALMANAC_S3_ENCRYPTION: "rot13" },
      seen: /^ALMANAC_S3_ENCRYPTION: expected AES256 or aws:kms .* got "rot13"$/,
      remedy: /ALMANAC_S3_ENCRYPTION/,
    }),
  ],
  [
    "a signing key that is none",
    () => ({
      check: "signing key",
      env: { ALMANAC_SIGNING_KEY: "signing-hidden" },
      seen: /^ALMANAC_SIGNING_KEY: it is not an Ed25519 private key/,
      remedy: /ALMANAC_SIGNING_KEY/,
      code: 2,
    }),
  ],
  [
    "an alert address that nobody has",
    () => ({
      check: "alerts",
      env: { ALMANAC_ALERT_URL: "http://127.0.0.1:2/alert-hidden" },
      seen: /^ALMANAC_ALERT_URL: 127\.0\.0\.1:2 does not answer: .*ECONNREFUSED/,
      remedy: /check that ALMANAC_ALERT_URL is correct/,
      code: 1,
    }),
  ],
  [
    "a namespace that Temporal does not have",
    () => ({
      check: "Temporal",
      env: { TEMPORAL_NAMESPACE: "nights" },
      seen: /refuses the namespace nights: .*not found/,
      remedy: /^set TEMPORAL_NAMESPACE .*namespace create -n nights/,
      code: 1,
    }),
  ],
  [
    "a profile that nobody wrote",
    () => ({
      check: "Temporal",
      env: { TEMPORAL_PROFILE: "nights" },
      seen: /invalid settings: Profile 'nights' not found/,
      remedy: /TEMPORAL_PROFILE/,
      code: 2,
    }),
  ],
  [
    "a clock two hours ahead",
    () => ({
      check: "clock",
      env: clockMovedBy(7_200_000),
      seen: /^this machine is 7(?:199|200|201) s ahead of http:/,
      remedy: /synchronize the clock/,
      code: 1,
    }),
  ],
  [
    "a configuration that is not there",
    () => ({
      check: "configuration",
      env: { ALMANAC_CONFIG: "/nowhere/almanac.config.ts" },
      seen: /^ALMANAC_CONFIG names \/nowhere\/almanac\.config\.ts, which does not exist$/,
      remedy: /\/nowhere\/almanac\.config\.ts/,
      code: 2,
    }),
  ],
  [
    "the service's own code for a language",
    () => ({
      ...configured,
      configuration: { languages: ["gr"] },
      seen: /^languages\.0: "gr" is not one of .*\. Did you mean "el"\?$/,
    }),
  ],
  [
    "a setting that there is not",
    () => ({
      ...configured,
      configuration: { langauges: ["en"] },
      seen: /"langauges" is not a setting\. Did you mean "languages"\?$/,
    }),
  ],
  [
    "a zone of a language that is misspelt",
    () => ({
      ...configured,
      configuration: { zones: { el: "Europe/Atens" } },
      seen: /^zones\.el: .*not "Europe\/Atens"\. Did you mean "Europe\/Athens"\?$/,
    }),
  ],
  [
    "two people with one id",
    () => ({
      ...configured,
      configuration: {
        people: ["one-hidden", "two-hidden"].map((fullName) => ({
          id: "reader-1",
          fullName,
          birthDate: "1980-02-29",
        })),
      },
      seen: /^people\.1\.id: "reader-1" is already the ID of people\.0/,
    }),
  ],
  [
    "operations that the languages do not have",
    () => ({
      ...configured,
      configuration: { languages: ["gu"] },
      seen: /^operations: the service offers none of daily-tarot in gu/,
    }),
  ],
  [
    "public keys without a private one",
    () => ({
      check: "signing key",
      configuration: {
        publishing: { publicKeys: ["MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="] },
      },
      seen: /publishing\.publicKeys requires a signed pointer/,
      remedy: /^set ALMANAC_SIGNING_KEY/,
      code: 2,
    }),
  ],
  [
    "a site address that serves something else",
    () => ({
      check: "site: public read",
      configuration: { site: { url: "https://almanac.invalid" } },
      seen: /https:\/\/almanac\.invalid\/probe\/\w+\.json does not answer/,
      remedy: /correct site\.url/,
      code: 1,
    }),
  ],
];

describe("a wrong setting is reported with the observation and the remedy:", () => {
  test.each(table)("%s", async (_what, make) => {
    const { env = {}, configuration, check, seen, remedy, code } = make();
    const checks = await checked(env, configuration);
    const wrong = checks.filter(({ ok }) => !ok);
    for (const one of wrong) expect(one.remedy, one.name).toMatch(/./);
    expect(wrong).toContainEqual(
      expect.objectContaining({
        name: check,
        seen: expect.stringMatching(seen),
        remedy: expect.stringMatching(remedy),
      }),
    );
    const isSetting = wrong.some((one) => one.name === check && one.isSetting === true);
    expect(isSetting ? 2 : 1).toBe(code);
    const others = wrong.filter(({ name }) => name !== check && !name.startsWith("service:"));
    expect(others).toEqual([]); // a wrong token is refused on each endpoint
    expect(JSON.stringify(checks)).not.toContain("hidden");
  });
});

test("errors of environment and configuration are reported together, each with its own setting", async () => {
  const env = { ALMANAC_VUALT: "x", ALMANAC_S3_CHECKSUMS: "never" };
  const checks = await checked(env, { langauges: [], site: { colors: {} }, schedule: { nightly: "3:05" } });
  const seen = checks.map((check) => check.seen);
  expect(checks.every(({ ok, isSetting }) => !ok && isSetting)).toBe(true);
  for (const setting of ["ALMANAC_VUALT", "ALMANAC_S3_CHECKSUMS", "langauges", "schedule.nightly"]) {
    expect(seen.filter((text) => text.includes(setting))).toHaveLength(1);
  }
  expect(seen).toContainEqual(
    expect.stringMatching(/^site: "colors" is not a setting\. Set `colors` in the theme/),
  );
});

test("settings that are wrong against others are told together", async () => {
  const people = [1, 2].map(() => ({ id: "reader", fullName: "Given Family", birthDate: "1990-07-05" }));
  const publishing = { publicKeys: ["no key"] };
  const checks = await checked({}, { publishing, schedule: { deadlineHours: 0.01 }, people });
  const seen = checks.map((check) => check.seen);
  for (const told of [
    /^publishing\.publicKeys/,
    /^schedule\.deadlineHours: 0\.01 is shorter than/,
    /^people\.1\.id: /,
  ])
    expect(seen).toContainEqual(expect.stringMatching(told));
});

test("a new vault is readable by its own user only, and has the lock of the site, which is for everyone", async () => {
  const place = join(folder, "made", "here");
  const at = (name: string) => pathToFileURL(join(place, name)).href;
  const workshop = join(place, "site", ".writing");
  const checks = await checked({ ALMANAC_VAULT: at("vault"), ALMANAC_SITE: at("site") });
  expect(checks.find(({ name }) => name === "vault: private")).toMatchObject({
    ok: true,
    seen: /closed to other users/,
  });
  expect((await stat(join(place, "vault"))).mode & 0o777).toBe(0o700);
  expect((await stat(join(place, "site"))).mode & 0o005).toBe(0o005);
  expect(await readdir(workshop)).toEqual([]);
  expect(await readdir(join(place, "vault", ".writing"))).toContain("site.lock");
});

test("a vault that every user of the machine can read causes a warning", async () => {
  const open = join(folder, "open");
  await mkdir(open);
  await chmod(open, 0o755);
  await chmod(folder, 0o755);
  const checks = await checked({ ALMANAC_VAULT: pathToFileURL(open).href });
  expect(checks.find(({ name }) => name === "vault: private")).toEqual({
    name: "vault: private",
    ok: true,
    seen: `warning: every user of this machine can read ${open}`,
    remedy: `chmod 700 ${open}`,
  });
});
