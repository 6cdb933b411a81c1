// Connection settings for Temporal, from its standard variables and profile. Files are read again on each call, so that
// certificates and keys can be rotated while a process runs (renewed-connection.ts).
import { loadClientConnectConfig } from "@temporalio/envconfig";
import { tomlLoadClientConfigProfile } from "@temporalio/envconfig/lib/envconfig-toml.js";
import { readerOf } from "../settings/credentials.ts";
import { type Environment, WrongSettings } from "../settings/environment.ts";
import { noCodec, noUnverifiedHost } from "../settings/environment-problems.ts";
import type { WrongSetting } from "../settings/variables.ts";

export type TemporalSettings = ReturnType<ReturnType<typeof temporalSettings>>;
export type TemporalCredentials = TemporalSettings["credentials"];

/** Returns a function that reads the settings. It throws if they can't be read, for example during a rotation. */
export function temporalSettings({ temporalApiKey }: Pick<Environment, "temporalApiKey">) {
  const apiKey = temporalApiKey && readerOf(temporalApiKey);
  return () => {
    refuseUnhonoured();
    const { connectionOptions, namespace } = loadClientConnectConfig();
    const { address, tls, metadata } = connectionOptions;
    const key = apiKey?.().reveal() ?? connectionOptions.apiKey;
    return { address, namespace, credentials: { tls, metadata, apiKey: key } };
  };
}

/** Throws for profile settings that the library would silently ignore, and for a certificate without its key. */
function refuseUnhonoured() {
  const { codec, tls } = tomlLoadClientConfigProfile({});
  const wrong: WrongSetting[] = [];
  const refuse = (name: string, problem: string) => wrong.push({ name, problem });
  if (codec?.endpoint || codec?.auth)
    refuse("codec in Temporal's profile", `not supported, so remove it: ${noCodec}`);
  if (tls?.disable_host_verification === true)
    refuse(
      "tls.disable_host_verification in Temporal's profile",
      `not supported, so remove it: ${noUnverifiedHost}`,
    );
  const certificate = tls?.client_cert_path ?? tls?.client_cert_data;
  const key = tls?.client_key_path ?? tls?.client_key_data;
  if (certificate !== undefined && key === undefined)
    refuse(
      "TEMPORAL_TLS_CLIENT_KEY_PATH",
      "missing for the certificate (also as ..._DATA, and in the profile). Set the key of the certificate",
    );
  if (key !== undefined && certificate === undefined)
    refuse(
      "TEMPORAL_TLS_CLIENT_CERT_PATH",
      "missing for the key (also as ..._DATA, and in the profile). Set the certificate of the key",
    );
  if (wrong.length > 0) throw new WrongSettings(wrong);
}
