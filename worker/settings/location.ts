// Locations of a site's stores, and the service that answers its requests: the real one, or the sandbox with its own stores.
// Invented texts never reach a real site, because everything from the sandbox is stored under .almanac/sandbox/.
import type { EndpointName } from "../../readings/tables.ts";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CredentialSource } from "../../service/service.ts";
import { credentialSource } from "./credentials.ts";
import { type Environment, WrongSettings } from "./environment.ts";
import { isBucketSetting, rootedFolder, bucketAt } from "../../store/kinds.ts";

export interface SiteLocation {
  readonly kind: "service" | "sandbox";
  readonly vault: string;
  readonly site: string;
}

export interface RealService {
  readonly credentials: CredentialSource;
  readonly endpoints: Record<EndpointName, string | undefined>;
}

/** Chooses the real service if there are credentials, else the sandbox. Throws if the sandbox would use a real vault or site. */
export function chooseLocation(
  environment: Environment,
  stateFolder: string,
): { location: SiteLocation; service: RealService | undefined } {
  const { vault, site, endpoints } = environment;
  const credentials = credentialSource(environment);
  if (credentials !== undefined) {
    const own = storesIn(stateFolder);
    const location = { kind: "service", vault: vault ?? own.vault, site: site ?? own.site } as const;
    return { location, service: { credentials, endpoints } };
  }
  const named = Object.entries({ ALMANAC_VAULT: vault, ALMANAC_SITE: site });
  const wrong = named.flatMap(([name, address]) =>
    address === undefined ? [] : { name, problem: notForSandbox },
  );
  if (wrong.length > 0) throw new WrongSettings(wrong);
  return { location: { kind: "sandbox", ...storesIn(join(stateFolder, "sandbox")) }, service: undefined };
}

const notForSandbox =
  "is set without credentials of a reading service, and invented texts are never published there. " +
  "Set READING_SERVICE_TOKEN and READING_SERVICE_API_KEY, or unset it";

function storesIn(folder: string) {
  return { vault: fileAddress(join(folder, "vault")), site: fileAddress(join(folder, "site")) };
}

function fileAddress(folder: string) {
  return pathToFileURL(resolve(folder)).href;
}

/** The location of a bucket (no folder) or of an absolute folder; undefined for a path relative to the working directory. */
export function machineLocation(address: string): { readonly folder: string | undefined } | undefined {
  const folder = rootedFolder(address);
  return folder !== undefined || isBucketSetting(address) ? { folder } : undefined;
}

/**
 * Names a separate bucket, because a policy that makes the site's bucket public applies to everything in it. Undefined if the site is
 * not in a bucket; throws if its address is invalid.
 */
export function siblingVault(site: string): string | undefined {
  if (!isBucketSetting(site)) return undefined;
  const { bucket, prefix } = bucketAt(site);
  const vault = `s3://${[`${bucket}-vault`, ...(prefix === "" ? [] : [prefix])].join("/")}`;
  bucketAt(vault);
  return vault;
}
