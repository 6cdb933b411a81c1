// The restore drill: a site with a history and a vault, copied, lost, and brought back into empty stores.
import { backUp, type BackedUp } from "../../../publish/backup/back-up.ts";
import { restore, type Restored } from "../../../publish/backup/restore.ts";
import { readSnapshot, snapshotsIn } from "../../../publish/backup/snapshots.ts";
import { repair } from "../../../publish/repair/repair.ts";
import { planFor } from "../../../insight/plan.ts";
import type { ConfigurationInput } from "../../../readings/configuration.schema.ts";
import type { Store } from "../../../store/store.ts";
import { contentOf, type Stores } from "../../support/stores.ts";
import { follow, type Seen, wrongPaths, usedTwice } from "./look.ts";
import { configured, newSite, type PublishedSite } from "./published-site.ts";

export const drilled = {
  site: configured.site,
  languages: ["en", "hi"],
  operations: ["daily-tarot"],
  people: [],
  pairs: [],
  publishing: { unusualShare: 0.5 },
} satisfies ConfigurationInput;

export const day = (date: number) => `2026-11-${date}T12:00:00Z`;

/** Gathers and publishes a night on each of these days. */
export async function nightsOn(site: PublishedSite, from: number, to = from): Promise<void> {
  for (let date = from; date <= to; date += 1) {
    site.setClock(day(date));
    await site.gather(`2026-11-${date}`, `2026-11-${date + 1}`);
    await site.night();
  }
}

export async function backedUp(site: PublishedSite, backup: Store): Promise<BackedUp> {
  return backUp(site.publishing, backup, site.publishing.configuration.publishing.keepDays);
}

/** Same steps as the command: missing files are restored, then the site is repaired, and the next night's requests are planned. */
export async function broughtBack(
  stores: Stores,
  backup: Store,
  at: string,
  through: (stores: Stores) => Stores = (same) => same,
): Promise<{ site: PublishedSite; restored: Restored; version: number }> {
  const site = newSite(drilled, through(stores));
  site.setClock(at);
  const newest = (await snapshotsIn(backup)).at(-1);
  if (newest === undefined) throw new Error("the backup has no snapshot");
  const restored = await restore(site.publishing, backup, await readSnapshot(backup, newest));
  const { version } = await repair(site.publishing, false);
  return { site, restored, version };
}

/** A reader's view, including the public paths, after checking that it is complete. */
export async function shownOn({ site }: Pick<Stores, "site">): Promise<Seen> {
  const seen = await follow(site);
  if (seen === undefined) throw new Error("nothing is published");
  const wrong = await wrongPaths(site, seen);
  if (wrong.length > 0) throw new Error(wrong.join(", "));
  return seen;
}

/** The same check if the whole history exists: no version occurs twice. */
export async function soundOn(stores: Stores): Promise<Seen> {
  const twice = await usedTwice(stores);
  if (twice.length > 0) throw new Error(twice.join(", "));
  return shownOn(stores);
}

/** Requests that a night on this day would send to the service. */
export async function askedOn(site: PublishedSite, date: number): Promise<readonly string[]> {
  const request = { asOf: day(date) };
  const input = { kind: "nightly", request, run: "drill", start: "1" } as const;
  return (await planFor(input, site.publishing)).due.map(({ key }) => key);
}

export async function responsesOf(vault: Store): Promise<Map<string, Uint8Array>> {
  return new Map([...(await contentOf(vault))].filter(([key]) => key.startsWith("responses/")));
}
