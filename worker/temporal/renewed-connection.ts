// Connection settings for Temporal, and a connection that supports credential rotation. The credentials are read again every few seconds.
// If they have changed, a new connection is opened and replaces the old one once Temporal has answered on it. If the new credentials
// are invalid or only half written, the old connection stays in use.
import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import { loadClientConnectConfig } from "@temporalio/envconfig";
import { tomlLoadClientConfigProfile } from "@temporalio/envconfig/lib/envconfig-toml.js";
import type { Log } from "../../vault/vault.ts";
import { readerOf } from "../settings/credentials.ts";
import { type Environment, WrongSettings } from "../settings/environment.ts";
import { noCodec, noUnverifiedHost } from "../settings/environment-problems.ts";
import type { WrongSetting } from "../settings/variables.ts";

const lookEveryMs = 5_000;

interface Closable {
  close(): Promise<void>;
}

interface Renewal<Credentials, Connected> {
  readonly read: () => Credentials;
  readonly open: (credentials: Credentials) => Promise<Connected>;
}

export interface RenewedConnection<Connected, Credentials = unknown> {
  readonly current: () => Connected;
  /** Credentials of the current connection. */
  readonly credentials: () => Credentials;
  /** Starts the periodic check; each new connection is passed to `use`. */
  readonly watch: (use?: (next: Connected) => void, log?: Log) => void;
  readonly close: () => Promise<void>;
}

export async function renewedConnection<Credentials, Connected extends Closable>({
  read,
  open,
}: Renewal<Credentials, Connected>): Promise<RenewedConnection<Connected, Credentials>> {
  let credentials = read();
  let current = await open(credentials);
  // A call that began on it ends there: it stays open until the next one takes its place, too.
  let before: Connected | undefined;
  const closing = new AbortController();

  async function renew(use: (next: Connected) => void): Promise<boolean> {
    const now = read();
    if (isDeepStrictEqual(now, credentials)) return false;
    const next = await open(now);
    if (closing.signal.aborted) {
      await next.close();
      return false;
    }
    const oldest = before;
    [credentials, before, current] = [now, current, next];
    use(next);
    await oldest?.close();
    return true;
  }

  async function look(use: (next: Connected) => void, log: Log | undefined): Promise<void> {
    let reported = "";
    while (await delay(lookEveryMs, true, { ref: false, signal: closing.signal }).catch(() => false)) {
      try {
        if (await renew(use)) log?.info({}, "new Temporal credentials loaded");
        reported = "";
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const line = "cannot use the new Temporal credentials; the previous ones stay in use";
        if (why !== reported) log?.warn({ why }, line);
        reported = why;
      }
    }
  }

  return {
    current: () => current,
    credentials: () => credentials,
    watch: (use = () => undefined, log) => void look(use, log),
    async close() {
      closing.abort();
      await before?.close();
      await current.close();
    },
  };
}

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
