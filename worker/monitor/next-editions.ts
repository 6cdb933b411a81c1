// How the next edition of each language stands, before its midnight: what it still lacks tells a night that will be late while there
// is time. Quarantined readings count as missing. Refused operations do not: they have an alert, and no night can help them.
import type { MetricMeter } from "@temporalio/common";
import type { Dependencies } from "../../activities/dependencies.ts";
import { gaugesOn } from "../../activities/metrics.ts";
import { catalogue, zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { rowOf } from "../../readings/operations.ts";
import { addDays } from "../../readings/periods.ts";
import { requestKey } from "../../readings/request.ts";
import { localDate, startOfDay } from "../../readings/zones.ts";
import { refusalsIn } from "../../vault/refusals.ts";

type NextEditionSettings = Pick<Dependencies, "configuration" | "vault" | "now" | "log">;

/** Two lists of the vault for each date, of which there are two or three: not for every look of a monitor. */
const goodForMs = 5 * 60_000;

export function createNextEditionLook(
  settings: NextEditionSettings,
  meter: MetricMeter,
): () => Promise<void> {
  const gauge = gaugesOn(meter);
  const due = gauge("almanac_next_edition_due_timestamp_seconds", "A language's coming midnight");
  const missing = gauge(
    "almanac_next_edition_missing_readings",
    "What the edition of that midnight lacks yet",
  );
  const quarantined = gauge(
    "almanac_next_edition_quarantined_readings",
    "The missing readings of that edition that are in quarantine",
  );
  let latestMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - latestMs < goodForMs) return;
    latestMs = performance.now();
    try {
      for (const { language, dueAt, lacking, inQuarantine } of await nextEditions(settings)) {
        due.set(dueAt.getTime() / 1000, { language });
        missing.set(lacking, { language });
        quarantined.set(inQuarantine, { language });
      }
    } catch (error) {
      latestMs = Number.NEGATIVE_INFINITY;
      settings.log.warn({}, `what the next editions lack could not be found out: ${String(error)}`);
    }
  };
}

async function nextEditions({ configuration, vault, now }: NextEditionSettings) {
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
