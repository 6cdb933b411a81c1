// The scripted history of the crash tests: each scenario starts from a state that earlier publishes made, and says who
// then does what, at what time.
import { type RollbackTarget, chooseState } from "../../../publish/history/rollback-target.ts";
import { cleanUpSite, planCleanUp } from "../../../publish/history/clean-up.ts";
import type { Publishing } from "../../../publish/state/publishing-place.ts";
import { rollback } from "../../../publish/history/rollback.ts";
import type { Language } from "../../../readings/languages.ts";
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
  /** Who works at once. */
  readonly publishers: readonly Work[];
  /** With several publishers the order of their swaps may differ, with an instant of its own the manifest's `asOf`. */
  readonly varies?: readonly ("parent" | "asOf" | "version" | "run")[];
  /** Only every so many-th call is struck, because there are so many. */
  readonly every?: number;
  /** Not what readers see alone counts at the end, but every key: nothing else was to be left. */
  readonly everyKey?: boolean;
}

/** 2026-11-21 has begun in Berlin and Cairo, not yet in New York. */
export const lateEvening = new Date("2026-11-20T23:30:00.000Z");
export const evening = new Date("2026-11-20T21:10:00.000Z");

export const night =
  (date: string, languages: readonly Language[], more: Pick<Night, "size" | "dropped"> = {}): Work =>
  (place) =>
    publishNight(place, { run: `almanac-nightly-${date}`, date, languages, ...more });

/** The state that undisturbed work makes of an earlier one, once a process. */
export function once(before: Before, at: Date, ...works: Work[]): Before {
  let made: Promise<Snapshot> | undefined;
  const make = async (): Promise<Snapshot> => {
    const stores = inMemory(() => at);
    await fill(stores, await before());
    for (const work of works) await work(new Publisher(stores, new Calls(), () => at).place);
    return snapshotOf(stores);
  };
  return () => (made ??= make());
}

export const empty: Before = () => Promise.resolve(nothing);
const twoLanguages = once(empty, evening, night(firstDate, ["en", "de"]));
export const allLanguages = once(twoLanguages, evening, night(firstDate, ["ar"]));

const secondNight = once(allLanguages, evening, night(secondDate, ["de", "ar"]));
const twoStatesTooMany = once(secondNight, evening, night("2026-11-22", ["de", "ar"]));
/** For stores with a clock of their own: what they are filled with now is old by then. */
const inThreeMonths = new Date(Date.now() + 90 * 24 * 60 * 60_000);

function version(wanted: string, { site, now, configuration }: Publishing): Promise<RollbackTarget> {
  return chooseState(wanted, { site, now: now(), keepDays: configuration.publishing.keepDays });
}

const backToTheSecond: Work = async (place) =>
  rollback({ to: await version("2", place), evenMany: true }, place);

const cleanUp: Work = async (place) =>
  cleanUpSite(place, await planCleanUp(place, { keepDays: 30, graceMs: 60 * 60_000 }));

const few: readonly Scenario[] = [
  { name: "first night", before: empty, at: evening, publishers: [night(firstDate, ["de"])] },
  {
    name: "nightly of two languages by two publishers",
    before: allLanguages,
    at: evening,
    publishers: [night(secondDate, ["de"]), night(secondDate, ["ar"])],
    varies: ["parent"],
  },
  {
    name: "backfill of a new language",
    before: twoLanguages,
    at: evening,
    publishers: [night(secondDate, ["ar"])],
  },
  { name: "turn", before: allLanguages, at: lateEvening, publishers: [night(secondDate, ["de"])] },
  { name: "rollback", before: secondNight, at: evening, publishers: [backToTheSecond], varies: ["asOf"] },
  { name: "gc", before: twoStatesTooMany, at: inThreeMonths, publishers: [cleanUp], everyKey: true },
  {
    name: "a language leaves",
    before: secondNight,
    at: evening,
    publishers: [night(secondDate, ["de"], { dropped: "ar" })],
  },
];

/** What a publisher left that died in the middle of showing its night. */
const leftHalfShown = once(allLanguages, evening, async (place) => {
  const stores = { site: place.site, vault: place.vault.store };
  const publisher = new Publisher(stores, new Calls(30, "killed after"), () => evening);
  await publisher.run(night(secondDate, ["ar"]));
});
const large = { size: "signs" } as const;
const horoscopes = once(empty, evening, night(firstDate, ["en", "de", "ar"], large));

function backTo(wanted: string, languages?: readonly Language[]): Work {
  return async (place) => rollback({ to: await version(wanted, place), languages, evenMany: true }, place);
}

/** Many small ones, because a scenario's cost grows with the square of its calls; the large ones are struck here and there. */
const more: readonly Scenario[] = [
  ...(["en", "ar"] as const).map((language) => ({
    name: `first night of ${language}`,
    before: empty,
    at: evening,
    publishers: [night(firstDate, [language])],
  })),
  ...(
    [
      [["en"], ["de"]],
      [["en"], ["ar"]],
      [["de"], ["ar"], ["de"]],
      [["de", "ar"], ["ar"]],
    ] as const
  ).map((batches) => ({
    name: `nightly of ${batches.join(" and ")} at once`,
    before: allLanguages,
    at: evening,
    publishers: batches.map((languages) => night(secondDate, languages)),
    varies: ["parent", "version"] as const, // the second may find nothing new
  })),
  ...([["de"], ["en"], ["de", "ar"]] as const).map((languages) => ({
    name: `nightly of ${languages.join()} after one that died half-shown`,
    before: leftHalfShown,
    at: evening,
    publishers: [night(secondDate, languages)],
  })),
  ...([["en"], ["ar"], ["de", "ar"]] as const).map((languages) => ({
    name: `turn of ${languages.join()}`,
    before: allLanguages,
    at: lateEvening,
    publishers: [night(secondDate, languages)],
  })),
  ...(["1", "2"] as const).map((wanted) => ({
    name: `rollback of two nights to ${wanted}`,
    before: twoStatesTooMany,
    at: evening,
    publishers: [backTo(wanted)],
    varies: ["asOf"] as const,
  })),
  {
    name: "rollback of one language",
    before: secondNight,
    at: evening,
    publishers: [backTo("2", ["ar"])],
    varies: ["asOf"],
  },
  {
    name: "nightly beside a rollback of another language",
    before: secondNight,
    at: evening,
    publishers: [night("2026-11-22", ["de"]), backTo("2", ["ar"])],
    // A rollback that is run once more after a night makes the index of sitemaps anew, which these nights do not press.
    varies: ["parent", "asOf", "version", "run"],
  },
  {
    name: "nightly with horoscopes by two publishers",
    before: horoscopes,
    at: evening,
    publishers: [night(secondDate, ["de"], large), night(secondDate, ["ar"], large)],
    varies: ["parent"],
    every: 8,
  },
  {
    name: "backfill with horoscopes",
    before: once(empty, evening, night(firstDate, ["en", "de"], large)),
    at: evening,
    publishers: [night(secondDate, ["ar"], large)],
    every: 4,
  },
];

/** What npm test strikes, or with more histories besides. */
export function scenarios(deep = false): readonly Scenario[] {
  return deep ? [...few, ...more] : few;
}
