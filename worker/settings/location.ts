// Where a site lives and who answers its requests: a real service with its stores, or the sandbox with stores of its
// own. Invented texts never reach a real site: what comes from the sandbox lives under .almanac/sandbox/ only.
import type { ServiceAddress } from "../../readings/service-addresses.ts";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CredentialSource } from "../../service/service.ts";
import { credentialSource } from "./credentials.ts";
import { type Environment, WrongSettings } from "./environment.ts";

export interface SiteLocation {
  readonly kind: "service" | "sandbox";
  readonly vault: string;
  readonly site: string;
}

export interface RealService {
  readonly credentials: CredentialSource;
  readonly addresses: Record<ServiceAddress, string | undefined>;
}

/** With credentials the real service, without them the sandbox. Throws where a real vault or site is named for the sandbox. */
export function placeFor(
  environment: Environment,
  stateFolder: string,
): { place: SiteLocation; service: RealService | undefined } {
  const credentials = credentialSource(environment);
  if (credentials !== undefined) {
    const { vault, site } = environment;
    const place: SiteLocation = {
      kind: "service",
      vault: vault ?? fileAddress(join(stateFolder, "vault")),
      site: site ?? fileAddress(join(stateFolder, "site")),
    };
    return { place, service: { credentials, addresses: environment.addresses } };
  }
  const named = [
    ...(environment.vault === undefined ? [] : ["ALMANAC_VAULT"]),
    ...(environment.site === undefined ? [] : ["ALMANAC_SITE"]),
  ];
  if (named.length > 0) {
    const problem =
      "is set, but there are no credentials of a real service, and invented texts never go there: " +
      "set READING_SERVICE_TOKEN and READING_SERVICE_API_KEY, or unset it";
    throw new WrongSettings(named.map((name) => ({ name, problem })));
  }
  const folder = join(stateFolder, "sandbox");
  return {
    place: {
      kind: "sandbox",
      vault: fileAddress(join(folder, "vault")),
      site: fileAddress(join(folder, "site")),
    },
    service: undefined,
  };
}

function fileAddress(folder: string): string {
  return pathToFileURL(resolve(folder)).href;
}
