// Tries vault and site for all that publishing relies on, and whether anybody but us can read the vault.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { isLoopback } from "../../site/address.ts";
import { kindOf, openStore, WrongStoreAddress } from "../../store/kinds.ts";
import { probe } from "../../store/probe.ts";
import type { Environment } from "../settings/environment.ts";
import type { SiteLocation } from "../settings/location.ts";
import { broken, type Check, right, warning, wrongSetting } from "./check.ts";

export async function checkStores(
  place: SiteLocation,
  { s3 }: Environment,
  configuration: Configuration | undefined,
): Promise<Check[]> {
  const url = configuration?.site.url;
  // A preview on this machine serves the site only while it runs, and a site of the sandbox is served nowhere.
  const isServed = url !== undefined && !isLoopback(new URL(url).hostname) && place.kind === "service";
  const publicUrl = isServed ? url : undefined;
  const [vault, site] = await Promise.all([
    checkStore("vault", place.vault, s3, undefined),
    checkStore("site", place.site, s3, publicUrl),
  ]);
  const canBeRead = vault.every(({ ok }) => ok) && place.kind === "service";
  const secrecy = canBeRead ? [await checkSecrecy(place.vault, s3)] : [];
  return [...vault, ...secrecy, ...site, ...(publicUrl === undefined ? [] : checkAddress(publicUrl))];
}

async function checkStore(
  name: "vault" | "site",
  location: string,
  s3: Environment["s3"],
  publicUrl: string | undefined,
): Promise<Check[]> {
  try {
    const probes = await probe(openStore(location, s3), {
      publicUrl,
      oneAtATime: kindOf(location).conditions(s3) === "none",
    });
    return probes.map(({ name: what, ok, seen, remedy }) => ({ name: `${name}: ${what}`, ok, seen, remedy }));
  } catch (error) {
    if (!(error instanceof WrongStoreAddress)) throw error;
    return [wrongSetting(name, error.message, `mend ALMANAC_${name.toUpperCase()}`)];
  }
}

/** The vault must be private: it has the texts as they were bought, the refused answers, and the notes. */
async function checkSecrecy(location: string, s3: Environment["s3"]): Promise<Check> {
  const name = "vault: private";
  const exposure = await kindOf(location).exposureOf(location, s3);
  switch (exposure.kind) {
    case "private":
      return right(name, exposure.seen);
    case "machine":
      return warning(name, exposure.seen, exposure.remedy);
    case "public":
      return broken(name, exposure.seen, exposure.remedy);
    case "unknown":
      return warning(name, exposure.seen, "see by hand that nobody else can read it");
  }
}

function checkAddress(url: string): Check[] {
  if (url.startsWith("https:")) return [];
  const seen = `site.url is ${url}: what readers get can be changed on its way, and every link names it so`;
  return [warning("site: address", seen, "serve it by https, and say so in site.url")];
}
