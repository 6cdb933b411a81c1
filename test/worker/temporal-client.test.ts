// Temporal counts as a time source only over TLS. Some settings of its profile are refused.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { temporalFor } from "../../worker/temporal/temporal-client.ts";

/** Temporal's library reads them itself. */
async function temporalBy(given: Record<string, string>) {
  for (const [name, value] of Object.entries(given)) {
    process.env[name] = value;
    onTestFinished(() => void Reflect.deleteProperty(process.env, name));
  }
  return temporalFor(readEnvironment(given), "/nowhere");
}

test.each([
  ["by TLS", { TEMPORAL_TLS: "true" }, "https://temporal.example:7233"],
  ["with an API key, which goes by TLS alone", { TEMPORAL_API_KEY: "key" }, "https://temporal.example:7233"],
  ["in the clear", {}, undefined],
])("a Temporal that is reached %s", async (_how, more, url) => {
  const given = { TEMPORAL_ADDRESS: "temporal.example:7233", ...more };
  const temporal = await temporalBy(given);
  expect(temporal).toMatchObject({ address: "temporal.example:7233", url });
});

test.each([
  [
    "a codec",
    '[profile.default.codec]\nendpoint = "https://codec.example"',
    /codec in Temporal's profile: not supported, so remove it/,
  ],
  [
    "a host that is not verified",
    "[profile.default.tls]\ndisable_host_verification = true",
    /tls\.disable_host_verification .* TEMPORAL_TLS_SERVER_NAME/,
  ],
  [
    "a certificate without its key",
    '[profile.default.tls]\nclient_cert_data = "hidden"',
    /TEMPORAL_TLS_CLIENT_KEY_PATH: missing for the certificate/,
  ],
  [
    "a key without its certificate",
    '[profile.default.tls]\nclient_key_data = "hidden"',
    /TEMPORAL_TLS_CLIENT_CERT_PATH: missing for the key/,
  ],
])("a profile with %s is refused by name, for the library would ignore it", async (_what, text, problem) => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-profile-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "temporal.toml");
  await writeFile(path, `${text}\n`);
  const failure = temporalBy({ TEMPORAL_CONFIG_FILE: path });
  await expect(failure).rejects.toThrow(problem);
  await expect(failure).rejects.not.toThrow("hidden");
});
