// Expected results of the nights, computed in advance in this process: the plan of each, the sandbox's text for every request, and
// the published result, in memory, where nothing fails.
import { fingerprintOf } from "../../publish/render/fingerprint.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { publish, publishDue } from "../../publish/publish.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import { createVault } from "../../vault/vault.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { makePlan } from "../../readings/plan.ts";
import { openMemory } from "../support/memory.ts";
import { pathsOn } from "../support/looks.ts";
import { startOf, publishTimesOf } from "./nights.ts";
import { sizesOf } from "./sizes.ts";
import { storedResponseOf } from "../support/stored-responses.ts";

export type Prediction = Awaited<ReturnType<typeof rehearse>>;

/** Padding to the size of most real stored responses. */
const asLong = {
  address: "http://127.0.0.1:50000/translator/api/v5/daily-horoscope",
  run: "w10000-1-nightly-2026-11-21",
};
const silent = { info: () => {}, warn: () => {}, error: () => {} };

export async function rehearse(configuration: Configuration, dates: readonly string[]) {
  let at = new Date(0);
  const now = (): Date => at;
  const vault = createVault(openMemory(now), "almanac");
  const site = openMemory(now);
  const fingerprint = fingerprintOf(siteSettingsOf(configuration));
  const place: Publishing = { configuration, vault, site, now, log: silent, fingerprint };
  const held = new Set<string>();
  const requests: number[] = []; // per night
  for (const date of dates) {
    at = startOf(date);
    const { due } = makePlan({ configuration, instant: at, held: (key) => held.has(key) });
    for (const { request } of due)
      await vault.storeResponse(
        storedResponseOf(request, { translated: false }, { ...asLong, receivedAt: at.toISOString() }),
      );
    for (const { key } of due) held.add(key);
    requests.push(due.length);
    const run = `${configuration.site.id}-nightly-${date}`;
    const asOf = at.toISOString();
    await publish({ run, asOf, languages: configuration.languages, last: true }, place);
    for (at of publishTimesOf(date)) await publishDue(place);
  }
  const paths = new Set((await pathsOn(site)).keys());
  return { requests, responses: held, paths, sizes: await sizesOf(vault.store, site) };
}
