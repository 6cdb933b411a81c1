// The sets that a person is to review: those that wait for it, those that were published without it, and those that were rejected.
import { z } from "zod";
import { createPartReader } from "../publish/state/parts.ts";
import { publishedDocument } from "../publish/state/published-files.ts";
import { readState } from "../publish/state/state.ts";
import { addDays, isPeriodKind, localDate, spanOf } from "../readings/calendar.ts";
import { allSlots, catalogue, type PlanFilter, zoneOf } from "../readings/catalogue.ts";
import {
  isFurtherDraw,
  type ReadingRequest,
  requestKey,
  requestOf,
  requestsOf,
  setName,
} from "../readings/request.ts";
import { reviewOf } from "../readings/review.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import { documents } from "../site/data.schema.ts";
import { dataPathOfSet, pathOf } from "../site/paths.ts";
import { inParallel, type Store } from "../store/store.ts";
import { unlessDamaged } from "../vault/files.ts";
import { periodOfKey } from "../vault/site-notes.ts";
import { type SetState, stateOf } from "./set-states.ts";
import { openSources, type WhyInput, type WhySources } from "./why-facts.ts";

/** A set that was published unseen is listed for so long. */
const daysBack = 7;

const setsAtOnce = 16;

export interface ReviewFilter extends PlanFilter {
  /** The local date of an edition. Default: the last week, and the sets that nights request. */
  readonly dateIn?: ((zone: string) => string) | undefined;
}

export async function setsToReview(filter: ReviewFilter, input: WhyInput): Promise<SetState[]> {
  const look = await openSources(input);
  const languages = filter.languages ?? look.configuration.languages;
  const wanted = await inParallel(languages, (language) => setsWanted(language, filter, look));
  const states = await inParallel(
    wanted.flat(),
    async (requests) => ((await isSeenInPast(requests, look)) ? [] : [await stateOf(requests, look)]),
    setsAtOnce,
  );
  return states
    .flat()
    .filter(isToReview)
    .sort((one, other) => (one.set < other.set ? -1 : 1));
}

/** The sets that the published editions lack, because they wait for review. Undefined if there are none, or the site can't be read. */
export async function waitingNow(site: Store) {
  const read = async () => {
    const manifest = (await readState(site))?.manifest;
    const published = { site, manifest, reader: createPartReader(site) };
    return publishedDocument(published, pathOf({ row: "index" }), documents.index);
  };
  const index = await unlessDamaged(read);
  const waiting = (index?.languages ?? []).flatMap(({ language, waiting: periods = {} }) =>
    Object.entries(periods).map(([operation, period]) => ({ language, operation, period })),
  );
  if (waiting.length === 0) return undefined;
  const list = [...Map.groupBy(waiting, ({ language }) => language)].map(
    ([language, own]) => `${language} (${own.map(({ operation }) => operation).join(", ")})`,
  );
  const remedy = "`almanac review list` lists them, `almanac review approve` publishes them";
  return { waiting, seen: `sets of today wait for review: ${list.join(", ")}`, remedy };
}

/** The state of the set with this name, or of a text of it; undefined for any other text. */
export async function setToReview(name: string, input: WhyInput): Promise<SetState | undefined> {
  const request = ["", "/aries", "/reading"].map((last) => requestOf(name + last)).find((one) => one);
  if (request === undefined) return undefined;
  const { operation, language, period } = request;
  const whole = "sign" in request ? requestsOf(operation, language, period) : [request];
  return stateOf(whole, await openSources(input));
}

/** The texts of a set that a person decides on. */
export function textsToReview({ texts, withdrawn }: SetState) {
  const gone = new Set(withdrawn.map(requestKey));
  return texts.filter(({ response }) => !gone.has(response.key));
}

function isToReview(set: SetState): boolean {
  const { state, review, reviews } = set;
  if (state === "waiting" || state === "rejected") return true;
  const isComplete = state === "published" || state === "ready";
  return (
    isComplete &&
    review.mode !== "none" &&
    textsToReview(set).some(({ response }) => !reviews.has(response.key))
  );
}

async function setsWanted(language: Language, filter: ReviewFilter, look: WhySources) {
  const { configuration, now, withheld } = look;
  const zone = zoneOf(configuration, language);
  const [today, date] = [localDate(zone, now), filter.dateIn?.(zone)];
  const only = { ...filter, languages: [language] };
  const past = { from: addDays(today, -daysBack), to: today };
  const sets =
    date === undefined
      ? [...catalogue(configuration, now, only, past), ...catalogue(configuration, now, only)].map(
          ({ requests }) => requests,
        )
      : allSlots(language, date, configuration).map(([newest = []]) => newest);
  const days = date === undefined ? [past.from, addDays(today, 1)] : [date, date];
  const all = new Map<string, readonly ReadingRequest[]>();
  for (const requests of [...sets, ...(await drawsFrom(days, language, look))]) {
    const [first] = requests;
    if (first === undefined || filter.operations?.includes(first.operation) === false) continue;
    const { mode } = reviewOf(first, configuration);
    const edits = mode === "none" ? await withheld.edits(periodOfKey(requestKey(first))) : [];
    if (mode !== "none" || edits.some(({ kind }) => kind === "reject")) all.set(setName(first), requests);
  }
  return [...all.values()];
}

/** Whether the set is of the past, and published as approved: one file instead of each of its texts. */
async function isSeenInPast(
  [first]: readonly ReadingRequest[],
  { published, configuration, now }: WhySources,
) {
  const due = first && rowOf(first.operation).due;
  if (first === undefined || due === undefined || !isPeriodKind(due)) return false;
  const { language, operation, period } = first;
  if (isFurtherDraw(first) || spanOf(due, period).last >= localDate(zoneOf(configuration, language), now))
    return false;
  const path = dataPathOfSet(language, operation, period) ?? "";
  const schema = z.object({ reviewed: z.boolean().optional() });
  return (await unlessDamaged(() => publishedDocument(published, path, schema)))?.reviewed === true;
}

/** The further draws of these days, for decks. */
async function drawsFrom(
  [from = "", to = ""]: readonly string[],
  language: Language,
  { configuration, vault }: WhySources,
): Promise<ReadingRequest[][]> {
  const draws: ReadingRequest[][] = [];
  if (configuration.decks.callsPerNight === 0) return draws;
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const keys = await vault.held(`daily/${date}/${language}/`);
    for (const request of keys.map(requestOf)) if (request && isFurtherDraw(request)) draws.push([request]);
  }
  return draws;
}
