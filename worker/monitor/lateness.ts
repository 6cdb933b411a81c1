// Looks every minute whether a language's edition is late. No workflow could tell: it may be that none runs.
import type { Dependencies } from "../../activities/dependencies.ts";
import { editionFiguresOf, siteConditionOf } from "./gauges.ts";

const everyMs = 60_000;
/** The turn comes every quarter of an hour, and a large site takes some minutes to publish. */
const lateAfterSeconds = 45 * 60;

type LatenessSettings = Pick<Dependencies, "vault" | "site" | "configuration" | "alert" | "log" | "now">;

/** Returns a function that ends the watch. */
export function watchLateness(settings: LatenessSettings): () => void {
  const look = () =>
    sayLate(settings).catch((error: unknown) => {
      settings.log.warn({}, `could not find out whether an edition is late: ${String(error)}`);
    });
  const timer = setInterval(() => void look(), everyMs);
  void look();
  return () => clearInterval(timer);
}

async function sayLate(settings: LatenessSettings) {
  const { configuration, alert, now } = settings;
  const { languages } = await siteConditionOf(settings);
  const at = now();
  const late = languages.filter(
    (status) =>
      configuration.languages.includes(status.language) &&
      (editionFiguresOf(status, at).overdueSeconds ?? 0) > lateAfterSeconds,
  );
  if (late.length === 0) return;
  const list = late.map(({ language, nextAt }) => `${language} (due ${nextAt})`).join(", ");
  const text = `The next edition is more than ${lateAfterSeconds / 60} minutes late: ${list}. Readers still see the previous one. Next: run \`almanac status\` to see the progress of the night, and \`almanac schedule show\` to see whether the schedules run; \`almanac turn\` publishes what is ready.`;
  await alert({ kind: "night-late", text, once: at.toISOString().slice(0, 10) });
}
