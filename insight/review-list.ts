// The sets that a person is to review: those that wait for it, those that were published without it, and those that were rejected.
import { createPartReader } from "../publish/state/parts.ts";
import { publishedDocument } from "../publish/state/published-files.ts";
import { readState } from "../publish/state/state.ts";
import { addDays, localDate } from "../readings/calendar.ts";
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
import type { Language } from "../readings/tables.ts";
import { documents } from "../site/data.schema.ts";
import { pathOf } from "../site/paths.ts";
import { inParallel } from "../store/store.ts";
import { unlessDamaged } from "../vault/files.ts";
import { periodOfKey } from "../vault/site-notes.ts";
import { type SetState, stateOf, textsToReview } from "./set-states.ts";
import { openSources, type WhyInput, type WhySources } from "./why-facts.ts";

export interface ReviewFilter extends PlanFilter {
  /** The local date of an edition. Default: today's edition, and the sets that nights request. */
  readonly dateIn?: ((zone: string) => string) | undefined;
}

export async function setsToReview(
  filter: ReviewFilter,
  input: WhyInput,
  onSet: (done: number, of: number) => void = () => undefined,
): Promise<SetState[]> {
  const look = await openSources(input);
  const languages = filter.languages ?? look.configuration.languages;
  const wanted = (
    await inParallel(languages, (language) => setsWanted(language, filter, look), setsAtOnce)
  ).flat();
  let done = 0;
  const read = async (requests: readonly ReadingRequest[]) => {
    const state = await stateOf(requests, look);
    onSet((done += 1), wanted.length);
    return state;
  };
  const states = await inParallel(wanted, read, setsAtOnce);
  return states.filter(isToReview).sort((one, other) => (one.set < other.set ? -1 : 1));
}

/** Each reads up to 24 responses. */
const setsAtOnce = 4;

/** Today's sets that readers lack, because they wait for review. Undefined if there are none. */
export async function waitingNow(input: WhyInput) {
  const { site, configuration, now } = input;
  const read = async () => {
    const manifest = (await readState(site))?.manifest;
    const state = { site, manifest, reader: createPartReader(site) };
    return publishedDocument(state, pathOf({ row: "index" }), documents.index);
  };
  const index = await unlessDamaged(read);
  const published = index?.languages ?? [];
  const waiting = published.flatMap(({ language, waiting: periods = {} }) =>
    Object.entries(periods).map(([operation, period]) => ({ language, operation, period })),
  );
  // The index lacks a language that is not published yet.
  const others = configuration.languages.filter(
    (one) => configuration.review[one] !== undefined && !published.some(({ language }) => language === one),
  );
  const today = { languages: others, dateIn: (zone: string) => localDate(zone, now) };
  for (const { state, requests } of others.length === 0 ? [] : await setsToReview(today, input))
    if (state === "waiting") waiting.push(...requests.slice(0, 1));
  if (waiting.length === 0) return undefined;
  const list = [...Map.groupBy(waiting, ({ language }) => language)].map(
    ([language, own]) => `${language} (${[...new Set(own.map(({ operation }) => operation))].join(", ")})`,
  );
  const remedy = "`almanac review list` lists them, `almanac review approve` publishes them";
  return { waiting, seen: `today's sets wait for review: ${list.join(", ")}`, remedy };
}

/** The state of the set with this name, or of a text of it; undefined for any other text. */
export async function setToReview(name: string, input: WhyInput): Promise<SetState | undefined> {
  const request = ["", "/aries", "/reading"].map((last) => requestOf(name + last)).find((one) => one);
  if (request === undefined) return undefined;
  const { operation, language, period } = request;
  const whole = "sign" in request ? requestsOf(operation, language, period) : [request];
  return stateOf(whole, await openSources(input));
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

/** The sets that are reviewed, and those of which a person has rejected a text. */
async function setsWanted(language: Language, { dateIn, ...filter }: ReviewFilter, look: WhySources) {
  const { configuration, now, withheld } = look;
  const zone = zoneOf(configuration, language);
  const [today, date] = [localDate(zone, now), dateIn?.(zone)];
  const only = { ...filter, languages: [language] };
  const sets = [
    ...allSlots(language, date ?? today, configuration).flatMap((candidates) => candidates.slice(0, 1)),
    ...(date === undefined ? catalogue(configuration, now, only).map(({ requests }) => requests) : []),
    ...(await drawsOn(date === undefined ? [today, addDays(today, 1)] : [date], language, look)),
  ];
  const wanted = await inParallel(sets, async (requests): Promise<[string, readonly ReadingRequest[]][]> => {
    const [first] = requests;
    if (first === undefined || filter.operations?.includes(first.operation) === false) return [];
    const { mode } = reviewOf(first, configuration);
    const edits = mode === "none" ? await withheld.edits(periodOfKey(requestKey(first))) : [];
    const isWanted = mode !== "none" || edits.some(({ kind }) => kind === "reject");
    return isWanted ? [[setName(first), requests]] : [];
  });
  return [...new Map(wanted.flat()).values()];
}

/** The further draws of these days, for decks. */
async function drawsOn(
  dates: readonly string[],
  language: Language,
  { configuration, vault }: WhySources,
): Promise<ReadingRequest[][]> {
  if (configuration.decks.callsPerNight === 0) return [];
  const keys = await inParallel(dates, (date) => vault.held(`daily/${date}/${language}/`));
  const requests = keys.flat().flatMap((key) => requestOf(key) ?? []);
  return requests.filter(isFurtherDraw).map((request) => [request]);
}
