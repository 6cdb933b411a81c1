// The gauges of a site's published and next editions, and the alert about a late edition. They are computed when a monitor reads them,
// because an age grows by itself; the stores are read at most every ten seconds for it.
import type { MetricMeter } from "@temporalio/common";
import { endpointNames, rowOf, type Language } from "../../readings/tables.ts";
import type { Dependencies } from "../../activities/dependencies.ts";
import { openBreakers, callsTakenOn, refusalsIn } from "../../vault/call-notes.ts";
import { gaugesOn } from "../../activities/metrics.ts";
import { lastUpkeep, upkeepTasks } from "../../vault/site-notes.ts";
import { parseJson } from "../../vault/files.ts";
import { documents, type LanguageStatus } from "../../site/data.schema.ts";
import { pathOf } from "../../site/paths.ts";
import { catalogue, zoneOf } from "../../readings/catalogue.ts";
import { addDays, localDate, startOfDay } from "../../readings/calendar.ts";
import { requestKey } from "../../readings/request.ts";

type GaugeSettings = Pick<Dependencies, "vault" | "site" | "configuration" | "log" | "now">;

const goodForMs = 10_000;

/** Updates the gauges; if a store is down, they keep their values. */
export function createLooking(
  settings: GaugeSettings,
  meter: MetricMeter,
  hasBackup: boolean,
): () => Promise<void> {
  const { configuration, now } = settings;
  const on = siteGauges(meter);
  const latestLook = cachedFor(goodForMs, () => lookAtSite(settings));
  return async () => {
    const found = await latestLook();
    if (found === undefined) return;
    const { languages, breakers, callsToday, succeeded, lookedAt } = found;
    for (const { language, publishedAt, nextAt, missing } of languages) {
      if (!configuration.languages.includes(language)) continue;
      const sinceSeconds = (instant: string) => (now().getTime() - Date.parse(instant)) / 1000;
      if (publishedAt !== undefined) on.age.set(sinceSeconds(publishedAt), { language });
      if (nextAt !== undefined) on.ends.set(Date.parse(nextAt) / 1000, { language });
      if (nextAt !== undefined) on.overdue.set(Math.max(0, sinceSeconds(nextAt)), { language });
      on.missing.set(missing.length, { language });
    }
    for (const endpoint of endpointNames) {
      const open = breakers.find((one) => one.endpoint === endpoint);
      on.breakerOpen.set(open === undefined ? 0 : 1, { endpoint });
      on.refused.set(open !== undefined && open.away === undefined ? 1 : 0, { endpoint });
    }
    for (const task of upkeepTasks) {
      if (task === "backup" && !hasBackup) continue;
      const at = succeeded[task];
      on.upkeep.set(at === undefined ? 0 : Date.parse(at) / 1000, { task });
    }
    on.reserved.set(callsToday, {});
    const { callsPerDay } = configuration.service;
    if (callsPerDay !== undefined) on.ceiling.set(callsPerDay, {});
    on.looked.set(lookedAt.getTime() / 1000, {});
  };
}

/** Reads again only after so long. */
export function cachedFor<Value>(mostMs: number, read: () => Promise<Value>): () => Promise<Value> {
  let latest: { readonly atMs: number; readonly value: Promise<Value> } | undefined;
  return async () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs > mostMs) latest = { atMs: nowMs, value: read() };
    return latest.value;
  };
}

function siteGauges(meter: MetricMeter) {
  const gauge = gaugesOn(meter);
  return {
    breakerOpen: gauge(
      "almanac_breaker_open",
      "1 if an endpoint refuses the credentials or does not respond",
    ),
    refused: gauge("almanac_credentials_refused", "1 if an endpoint refuses the credentials"),
    age: gauge("almanac_edition_age_seconds", "Age of a language's newest edition"),
    overdue: gauge("almanac_edition_overdue_seconds", "Delay of a language's next edition"),
    ends: gauge("almanac_edition_ends_timestamp_seconds", "End of a language's newest edition"),
    looked: gauge("almanac_status_read_timestamp_seconds", "Time of this worker's last look at the site"),
    missing: gauge("almanac_edition_missing_operations", "Operations whose newest reading is missing"),
    reserved: gauge("almanac_budget_used_calls", "Calls reserved by runs on this UTC day"),
    ceiling: gauge("almanac_budget_calls", "service.callsPerDay, if set"),
    upkeep: gauge(
      "almanac_maintenance_succeeded_timestamp_seconds",
      "Last success of gc, verify and backup; 0 if never",
    ),
  };
}

async function lookAtSite({ vault, site, log, now }: GaugeSettings) {
  const lookedAt = now();
  try {
    const [languages, breakers, callsToday, succeeded] = await Promise.all([
      publishedLanguages(site),
      openBreakers(vault),
      callsTakenOn(vault, lookedAt.toISOString().slice(0, 10)),
      lastUpkeep(vault.own),
    ]);
    return { languages, breakers, callsToday, succeeded, lookedAt };
  } catch (error) {
    log.warn({}, `cannot read the figures for the gauges: ${String(error)}`);
    return undefined;
  }
}

async function publishedLanguages(site: GaugeSettings["site"]): Promise<readonly LanguageStatus[]> {
  const path = pathOf({ row: "status" });
  const published = await site.read(path);
  return published === undefined ? [] : parseJson(path, published.body, documents.status).languages;
}

/** Two lists of the vault for each date, of which there are two or three: not for every look of a monitor. */
const nextGoodForMs = 5 * 60_000;

/**
 * The gauges of each language's next edition, before its midnight: its missing readings show early that a night will be late.
 * Quarantined readings count as missing. Refused operations do not: they have an alert, and no night can help them.
 */
export function createNextEditionLook(settings: GaugeSettings, meter: MetricMeter): () => Promise<void> {
  const gauge = gaugesOn(meter);
  const due = gauge("almanac_next_edition_due_timestamp_seconds", "Next midnight of a language");
  const missing = gauge(
    "almanac_next_edition_missing_readings",
    "Missing readings of the edition for that midnight",
  );
  const quarantined = gauge(
    "almanac_next_edition_quarantined_readings",
    "Missing readings of that edition that are in quarantine",
  );
  let latestMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - latestMs < nextGoodForMs) return;
    latestMs = performance.now();
    try {
      for (const { language, dueAt, lacking, inQuarantine } of await nextEditions(settings)) {
        due.set(dueAt.getTime() / 1000, { language });
        missing.set(lacking, { language });
        quarantined.set(inQuarantine, { language });
      }
    } catch (error) {
      latestMs = Number.NEGATIVE_INFINITY;
      settings.log.warn({}, `cannot determine the missing readings of the next editions: ${String(error)}`);
    }
  };
}

async function nextEditions({ configuration, vault, now }: GaugeSettings) {
  const instant = now();
  const dates = new Map<Language, string>(
    configuration.languages.map((language) => [
      language,
      addDays(localDate(zoneOf(configuration, language), instant), 1),
    ]),
  );
  const refused = new Set((await refusalsIn(vault)).map(({ operation }) => operation));
  const held = new Set<string>();
  const quarantine = new Set<string>();
  for (const date of new Set(dates.values())) {
    for (const key of await vault.held(`daily/${date}/`)) held.add(key);
    for (const key of await vault.inQuarantine(`daily/${date}/`)) quarantine.add(key);
  }
  return [...dates].map(([language, date]) => {
    const wanted = catalogue(configuration, instant, { languages: [language] }, { from: date, to: date });
    const lacking = wanted
      .filter(({ operation }) => rowOf(operation).due === "daily" && !refused.has(operation))
      .flatMap(({ requests }) => requests.map(requestKey))
      .filter((key) => !held.has(key));
    const inQuarantine = lacking.filter((key) => quarantine.has(key)).length;
    const dueAt = startOfDay(zoneOf(configuration, language), date);
    return { language, dueAt, lacking: lacking.length, inQuarantine };
  });
}

const everyMs = 60_000;
/** The publish comes every quarter of an hour, and a large site takes some minutes to publish. */
const lateAfterSeconds = 45 * 60;

type LatenessSettings = Pick<Dependencies, "site" | "configuration" | "alert" | "log" | "now">;

/** Looks every minute for late editions: no workflow could, because none may run. Returns a function that ends the watch. */
export function watchLateness(settings: LatenessSettings): () => void {
  const look = () =>
    sayLate(settings).catch((error: unknown) => {
      settings.log.warn({}, `cannot determine whether an edition is late: ${String(error)}`);
    });
  const timer = setInterval(() => void look(), everyMs);
  void look();
  return () => clearInterval(timer);
}

async function sayLate(settings: LatenessSettings) {
  const { site, configuration, alert, now } = settings;
  const languages = await publishedLanguages(site);
  const at = now();
  const late = languages.filter(
    (status) =>
      configuration.languages.includes(status.language) &&
      at.getTime() - Date.parse(status.nextAt ?? at.toISOString()) > lateAfterSeconds * 1000,
  );
  if (late.length === 0) return;
  const list = late.map(({ language, nextAt }) => `${language} (due ${nextAt})`).join(", ");
  const text = `The next edition is more than ${lateAfterSeconds / 60} minutes late: ${list}. Readers still see the previous one. Next: run \`almanac status\` to see the progress of the run, and \`almanac schedule show\` to see whether the schedules run; \`almanac publish\` publishes what is ready.`;
  await alert({ kind: "night-late", text, once: at.toISOString().slice(0, 10) });
}
