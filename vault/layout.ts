// The layout of the vault: where each of its files lies. No other file of the code makes such a key, and docs/store.md
// says of each what it is and whether it may be lost; test/vault/layout.test.ts holds both.

/** The folders that are listed. */
export const folders = {
  captures: "captures/",
  standIns: "stand-ins/",
  quarantine: "quarantine/",
  damaged: "damaged/",
  accepted: "accepted/",
  /** The plans of runs; the next night's plan sweeps them. */
  plans: "plans/",
  refusals: "refusals/",
  shown: "shown/",
  runs: "runs/",
  pictures: "pictures/files/",
  pictureNotes: "pictures/addresses/",
  decisions: "site/decisions/",
  record: "site/record/",
  /** The manifests of the current state and the pending one. */
  manifests: "site/manifests/",
} as const;

/** The key of each file; a request is named by its request key. */
export const layout = {
  capture: (request: string) => `${folders.captures}${request}.json`,
  standIn: (request: string) => `${folders.standIns}${request}.json`,
  quarantined: (request: string) => `${folders.quarantine}${request}.json`,
  damaged: (request: string, hash: string) => `${folders.damaged}${request}/${hash}.json`,
  accepted: (request: string) => `${folders.accepted}${request}.json`,
  planPage: (plan: string, page: number) => `${folders.plans}${plan}/${page}.json`,
  report: (day: string, run: string, start: string) => `${folders.runs}${day}/${run}/${start}.json`,
  dayCalls: (day: string) => `calls/${day}.json`,
  /** The lease of an endpoint, and what survives its owner. */
  lease: (endpoint: string) => `leases/${endpoint}.json`,
  endpoint: (endpoint: string) => `endpoints/${endpoint}.json`,
  refusal: (operation: string) => `${folders.refusals}${operation}.json`,
  shownTexts: (period: string) => `${folders.shown}${period}.json`,
  alert: (kind: string) => `alerts/${kind}.json`,
  quarantineSize: "alerts/quarantine.json",
  latency: "latency.json",
  marker: "vault.json",
  witness: "witness.json",
  patrol: "patrol.json",
  upkeep: "upkeep.json",
  removedSchedules: "schedules.json",
  picture: (hash: string, ending: string) => `${folders.pictures}${hash}.${ending}`,
  pictureNote: (addressHash: string) => `${folders.pictureNotes}${addressHash}.json`,
  leftOutPictures: "pictures/left-out.json",
  siteLease: "site/lease.json",
  /** The record of the site's states, in two copies. */
  record: (copy: string) => `${folders.record}${copy}.json`,
  manifestCopy: (version: string, manifest: string) => `${folders.manifests}${version}~${manifest}.json`,
  /** The decisions of people, in three copies. */
  decisions: (copy: string) => `${folders.decisions}${copy}.json`,
  standing: "site/standing.json",
  untold: "site/untold.json",
} as const;

/** What only workers and runs under way need, or what is found out anew: a backup leaves it out. */
export const passing: readonly string[] = [
  folders.plans,
  layout.siteLease,
  "leases/",
  "endpoints/",
  layout.upkeep,
];
