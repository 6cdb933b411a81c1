// The ids of everything on Temporal, in one place: worker, client and tests can never disagree. The first word is the site's
// id, so that several sites share one namespace.
import { type EndpointName, endpointNames } from "../readings/tables.ts";

/** The calls of an endpoint have a queue of their own; everything else runs on `main`. */
export const queues = ["main", ...endpointNames] as const;
export type Queue = (typeof queues)[number];

export function mainQueue(site: string): string {
  return `${site}-main`;
}

/** By the vault, because the sites of a vault share its endpoints. Workers of every build take from it (worker/worker.ts). */
export function callQueue(vault: string, endpoint: EndpointName): string {
  return `almanac-calls-${vault}-${endpoint}`;
}

export function nightlyId(site: string, date: string): string {
  return `${site}-nightly-${date}`;
}

/** A backfill is named by its languages, so that two backfills of different languages can run side by side. */
export function backfillId(site: string, date: string, languages: readonly string[] = ["all"]): string {
  return `${site}-backfill-${date}-${languages.toSorted().join("-").slice(0, 80)}`;
}

/** An edition is a child of its run: `almanac-edition-hi-2026-11-22`, or `almanac-backfill-2026-11-21-hi-edition-...`,
 * so that two backfills that share a language do not share its edition. */
export function editionId(
  site: string,
  run: { readonly kind: "nightly" | "backfill"; readonly id: string },
  language: string,
  date: string,
): string {
  return `${run.kind === "nightly" ? site : run.id}-edition-${language}-${date}`;
}

export function publishId(site: string): string {
  return `${site}-publish`;
}

export const scheduleIds = {
  nightly: (site: string): string => `${site}-nightly`,
  publish: (site: string): string => `${site}-publish`,
  scrub: (site: string): string => `${site}-scrub`,
};

export const workflowTypes = {
  scheduled: "scheduled",
  nightly: "nightly",
  backfill: "backfill",
  publish: "publish",
  scrub: "scrub",
  edition: "edition",
} as const;
/** Field with the installation: in the memo of a run, and in a header of each of its activities. */
export const installationField = "installation";
export const progressQuery = "progress";
export const progressSignal = "edition-progress";

/** A theme as it was when it was read, in one word. */
export function themeWord(theme: { readonly hash: string } | undefined): string {
  return theme?.hash.slice(0, 16) ?? "none";
}

/** Parts of a worker's name on Temporal; undefined if the name does not have them. */
export interface WorkerIdentity {
  /** Its process and machine. */
  readonly where: string;
  /** The theme that it renders with, in one word. */
  readonly theme: string | undefined;
  /** Its vault and site in one word. */
  readonly installation: string | undefined;
}

export function workerIdentity({ where, theme, installation }: WorkerIdentity): string {
  return [where, `theme:${theme}`, ...(installation === undefined ? [] : [installation])].join(" ");
}

export function partsOfIdentity(identity: string): WorkerIdentity {
  const [where = "", ...words] = identity.split(" ");
  return {
    where,
    theme: words.find((word) => word.startsWith("theme:"))?.slice("theme:".length),
    installation: words.find((word) => /^[0-9a-f]{16}\.[0-9a-f]{16}$/.test(word)),
  };
}
