// The gauges of a site: the age of its editions as readers have them, the gates, the day's calls. They are worked out when a
// monitor asks, because an age grows by itself; the stores are read at most every ten seconds for it.
import { serviceAddresses } from "../../readings/service-addresses.ts";
import type { Dependencies } from "../../activities/dependencies.ts";
import { openBreakers } from "../../vault/endpoint-note.ts";
import type { EditionFigures } from "../../activities/metrics.ts";
import { lastUpkeep, upkeepTasks } from "../../vault/site-notes.ts";
import { callsTakenOn } from "../../vault/day-calls.ts";
import { parseJson } from "../../vault/json.ts";
import { documents, type LanguageStatus } from "../../site/data.schema.ts";
import { pathOf } from "../../site/paths.ts";

type SiteCondition = Awaited<ReturnType<typeof siteConditionOf>>;
type GaugeSettings = Pick<Dependencies, "vault" | "site" | "configuration" | "metrics" | "log" | "now">;

const goodForMs = 10_000;

/** Brings the gauges up to date; where a store is away they stay as they were. */
export function createLooking(settings: GaugeSettings, hasBackup = false): () => Promise<void> {
  const { metrics, configuration, log, now } = settings;
  let latest: { readonly atMs: number; readonly standing: Promise<SiteCondition | undefined> } | undefined;
  return async () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs > goodForMs) {
      const standing = siteConditionOf(settings).catch((error: unknown) => {
        log.warn({}, `the figures for the gauges could not be read: ${String(error)}`);
        return undefined;
      });
      latest = { atMs: nowMs, standing };
    }
    const standing = await latest.standing;
    if (standing !== undefined) {
      const { languages, open, callsToday, succeeded } = standing;
      const wanted = languages.filter(({ language }) => configuration.languages.includes(language));
      for (const status of wanted) metrics.edition(editionFiguresOf(status, now()));
      for (const address of serviceAddresses) metrics.breaker(address, open.get(address));
      for (const task of upkeepTasks)
        if (task !== "backup" || hasBackup) metrics.upkeep(task, succeeded[task]);
      metrics.budget(callsToday, configuration.service.callsPerDay);
      metrics.looked(standing.lookedAt);
    }
  };
}

export async function siteConditionOf({ vault, site, now }: Pick<GaugeSettings, "vault" | "site" | "now">) {
  const lookedAt = now();
  const [published, breakers, callsToday, succeeded] = await Promise.all([
    site.read(pathOf({ row: "status" })),
    openBreakers(vault),
    callsTakenOn(vault, lookedAt.toISOString().slice(0, 10)),
    lastUpkeep(vault.own),
  ]);
  const languages =
    published === undefined
      ? []
      : parseJson(pathOf({ row: "status" }), published.body, documents.status).languages;
  const open = new Map(
    breakers.map(({ endpoint, away }) => [endpoint, away === undefined ? "refused" : "away"] as const),
  );
  return { languages, open, callsToday, succeeded, lookedAt };
}

export function editionFiguresOf(
  { language, publishedAt, nextAt, missing }: LanguageStatus,
  now: Date,
): EditionFigures {
  const since = (instant: string) => (now.getTime() - Date.parse(instant)) / 1000;
  return {
    language,
    ageSeconds: publishedAt === undefined ? undefined : since(publishedAt),
    overdueSeconds: nextAt === undefined ? undefined : Math.max(0, since(nextAt)),
    endsAt: nextAt === undefined ? undefined : new Date(nextAt),
    missing: missing.length,
  };
}
