// Problems between variables: unknown names, and values that contradict each other.
import { faultInAddress, kindOf } from "../../store/kinds.ts";
import { nearestName } from "./nearest-name.ts";
import { temporalProblemsIn } from "./temporal-variables.ts";
import type { GivenVariables, WrongSetting } from "./wrong-setting.ts";

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

const testClocks = [
  ["ALMANAC_TEST_CLOCK_OFFSET_MS", "dates would be wrong"],
  ["ALMANAC_TEST_CLOCK_SPEED", "calls would exceed the configured rate"],
] as const;

export function conflictsIn(given: GivenVariables): WrongSetting[] {
  const wrong: WrongSetting[] = [];
  for (const name of [...credentials, ...otherSecrets]) {
    const both = given[name] !== undefined && given[`${name}_FILE`] !== undefined;
    if (both) wrong.push({ name, problem: `set together with ${name}_FILE. Keep one of the two` });
  }
  const missing = credentials.filter(
    (name) => given[name] === undefined && given[`${name}_FILE`] === undefined,
  );
  const [name, other] = missing;
  if (name !== undefined && other === undefined) {
    const problem = `not set, and neither is ${name}_FILE. The service needs a token and an API key`;
    wrong.push({ name, problem, isUnset: true });
  }
  if (given["ALMANAC_S3_KMS_KEY"] !== undefined && !given["ALMANAC_S3_ENCRYPTION"]?.startsWith("aws:kms")) {
    const problem = "has no effect without ALMANAC_S3_ENCRYPTION=aws:kms";
    wrong.push({ name: "ALMANAC_S3_KMS_KEY", problem });
  }
  if (given["TEMPORAL_DEPLOYMENT_NAME"] !== undefined && given["TEMPORAL_WORKER_BUILD_ID"] === undefined) {
    const problem = "needs TEMPORAL_WORKER_BUILD_ID, the version in the deployment";
    wrong.push({ name: "TEMPORAL_DEPLOYMENT_NAME", problem });
  }
  for (const [variable, harm] of testClocks) {
    const problem = `only for test runs, which set ALMANAC_TEST_RUN. Remove it, because ${harm}`;
    if (given[variable] !== undefined && given["ALMANAC_TEST_RUN"] === undefined)
      wrong.push({ name: variable, problem });
  }
  const { ALMANAC_VAULT: vault, ALMANAC_SITE: site } = given;
  if (vault !== undefined && site !== undefined) wrong.push(...storesTooNear(vault, site));
  return wrong;
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

/** A misspelt variable would silently do nothing; ALMANAC_TEST_ is for the tests. */
export function strangersIn(given: GivenVariables, names: readonly string[]): WrongSetting[] {
  const ours = Object.keys(given)
    .filter((name) => /^(?:ALMANAC_(?!TEST_)|READING_SERVICE_)/.test(name) && !names.includes(name))
    .map((name) => stranger(name, nearestName(name.toUpperCase(), names)));
  return [...ours, ...temporalProblemsIn(given)];
}

function stranger(name: string, meant: string | undefined): WrongSetting {
  return { name, meant, problem: `unknown variable${meant === undefined ? "" : `. Did you mean ${meant}?`}` };
}
