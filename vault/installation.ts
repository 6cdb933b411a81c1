// Identity of a vault and a site: each has a marker with the names of both, created on first use. With it a run goes only to
// workers of the same installation, and an empty vault can be distinguished from one whose disk is not mounted.
import { randomBytes, scryptSync } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Configuration } from "../readings/configuration.schema.ts";
import { pathOf } from "../site/paths.ts";
import { type Store, unlessChanged } from "../store/store.ts";
import {
  canonical,
  readJson,
  unlessDamaged,
  sha256,
  format,
  folders,
  layout,
  siteFolders,
  siteLayout,
  writeJson,
} from "./files.ts";
import { type FoundNote, lookAt, type Note } from "./note.ts";
import type { Vault } from "./vault.ts";

const name = z.string().regex(/^[0-9a-f]{16}$/);
interface Installation {
  readonly vault: string;
  readonly site: string;
}

/** Settings that all sites of a vault must share. */
const sharedSchema = z.object({ namespace: z.string(), callData: name });
const siteEntry = z.object({ site: name, shared: sharedSchema.nullable() });
const vaultFile = z.object({ vault: name, sites: z.record(z.string(), siteEntry) });
type VaultFile = z.infer<typeof vaultFile>;

/** Schema of a file with a checksum, so that a name with a flipped bit is not taken for another installation's. */
function checked<Value extends object>(schema: z.ZodType<Value>): z.ZodType<Value> {
  return z
    .looseObject({ check: name })
    .refine(({ check, ...content }) => check === checkOf(content), "its content has changed")
    .transform((file): unknown => file)
    .pipe(schema);
}

function checkOf(content: object): string {
  return sha256(canonical(content)).slice(0, 16);
}

export const vaultNote: Note<VaultFile, undefined> = {
  key: layout.vault,
  schema: checked(vaultFile),
  empty: undefined,
};
const siteMarker: Note<Installation, undefined> = {
  key: pathOf({ row: "marker" }),
  schema: checked(z.object({ vault: name, site: name })),
  empty: undefined,
};

interface Stores {
  readonly vault: Pick<Vault, "store">;
  readonly site: Store;
}

interface OwnedStores extends Stores {
  readonly vault: Pick<Vault, "store" | "own" | "siteId">;
}

/** Settings that this project shares with the other sites of its vault. */
interface Sharing {
  readonly configuration: Configuration;
  /** Temporal namespace. */
  readonly namespace: string;
}

/** Why the stores can't be used together. */
export class WrongInstallation extends Error {
  override readonly name = "WrongInstallation";
}

/** Throws if the two are exchanged, or the vault is of an earlier version. Reads only; an empty store is either. */
export async function requireKinds({ vault: { store: vault }, site }: Stores): Promise<void> {
  const [isOther, isPrivate] = await Promise.all([
    isVault(vault).then(async (right) => !right && (await isSite(vault))),
    isSite(site).then(async (right) => !right && (await isVault(site))),
  ]);
  if (isOther && isPrivate) {
    throw new WrongInstallation(
      "ALMANAC_VAULT names a published site, and ALMANAC_SITE a private vault; nothing was written. Swap the two settings",
    );
  }
  if (isOther) {
    throw new WrongInstallation(
      "ALMANAC_VAULT names a published site, whose files readers can fetch; nothing was written. Set it to the site's vault, or to an empty location",
    );
  }
  if (isPrivate) {
    throw new WrongInstallation(
      "ALMANAC_SITE names a private vault; nothing was written. Set it to the vault's site, or to an empty location",
    );
  }
  await requireVaultLayout(vault);
}

/** Key prefixes that only earlier versions wrote. */
const earlier = ["marker.json", "captures/", "site/"];

/** Throws if an earlier version made the vault. */
export async function requireVaultLayout(vault: Store): Promise<void> {
  if ((await lookAt(vault, vaultNote)).value !== undefined) return;
  for (const prefix of earlier) if (!(await isEmpty(vault, prefix))) throw earlierLayout(prefix);
}

/** Throws if an earlier version made the vault of this backup. */
export function requireLayout(keys: Iterable<string>): void {
  for (const key of keys) {
    const found = earlier.find((prefix) => key.startsWith(prefix));
    if (found !== undefined) throw earlierLayout(found);
  }
}

function earlierLayout(found: string): WrongInstallation {
  return new WrongInstallation(
    `the vault has the layout of an earlier version of Almanac (${found}), which this version cannot read; nothing was written. ` +
      "Set ALMANAC_VAULT and ALMANAC_SITE to empty locations",
  );
}

async function isVault(store: Store): Promise<boolean> {
  return (await store.read(vaultNote.key)) !== undefined || !(await isEmpty(store, folders.responses));
}

async function isSite(store: Store): Promise<boolean> {
  const [marker, pointed] = await Promise.all([
    store.read(siteMarker.key),
    store.read(pathOf({ row: "pointer" })),
  ]);
  return marker !== undefined || pointed !== undefined;
}

/** Markers as found; reading them changes nothing. */
interface FoundMarkers {
  readonly own: FoundNote<VaultFile | undefined>;
  readonly theirs: FoundNote<Installation | undefined>;
  /** True if the vault is empty although the site was published. */
  readonly isVaultMissing: boolean;
}

export async function findMarkers({ vault, site }: Stores): Promise<FoundMarkers> {
  const [own, theirs] = await Promise.all([lookAt(vault.store, vaultNote), lookAt(site, siteMarker)]);
  const isBare = own.version === undefined && (await isEmpty(vault.store, ""));
  const isVaultMissing = isBare && (theirs.version !== undefined || (await isPublished(site)));
  return { own, theirs, isVaultMissing };
}

export function missingVaultWords(theirs: Installation | undefined) {
  const whose = theirs === undefined ? "" : ` by the vault ${theirs.vault}`;
  return {
    seen: `the vault is empty, although the site was published${whose}`,
    remedy:
      "Check that its disk is mounted, and that ALMANAC_VAULT is correct. If the vault is lost, restore it from a backup. " +
      "Without a backup, continue with `almanac repair --new-vault`",
  };
}

/** Throws if the markers say that the stores do not belong together, or that the vault is not there. */
export function requireFitting({ own, theirs, isVaultMissing }: FoundMarkers, siteId: string): void {
  if (isVaultMissing) {
    const { seen, remedy } = missingVaultWords(theirs.value);
    throw new WrongInstallation(`${seen}. ${remedy}`);
  }
  if (own.value === undefined || theirs.value === undefined) return;
  const { vault, sites } = own.value;
  const named = sites[siteId]?.site ?? theirs.value.site;
  if (vault !== theirs.value.vault || named !== theirs.value.site) {
    throw new WrongInstallation(
      `the vault ${vault} belongs to the site ${named}, but the site ${theirs.value.site} belongs to the vault ` +
        `${theirs.value.vault}. Correct ALMANAC_VAULT or ALMANAC_SITE. If the site's vault is lost, run \`almanac repair --new-vault\``,
    );
  }
  const [otherId] = Object.entries(sites).find(([id, { site }]) => id !== siteId && site === named) ?? [];
  if (otherId === undefined) return;
  throw new WrongInstallation(
    `the vault knows this site as "${otherId}", but its configuration has "${siteId}". Set site.id to "${otherId}"`,
  );
}

/** Throws if another site of the vault has another namespace, or would make the same call with other data. */
function requireShared({ sites }: VaultFile, siteId: string): void {
  const own = sites[siteId]?.shared;
  for (const [id, { shared }] of Object.entries(sites)) {
    if (!own || !shared || id === siteId) continue;
    if (shared.namespace !== own.namespace) {
      throw new WrongInstallation(
        `the site "${id}" of this vault uses the Temporal namespace "${shared.namespace}", but this project uses "${own.namespace}". ` +
          `Set TEMPORAL_NAMESPACE to "${shared.namespace}"; ${ifGone}`,
      );
    }
    if (shared.callData !== own.callData) {
      throw new WrongInstallation(
        `the site "${id}" of this vault uses other cards, people, zones, quality.rules or service settings than this project. ` +
          `Set the same values in both, and restart both; ${ifGone}`,
      );
    }
  }
}

const ifGone = "if the other site no longer exists, remove vault.json. Each site creates it again";

/**
 * The identity of vault and site. Missing markers are created, as at first use. Pass `sharing` for a process that makes calls or starts
 * runs. Its settings are written to the vault before they are compared with those of the other sites, so that two projects can make
 * the same change one after the other.
 */
export async function identify(stores: OwnedStores, sharing?: Sharing): Promise<Installation> {
  const { siteId } = stores.vault;
  for (;;) {
    const found = await findMarkers(stores);
    requireFitting(found, siteId);
    const { own, theirs } = found;
    const vault = own.value?.vault ?? theirs.value?.vault ?? newName();
    const known = own.value?.sites[siteId];
    const site = known?.site ?? theirs.value?.site ?? newName();
    const callData = sharing && callDataHash(sharing.configuration, vault);
    const shared = sharing && callData ? { namespace: sharing.namespace, callData } : (known?.shared ?? null);
    if (known === undefined || !isDeepStrictEqual(known.shared, shared)) {
      const sites = { ...own.value?.sites, [siteId]: { site, shared } };
      await writeChecked(stores.vault.store, vaultNote.key, { vault, sites }, own.version);
      continue; // somebody else's marker may have come first
    }
    if (own.value !== undefined) requireShared(own.value, siteId);
    // A published site that is now empty gets no marker here: every publish judges it (publish/step/site-state.ts).
    if (theirs.value !== undefined || (await isEmptied(stores))) return { vault, site };
    await writeChecked(stores.site, siteMarker.key, { vault, site }, theirs.version);
  }
}

/** The cost of each guess at a name and a birth date: 32 MB, and about a tenth of a second. */
const guessing = { cost: 2 ** 15, maxmem: 64 * 2 ** 20 };

/**
 * A hash of the data of a configuration that a call needs beyond its request key. Names and birth dates must not be stored, and a plain hash of them can be guessed, so they are hashed with scrypt.
 */
function callDataHash({ cards, people, quality, service, zones }: Configuration, vault: string): string {
  const inOrder = people.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const secret =
    people.length === 0 ? "" : scryptSync(canonical(inOrder), vault, 32, guessing).toString("hex");
  return sha256(canonical({ cards, rules: quality.rules, service, zones, secret })).slice(0, 16);
}

/** Restores lost or damaged markers and returns their keys. If there never was one, the first run creates it. */
export async function repairMarkers(stores: OwnedStores): Promise<string[]> {
  const found = await findMarkers(stores);
  requireFitting(found, stores.vault.siteId);
  const { own, theirs } = found;
  if (own.version === undefined && theirs.version === undefined) return [];
  await identify(stores);
  return [
    ...(own.value === undefined ? [vaultNote.key] : []),
    ...(theirs.value === undefined ? [siteMarker.key] : []),
  ];
}

/** Takes this vault for the site's own, by a person's word. */
export async function reidentify(stores: OwnedStores): Promise<Installation> {
  const { own, theirs } = await findMarkers(stores);
  const { siteId } = stores.vault;
  const identity = { vault: own.value?.vault ?? newName(), site: theirs.value?.site ?? newName() };
  const sites = { ...own.value?.sites, [siteId]: { site: identity.site, shared: null } };
  await writeChecked(stores.vault.store, vaultNote.key, { vault: identity.vault, sites }, own.version);
  await writeChecked(stores.site, siteMarker.key, identity, theirs.version);
  return identify(stores);
}

async function writeChecked(store: Store, key: string, value: object, version: string | undefined) {
  const content = { format, ...value };
  await writeJson(store, key, { ...content, check: checkOf(content) }, unlessChanged(version));
}

/** The identity in the existing markers. */
export function identityIn({ own, theirs }: FoundMarkers, siteId: string): Installation | undefined {
  const site = own.value?.sites[siteId]?.site;
  return own.value === undefined || site === undefined ? theirs.value : { vault: own.value.vault, site };
}

/** The installation as one word, which runs and workers carry. */
export function installationId({ vault, site }: Installation): string {
  return `${vault}.${site}`;
}

/** The id of the vault, by the installation's id; `none` for a process without an installation, as in tests. */
export function vaultOf(word = "none"): string {
  return word.split(".")[0] ?? word;
}

function newName(): string {
  return randomBytes(8).toString("hex");
}

async function isEmptied({ vault, site }: OwnedStores): Promise<boolean> {
  return !(await isPublished(site)) && !(await isEmpty(vault.own, siteFolders.manifests));
}

const pointer = z.object({ manifest: z.string() });

/** False also for a damaged or missing pointer, which every publish judges. */
async function isPublished(site: Store): Promise<boolean> {
  const path = pathOf({ row: "pointer" });
  return (await unlessDamaged(() => readJson(site, path, pointer))) !== undefined;
}

/** The lease of a site does not count: a process that finds a lost vault may have taken one there. */
async function isEmpty(store: Store, prefix: string): Promise<boolean> {
  for await (const { key } of store.list(prefix)) if (!key.endsWith(`/${siteLayout.lease}`)) return false;
  return true;
}
