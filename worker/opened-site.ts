// Opens the dependencies of most commands: environment, configuration, the locations of the site's stores, the reading service or the
// sandbox, and, if needed, a Temporal client. Invented texts never reach a real site, because everything from the sandbox is stored
// under .almanac/sandbox/. The vault's store must obey conditional writes, because leases, record and decisions rely on them.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hostname } from "node:os";
import { pathToFileURL } from "node:url";
import type { Client } from "@temporalio/client";
import type { Configuration } from "../readings/configuration.schema.ts";
import { openStore, lockFolderOf, kindOf, isBucketSetting, rootedFolder, bucketAt } from "../store/kinds.ts";
import { StoreFailure, type Store } from "../store/store.ts";
import { findMarkers, requireFitting, requireKinds } from "../vault/installation.ts";
import { createVault } from "../vault/vault.ts";
import { createTimeSource } from "../vault/time-source.ts";
import { configurationFile, loadConfiguration, requireProject } from "./settings/configuration.ts";
import { WrongConfiguration } from "./settings/configuration-problems.ts";
import { readEnvironment, WrongSettings, type Environment } from "./settings/environment.ts";
import type { Theme } from "../site/theme/theme.ts";
import { Leases } from "../store/lease.ts";
import { clockAt } from "../store/clock.ts";
import { leaseLimits, type LeaseLog } from "../store/held-lease.ts";
import { lacksConditions, noConditions, probe } from "../store/probe.ts";
import type { EndpointName } from "../readings/tables.ts";
import type { CredentialSource } from "../service/service.ts";
import { credentialSource } from "./settings/credentials.ts";

export type Settings = Awaited<ReturnType<typeof readSettings>>;
export type Opening = ReturnType<typeof openIn>;

/** `toleratesNoAnswer`: for a command that does its work also if vault and site do not answer. */
export async function open({ toleratesNoAnswer = false } = {}): Promise<Opening> {
  return checked(openIn(resolve(".almanac"), await readSettings()), toleratesNoAnswer);
}

/** Opens a site for a command that never calls the service: named stores need no credentials then. */
export async function openSite({ isAnywhere = false } = {}): Promise<Opening> {
  const settings = await readSettings({ isAnywhere });
  const { vault, site } = settings.environment;
  if (vault === undefined || site === undefined)
    return checked(openIn(resolve(".almanac"), settings), isAnywhere);
  const location = { kind: "service", vault, site } as const;
  return checked(openIn(resolve(".almanac"), settings, { location, service: undefined }), isAnywhere);
}

/** Throws if vault and site are exchanged, or one does not answer. Another failure of a store is for the command to report. */
async function checked(opening: Opening, toleratesNoAnswer: boolean): Promise<Opening> {
  try {
    await requireKinds(opening);
  } catch (error) {
    const isTolerated = error instanceof StoreFailure && (toleratesNoAnswer || !error.facts.isUnanswered);
    if (!isTolerated) throw error;
  }
  return opening;
}

export function openIn(
  stateFolder: string,
  { environment, configuration, theme }: Omit<Settings, "theme"> & { readonly theme?: Theme },
  { location, service } = chooseLocation(environment, stateFolder),
) {
  const timeSource = createTimeSource();
  const s3 = { ...environment.s3, onTime: timeSource.record };
  const vault = createVault(openStore(location.vault, { ...s3, isPrivate: true }), configuration.site.id);
  const site = openStore(location.site, { ...s3, lockedIn: location.vault });
  return {
    environment,
    configuration: location.kind === "sandbox" ? withCopies(configuration) : configuration,
    theme,
    stateFolder,
    location,
    service,
    vault,
    site,
    timeSource,
  };
}

/** The sandbox is gone when its pages are still looked at, and so are its pictures. */
function withCopies(configuration: Configuration): Configuration {
  const { mirror = { mostBytes: 1_000_000 }, ...pictures } = configuration.pictures;
  return { ...configuration, pictures: { ...pictures, mirror } };
}

/**
 * Reads environment and configuration of the project, or of any folder for a command that needs no project. If both are wrong, the
 * error lists the problems of both, so that they can be fixed in one pass.
 */
export async function readSettings({ isAnywhere = false } = {}) {
  try {
    const environment = readEnvironment();
    const folder = process.cwd();
    if (!isAnywhere) requireProject(environment, folder);
    const configuration = await loadConfiguration(environment.configPath, folder);
    const configFile = configurationFile(environment.configPath, folder);
    return { environment, configuration, theme: await themeOf(configuration, configFile) };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const wrong: unknown = await loadConfiguration(error.configPath, process.cwd()).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (wrong instanceof WrongConfiguration) throw new WrongSettings(error.wrong, error.configPath, wrong);
    throw error;
  }
}

/** Loaded lazily: most sites have no theme, and its loader takes longer than many a command. */
async function themeOf({ theme }: Configuration, configFile: string): Promise<Theme | undefined> {
  if (theme === undefined && !existsSync(join(dirname(configFile), "theme"))) return undefined;
  const { loadTheme } = await import("./theme/load-theme.ts");
  return loadTheme(theme, configFile);
}

/** Throws if the vault belongs to another site or does not exist: its lists would be empty, and new records in the wrong place. */
export async function requireOwnVault(opening: Opening): Promise<Opening> {
  requireFitting(await findMarkers(opening), opening.vault.siteId);
  return opening;
}

/** Runs work with a client of Temporal. */
export async function withClient<Result>(
  { environment, stateFolder }: Pick<Opening, "environment" | "stateFolder">,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  // Loaded lazily: loading the client takes longer than all of `quarantine` or `plan`, which don't need it.
  const { temporalFor, withTemporal: withIt } = await import("./temporal/temporal-client.ts");
  return withIt(await temporalFor(environment, stateFolder), work);
}

export function openLeases(
  { environment, location }: Pick<Opening, "environment" | "location">,
  log: LeaseLog,
): Leases {
  return new Leases({
    store: openStore(location.vault, { ...environment.s3, isPrivate: true, limits: leaseLimits }),
    lockFolder: lockFolderOf(location.vault),
    where: `${process.pid}@${hostname()}`,
    log,
    clock: clockAt(environment.testClockSpeed),
  });
}

/** Thrown if the store would let two writers silently overwrite each other's files. */
export class StoreIgnoresConditions extends Error {
  override readonly name = "StoreIgnoresConditions";
}

type Stores = Pick<Opening, "environment" | "location">;

/** Throws if the settings say that the vault's store ignores conditions. */
export function requireObedientVault({ environment, location }: Stores): void {
  if (kindOf(location.vault).conditions(environment.s3) !== "none") return;
  throw new StoreIgnoresConditions(
    `the vault ${location.vault} is in a store that ignores conditional writes (ALMANAC_S3_CONDITIONS=none). Set ALMANAC_VAULT to a folder or to a store that honors them. The site's store need not`,
  );
}

/** Checked when a worker starts. A store that is down or refuses all writes passes: retries wait for it. */
export async function requireConditions({
  environment,
  location,
  vault,
  site,
}: Stores & Pick<Opening, "vault" | "site">): Promise<void> {
  requireObedientVault({ environment, location });
  for (const [address, store] of [[location.vault, vault.store] as const, [location.site, site] as const])
    if (kindOf(address).conditions(environment.s3) === "unproven") await requireProven(address, store);
}

async function requireProven(address: string, store: Store): Promise<void> {
  const probes = await probe(store);
  if (!lacksConditions(probes) || !probes.some(({ name, ok }) => name === "delete" && ok)) return;
  const wrong = probes.find(({ ok, name }) => !ok && name.startsWith("conditional"));
  throw new StoreIgnoresConditions(`cannot write to ${address}: ${wrong?.seen ?? ""}; ${noConditions}`);
}

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
