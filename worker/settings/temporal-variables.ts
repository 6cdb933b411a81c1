// Validates Temporal's own variables: refuses those that would have no effect, and suggests the right name for misspelled ones.
// Otherwise an ignored variable would look as if it worked.
import { nearestName } from "./nearest-name.ts";
import type { GivenVariables, WrongSetting } from "./wrong-setting.ts";

/** Variables that Temporal's library reads, and our own. All start with `TEMPORAL_`. */
const known = [
  "ADDRESS",
  "NAMESPACE",
  "API_KEY",
  "API_KEY_FILE",
  "PROFILE",
  "CONFIG_FILE",
  "TLS",
  "TLS_CLIENT_CERT_PATH",
  "TLS_CLIENT_CERT_DATA",
  "TLS_CLIENT_KEY_PATH",
  "TLS_CLIENT_KEY_DATA",
  "TLS_SERVER_CA_CERT_PATH",
  "TLS_SERVER_CA_CERT_DATA",
  "TLS_SERVER_NAME",
  "WORKER_BUILD_ID",
  "DEPLOYMENT_NAME",
];

export const noCodec =
  "Almanac sends only keys, hashes and counts to Temporal, without a codec. Set a codec for other programs in their own environment";
export const noUnverifiedHost =
  "the server's name is always verified. Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to its CA, and TEMPORAL_TLS_SERVER_NAME to the name in its certificate";

const noEnvironments =
  "environments of the Temporal CLI are not read. Convert yours to a profile, and name it in TEMPORAL_PROFILE";
const elder = (name: string) => `only older versions of the Temporal CLI read this name. Set ${name}`;

/** Documented variables of Temporal that its TypeScript library ignores or cannot apply, with the remedy. */
const refused: Readonly<Record<string, string>> = {
  CODEC_ENDPOINT: noCodec,
  CODEC_AUTH: noCodec,
  TLS_DISABLE_HOST_VERIFICATION: noUnverifiedHost,
  ENV: noEnvironments,
  ENV_FILE: noEnvironments,
  TLS_CERT: elder("TEMPORAL_TLS_CLIENT_CERT_PATH"),
  TLS_CERT_DATA: elder("TEMPORAL_TLS_CLIENT_CERT_DATA"),
  TLS_KEY: elder("TEMPORAL_TLS_CLIENT_KEY_PATH"),
  TLS_KEY_DATA: elder("TEMPORAL_TLS_CLIENT_KEY_DATA"),
  TLS_CA: elder("TEMPORAL_TLS_SERVER_CA_CERT_PATH"),
  TLS_CA_DATA: elder("TEMPORAL_TLS_SERVER_CA_CERT_DATA"),
  CLI_ADDRESS: elder("TEMPORAL_ADDRESS"),
  CLI_NAMESPACE: elder("TEMPORAL_NAMESPACE"),
  CLI_TLS_CERT: elder("TEMPORAL_TLS_CLIENT_CERT_PATH"),
  CLI_TLS_KEY: elder("TEMPORAL_TLS_CLIENT_KEY_PATH"),
  CLI_TLS_CA: elder("TEMPORAL_TLS_SERVER_CA_CERT_PATH"),
};

const isNo = (text: string | undefined) => text === "false" || text === "0";

export function temporalProblemsIn(given: GivenVariables): WrongSetting[] {
  return [...Object.keys(given).flatMap((name) => problemOf(name, given[name])), ...conflicts(given)];
}

function problemOf(name: string, text: string | undefined): WrongSetting[] {
  const word = /^TEMPORAL_(?!GRPC_META_|CLI_PATH$)(.+)/.exec(name)?.[1];
  if (word === undefined || known.includes(word)) return [];
  const instead = refused[word];
  if (instead !== undefined) {
    if (word === "TLS_DISABLE_HOST_VERIFICATION" && isNo(text)) return [];
    return [{ name, problem: `not supported, so unset it: ${instead}` }];
  }
  // A name unlike all known ones may belong to another program.
  const meant = nearestName(word, known);
  if (meant === undefined || Math.abs(meant.length - word.length) > 2) return [];
  return [{ name, meant: `TEMPORAL_${meant}`, problem: `unknown variable. Did you mean TEMPORAL_${meant}?` }];
}

function conflicts(given: GivenVariables): WrongSetting[] {
  const wrong: WrongSetting[] = [];
  const tls = given["TEMPORAL_TLS"];
  // Temporal's library treats every other word as false, and would then connect without encryption.
  if (tls !== undefined && !isNo(tls) && tls !== "true" && tls !== "1") {
    const problem = `expected true or 1, false or 0, got ${JSON.stringify(tls)}`;
    wrong.push({ name: "TEMPORAL_TLS", problem });
  }
  if (given["TEMPORAL_API_KEY"] !== undefined && given["TEMPORAL_API_KEY_FILE"] !== undefined) {
    const problem = "set together with TEMPORAL_API_KEY_FILE. Keep one of the two";
    wrong.push({ name: "TEMPORAL_API_KEY", problem });
  }
  return wrong;
}
