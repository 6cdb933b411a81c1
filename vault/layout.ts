// The layout of the vault: the key of each of its files. An account's data is next to the data of its sites, which share it. No other
// file of the code makes such a key; docs/storage-setup.md lists each kind of file, and test/vault/layout.test.ts compares the two.

/** The folders of the account that are listed. */
export const folders = {
  responses: "responses/",
  superseded: "superseded/",
  quarantine: "quarantine/",
  damaged: "damaged/",
  refusals: "refusals/",
  leases: "leases/",
  endpoints: "endpoints/",
  pictures: "pictures/files/",
  pictureNotes: "pictures/addresses/",
  sites: "sites/",
} as const;

/** The keys of the account's files; a request is named by its request key. */
export const layout = {
  vault: "vault.json",
  response: (request: string) => `${folders.responses}${request}.json`,
  superseded: (request: string) => `${folders.superseded}${request}.json`,
  quarantined: (request: string) => `${folders.quarantine}${request}.json`,
  damaged: (request: string, hash: string) => `${folders.damaged}${request}/${hash}.json`,
  dayCalls: (day: string) => `calls/${day}.json`,
  /** The lease of an endpoint, and the note that survives its owner. */
  lease: (endpoint: string) => `${folders.leases}${endpoint}.json`,
  endpoint: (endpoint: string) => `${folders.endpoints}${endpoint}.json`,
  refusal: (operation: string) => `${folders.refusals}${operation}.json`,
  time: "time.json",
  picture: (hash: string, ending: string) => `${folders.pictures}${hash}.${ending}`,
  pictureNote: (addressHash: string) => `${folders.pictureNotes}${addressHash}.json`,
} as const;

/** The folder of a site. */
export function siteFolder(id: string): string {
  return `${folders.sites}${id}/`;
}

export function isOfOtherSite(key: string, id: string): boolean {
  return key.startsWith(folders.sites) && !key.startsWith(siteFolder(id));
}

/** The folder of a key, cut to this depth below the vault or, for a site's file, below the site's folder. */
export function folderOf(key: string, depth: number): string {
  const ofSite = key.startsWith(folders.sites) ? 2 : 0;
  return key
    .split("/")
    .slice(0, -1)
    .slice(0, ofSite + depth)
    .join("/");
}

/** The folders of a site that are listed, within its folder. */
export const siteFolders = {
  record: "record/",
  /** The manifests of the current state and the pending one. */
  manifests: "manifests/",
  decisions: "decisions/",
  accepted: "accepted/",
  shown: "shown/",
  runs: "runs/",
  /** The plans of runs; the next night's plan removes old ones. */
  plans: "plans/",
} as const;

/** The keys of a site's files, within its folder. */
export const siteLayout = {
  lease: "lease.json",
  /** The record of the site's states, in two copies. */
  record: (copy: string) => `${siteFolders.record}${copy}.json`,
  manifestCopy: (version: string, manifest: string) => `${siteFolders.manifests}${version}~${manifest}.json`,
  /** The decisions of people, in three copies. */
  decisions: (copy: string) => `${siteFolders.decisions}${copy}.json`,
  accepted: (request: string) => `${siteFolders.accepted}${request}.json`,
  shownTexts: (period: string) => `${siteFolders.shown}${period}.json`,
  report: (day: string, run: string, start: string) => `${siteFolders.runs}${day}/${run}/${start}.json`,
  planPage: (plan: string, page: number) => `${siteFolders.plans}${plan}/${page}.json`,
  standing: "standing.json",
  backlog: "backlog.json",
  scrub: "scrub.json",
  alert: (kind: string) => `alerts/${kind}.json`,
  notes: "notes.json",
  upkeep: "upkeep.json",
} as const;
