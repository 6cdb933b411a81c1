// A rehearsal with its results: its figures, the figures of the same nights without anything going wrong, and when to start.
import { type Figures, rehearsalFiguresOf, startsFor } from "../../insight/rehearsal-figures.ts";
import { rehearse } from "../../insight/rehearse.ts";
import type { Assumptions } from "../../insight/simulated-night.ts";
import { pacesOf } from "../../readings/call-pace.ts";

interface RehearsalSettings {
  readonly seed: number;
  /** The outages as they were typed. */
  readonly outages: readonly string[];
  readonly refused: readonly string[];
}

export type Rehearsal = Awaited<ReturnType<typeof rehearsalOf>>;

export async function rehearsalOf(wish: Assumptions, settings: RehearsalSettings) {
  const { configuration } = wish;
  const rehearsed = await rehearse(wish);
  const goesWrong = settings.outages.length + settings.refused.length > 0;
  const calm = goesWrong
    ? await rehearse({ ...wish, outages: [], refused: { languages: [], operations: [] } })
    : undefined;
  return {
    wish,
    settings,
    figures: rehearsalFiguresOf(rehearsed, configuration),
    /** The figures without anything going wrong; undefined where nothing does. */
    calm: calm && rehearsalFiguresOf(calm, configuration),
    starts: await startsFor(wish, rehearsed, calm ?? rehearsed),
  };
}

/** What `--json` prints beside the figures. */
export function documentOf({ wish, settings, figures, calm, starts }: Rehearsal) {
  const { languages, schedule, service } = wish.configuration;
  const paces = pacesOf(service, wish.latencyMs);
  const without = calm && { lost: calm.lost, languages: calm.languages.map(briefly) };
  return {
    settings: { ...settings, days: wish.days, languages, schedule, paces, callsPerDay: service.callsPerDay },
    ...figures,
    without,
    starts,
  };
}

function briefly({ language, late, missed, overdueSeconds, lost }: Figures["languages"][number]) {
  return { language, late, missed, overdueSeconds, lost };
}
