// The way to Temporal as its standard variables and profile name it. Files are read anew at each look, so that a certificate,
// a key or an API key can be rotated under a process that runs (renewed-connection.ts).
import { loadClientConnectConfig } from "@temporalio/envconfig";
import { tomlLoadClientConfigProfile } from "@temporalio/envconfig/lib/envconfig-toml.js";
import { readerOf } from "../settings/credentials.ts";
import { type Environment, WrongSettings } from "../settings/environment.ts";
import { noCodec, noUnverifiedHost } from "../settings/temporal-variables.ts";
import type { WrongSetting } from "../settings/wrong-setting.ts";

export type TemporalSettings = ReturnType<ReturnType<typeof temporalSettings>>;
export type TemporalCredentials = TemporalSettings["credentials"];

/** Returns what reads them: it throws where they can't be read, such as in the middle of a rotation. */
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

/** The library leaves these of a profile unheeded, and a certificate without its key. */
function refuseUnhonoured() {
  const { codec, tls } = tomlLoadClientConfigProfile({});
  const wrong: WrongSetting[] = [];
  const refuse = (name: string, problem: string) => wrong.push({ name, problem });
  if (codec?.endpoint || codec?.auth)
    refuse("codec in Temporal's profile", `not honoured, so remove it: ${noCodec}`);
  if (tls?.disable_host_verification === true)
    refuse(
      "tls.disable_host_verification in Temporal's profile",
      `not honoured, so remove it: ${noUnverifiedHost}`,
    );
  const certificate = tls?.client_cert_path ?? tls?.client_cert_data;
  const key = tls?.client_key_path ?? tls?.client_key_data;
  if (certificate !== undefined && key === undefined)
    refuse(
      "TEMPORAL_TLS_CLIENT_KEY_PATH",
      "not set beside the certificate (nor as ..._DATA, nor in a profile): a certificate goes with its key",
    );
  if (key !== undefined && certificate === undefined)
    refuse(
      "TEMPORAL_TLS_CLIENT_CERT_PATH",
      "not set beside the key (nor as ..._DATA, nor in a profile): a key goes with its certificate",
    );
  if (wrong.length > 0) throw new WrongSettings(wrong);
}
