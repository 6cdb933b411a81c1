// Scripted histories of the crash tests: each scenario starts from a state with earlier publishes, and defines the next operations
// with their publishers and times.
import { chooseState } from "../../../publish/history/rollback-target.ts";
import { cleanUpSite, planCleanUp } from "../../../publish/history/clean-up.ts";
import type { Publishing } from "../../../publish/state/publish-context.ts";
import { publishDue } from "../../../publish/publish.ts";
import { rollback } from "../../../publish/history/rollback.ts";
import type { Language } from "../../../readings/tables.ts";
import { firstDate, type Night, publishNight, secondDate } from "./nights.ts";
import { Calls, Publisher } from "./publisher.ts";
import { fill, inMemory, nothing, type Snapshot, snapshotOf } from "../../support/stores.ts";

type Work = (place: Publishing) => Promise<unknown>;
export type Before = () => Promise<Snapshot>;

export interface Scenario {
  readonly name: string;
  /** The stores before it. */
  readonly before: Before;
  readonly at: Date;
  /** Concurrent publishers. */
  readonly publishers: readonly Work[];
  /**
   * Fields that may differ between runs: with several publishers their order, and for a rollback with its own instant the
   * manifest's `asOf`. The version of a dropped state is skipped.
   */
  readonly varies?: readonly ("parent" | "asOf" | "version" | "run")[];
  /** Strikes only every nth call, because there are so many. */
  readonly every?: number;
  /** Compares every key at the end, not only the readers' view: nothing else may remain. */
  readonly everyKey?: boolean;
}

/** 2026-11-21 has begun in Berlin and Cairo, not yet in New York. */
export const lateEvening = new Date("2026-11-20T23:30:00.000Z");
const evening = new Date("2026-11-20T21:10:00.000Z");

const night =
  (date: string, languages: readonly Language[], more: Pick<Night, "size" | "dropped"> = {}): Work =>
  (place) =>
    publishNight(place, { run: `almanac-nightly-${date}`, date, languages, ...more });

/** The state that undisturbed work makes of an earlier one, once a process. */
function once(before: Before, at: Date, ...works: Work[]): Before {
  let made: Promise<Snapshot> | undefined;
  const make = async (): Promise<Snapshot> => {
    const stores = inMemory(() => at);
    await fill(stores, await before());
    for (const work of works) await work(new Publisher(stores, new Calls(), () => at).place);
    return snapshotOf(stores);
  };
  return () => (made ??= make());
}

const empty: Before = () => Promise.resolve(nothing);
const twoLanguages = once(empty, evening, night(firstDate, ["en", "de"]));
export const allLanguages = once(twoLanguages, evening, night(firstDate, ["ar"]));

const secondNight = once(allLanguages, evening, night(secondDate, ["de", "ar"]));
const twoStatesTooMany = once(secondNight, evening, night("2026-11-22", ["de", "ar"]));
/** For stores with their own clock: files put now are old by then. */
const inThreeMonths = new Date(Date.now() + 90 * 24 * 60 * 60_000);

function backTo(wanted: string, languages?: readonly Language[]): Work {
  return async (place) => {
    const { site, now, configuration } = place;
    const { keepDays } = configuration.publishing;
    const to = await chooseState(wanted, { site, now: now(), keepDays });
    return rollback({ to, languages, evenMany: true, by: { by: "editor" } }, place);
  };
}

const cleanUp: Work = async (place) =>
  cleanUpSite(place, await planCleanUp(place, { keepDays: 30, graceMs: 60 * 60_000 }));

/** Starts at the end of the evening, unless `more` sets another time. */
export function scene(
  name: string,
  before: Before,
  publishers: Work[],
  more: Partial<Scenario> = {},
): Scenario {
  return { name, before, at: evening, publishers, varies: ["version"], ...more };
}

const few: readonly Scenario[] = [
  scene("first night", empty, [night(firstDate, ["de"])]),
  scene(
    "nightly of two languages by two publishers",
    allLanguages,
    [night(secondDate, ["de"]), night(secondDate, ["ar"])],
    { varies: ["parent", "version"] },
  ),
  scene("backfill of a new language", twoLanguages, [night(secondDate, ["ar"])]),
  scene("publish", allLanguages, [night(secondDate, ["de"])], { at: lateEvening }),
  scene("rollback", secondNight, [backTo("2")], { varies: ["asOf", "version"] }),
  scene("gc", twoStatesTooMany, [cleanUp], { at: inThreeMonths, everyKey: true }),
  scene("a language leaves", secondNight, [night(secondDate, ["de"], { dropped: "ar" })]),
];

/** State left by a publisher that died while it wrote its night's public paths. */
const leftHalfShown = once(allLanguages, evening, async (place) => {
  const stores = { site: place.site, vault: place.vault.store };
  const publisher = new Publisher(stores, new Calls(30, "killed after"), () => evening);
  await publisher.run(night(secondDate, ["ar"]));
});
const large = { size: "signs" } as const;
const horoscopes = once(empty, evening, night(firstDate, ["en", "de", "ar"], large));

/** Many small ones, because a scenario's cost grows with the square of its calls; the large ones are struck here and there. */
const more: readonly Scenario[] = [
  ...(["en", "ar"] as const).map((language) =>
    scene(`first night of ${language}`, empty, [night(firstDate, [language])]),
  ),
  ...(
    [
      [["en"], ["de"]],
      [["en"], ["ar"]],
      [["de"], ["ar"], ["de"]],
      [["de", "ar"], ["ar"]],
    ] as const
  ).map((batches) =>
    scene(
      `nightly of ${batches.join(" and ")} at once`,
      allLanguages,
      batches.map((languages) => night(secondDate, languages)),
      { varies: ["parent", "version"] }, // the second may find nothing new
    ),
  ),
  ...([["de"], ["en"], ["de", "ar"]] as const).map((languages) => {
    const name = `nightly of ${languages.join()} after one that died half-shown`;
    return scene(name, leftHalfShown, [night(secondDate, languages)]);
  }),
  ...([["en"], ["ar"], ["de", "ar"]] as const).map((languages) => {
    const publishers = [night(secondDate, languages)];
    return scene(`publish of ${languages.join()}`, allLanguages, publishers, { at: lateEvening });
  }),
  ...["1", "2"].map((wanted) =>
    scene(`rollback of two nights to ${wanted}`, twoStatesTooMany, [backTo(wanted)], {
      varies: ["asOf", "version"],
    }),
  ),
  scene("rollback of one language", secondNight, [backTo("2", ["ar"])], { varies: ["asOf", "version"] }),
  scene(
    "nightly beside a rollback of another language",
    secondNight,
    [night("2026-11-22", ["de"]), backTo("2", ["ar"])],
    // A rollback that is run once more after a night makes the index of sitemaps again, which these nights do not render.
    { varies: ["parent", "asOf", "version", "run"] },
  ),
  scene(
    "nightly with horoscopes by two publishers",
    horoscopes,
    [night(secondDate, ["de"], large), night(secondDate, ["ar"], large)],
    { varies: ["parent", "version"], every: 8 },
  ),
  scene(
    "backfill with horoscopes",
    once(empty, evening, night(firstDate, ["en", "de"], large)),
    [night(secondDate, ["ar"], large)],
    { every: 4 },
  ),
];

/** Scenarios for npm test, or with more histories. */
export function scenarios(deep = false): readonly Scenario[] {
  return deep ? [...few, ...more] : few;
}

const aWeekEarlier = new Date("2026-11-13T21:10:00.000Z");

/** Renewal when fewer than half of 14 days are left, through publishDue() itself. */
export const renewing = scene(
  "renewing",
  once(empty, aWeekEarlier, night(firstDate, ["en", "de", "ar"])),
  [publishDue],
  { at: new Date(evening.getTime() + 60_000) },
);
