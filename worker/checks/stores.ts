// Tests all store operations that publishing relies on, and whether the vault is publicly readable.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { isLoopback } from "../../site/address.ts";
import { kindOf, openStore, type StoreSettings } from "../../store/kinds.ts";
import { probe } from "../../store/probe.ts";
import {
  findMarkers,
  identityIn,
  installationId,
  requireFitting,
  requireKinds,
  WrongInstallation,
} from "../../vault/installation.ts";
import type { Environment } from "../settings/environment.ts";
import type { SiteLocation } from "../opened-site.ts";
import { broken, type Check, right, warning } from "./check.ts";

export async function checkStores(
  location: SiteLocation,
  { s3 }: Environment,
  configuration: Configuration | undefined,
): Promise<Check[]> {
  const url = configuration?.site.url;
  // A preview on this machine serves the site only while it runs, and a site of the sandbox is served nowhere.
  const isServed = url !== undefined && !isLoopback(new URL(url).hostname) && location.kind === "service";
  const publicUrl = isServed ? url : undefined;
  const exchanged = await checkKinds(location, s3);
  if (exchanged !== undefined) return [exchanged];
  const [vault, site] = await Promise.all([
    checkStore("vault", location.vault, { ...s3, isPrivate: true }, undefined),
    checkStore("site", location.site, { ...s3, lockedIn: location.vault }, publicUrl),
  ]);
  const isUsable = [...vault, ...site].every(({ ok }) => ok);
  const siteId = configuration?.site.id;
  const identity = isUsable && siteId !== undefined ? [await checkIdentity(location, s3, siteId)] : [];
  const canBeRead = vault.every(({ ok }) => ok) && location.kind === "service";
  const secrecy = canBeRead ? [await checkSecrecy(location.vault, s3)] : [];
  return [
    ...vault,
    ...secrecy,
    ...site,
    ...identity,
    ...(publicUrl === undefined ? [] : checkAddress(publicUrl)),
  ];
}

/** Comes before every other check of the stores: those write to them, and advise on who may read them. */
async function checkKinds(location: SiteLocation, s3: Environment["s3"]): Promise<Check | undefined> {
  try {
    await requireKinds(storesAt(location, s3));
    return undefined;
  } catch (error) {
    return error instanceof WrongInstallation ? brokenBy(error) : undefined; // the stores' own checks report a failure
  }
}

function storesAt({ vault, site }: SiteLocation, s3: Environment["s3"]) {
  return { vault: { store: openStore(vault, s3) }, site: openStore(site, s3) };
}

const identityName = "vault and site";

function brokenBy({ message }: WrongInstallation): Check {
  const [seen = "", remedy = "check that both belong to this site"] = message.split(
    /\. (?=Check|Correct|Set|Swap|Restore)/,
  );
  return broken(identityName, seen, remedy.charAt(0).toLowerCase() + remedy.slice(1));
}

async function checkStore(
  name: "vault" | "site",
  location: string,
  settings: StoreSettings,
  publicUrl: string | undefined,
): Promise<Check[]> {
  const probes = await probe(openStore(location, settings), {
    publicUrl,
    oneAtATime: name === "site" && kindOf(location).conditions(settings) === "none",
  });
  return probes.map(({ name: what, ok, seen, remedy }) => ({ name: `${name}: ${what}`, ok, seen, remedy }));
}

/** The place in one word, as a run would carry it. A vault without a marker has had no worker; undefined if that is unknown. */
export async function knownInstallation(
  location: SiteLocation,
  { s3 }: Environment,
  siteId: string,
): Promise<string | undefined> {
  try {
    const found = await findMarkers(storesAt(location, s3));
    const { own, theirs } = found;
    if (own.version === undefined && theirs.version === undefined) return "a new vault";
    const identity = identityIn(found, siteId);
    return identity && installationId(identity);
  } catch {
    return undefined; // the stores' own checks say why
  }
}

/** The markers of vault and site, of which none is made here. */
async function checkIdentity(location: SiteLocation, s3: Environment["s3"], siteId: string): Promise<Check> {
  const name = identityName;
  const found = await findMarkers(storesAt(location, s3));
  try {
    requireFitting(found, siteId);
  } catch (error) {
    if (!(error instanceof WrongInstallation)) throw error;
    return brokenBy(error);
  }
  const identity = identityIn(found, siteId);
  if (identity === undefined) return right(name, "no markers yet; the first run creates them");
  return right(name, `the vault ${identity.vault} and the site ${identity.site} belong together`);
}

/** The vault must be private: it has the texts as they were bought, the refused answers, and the notes. */
async function checkSecrecy(location: string, s3: Environment["s3"]): Promise<Check> {
  const name = "vault: private";
  const exposure = await kindOf(location).exposureOf(location, s3);
  switch (exposure.kind) {
    case "private":
      return right(name, exposure.seen);
    case "machine":
    case "unknown":
      return warning(name, exposure.seen, exposure.remedy);
    case "public":
      return broken(name, exposure.seen, exposure.remedy);
  }
}

function checkAddress(url: string): Check[] {
  if (url.startsWith("https:")) return [];
  const seen = `site.url is ${url}: without TLS, pages can be changed on the way to readers, and every link uses this URL`;
  return [warning("site: URL", seen, "serve the site over https, and change site.url")];
}
