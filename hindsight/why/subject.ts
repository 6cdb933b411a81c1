// The text that a path is about: the one that it shows or, where the path is not published, the one that it would show now.
import { catalogue, zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { rowOf } from "../../readings/operations.ts";
import { isPeriodKind, periodOf, seasonOf } from "../../readings/periods.ts";
import { type ReadingRequest, requestKey, requestOf } from "../../readings/request.ts";
import { localDate } from "../../readings/zones.ts";
import { type Standing, standingOn } from "../../site/showing.ts";
import { type OneText, requestShownBy } from "../../publish/state/shown-text.ts";
import type { WhySources } from "./sources.ts";

export interface Subject {
  readonly request: ReadingRequest;
  /** Whether the path shows all signs of the sheet. */
  readonly isAll: boolean;
}

/** Undefined where no text can stand on the path. */
export async function subjectOn(
  path: string,
  standing: Standing | undefined,
  isThere: boolean,
  look: WhySources,
): Promise<Subject | undefined> {
  if (standing === undefined) return undefined;
  const isAll = standing.kind === "twelve";
  const one = standing.kind === "twelve" ? exampleOf(standing.example) : standing;
  if (one === undefined) return undefined;
  const request = await requestFor(path, one, isThere, look);
  return request === undefined ? undefined : { request, isAll };
}

/** The current day's twelve, as the feed of a language has them. */
export async function daySubject(
  language: Language,
  isThere: boolean,
  look: WhySources,
): Promise<Subject | undefined> {
  const operation = "daily-horoscope";
  const at = (period: string) => requestOf(`daily/${period}/${language}/${operation}/aries`);
  const request = await requestFor("", { kind: "current", language, operation, at }, isThere, look);
  return request === undefined ? undefined : { request, isAll: true };
}

async function requestFor(path: string, standing: OneText, isThere: boolean, look: WhySources) {
  return isThere ? requestShownBy(path, standing, look.published) : requestDue(standing, look);
}

function exampleOf(path: string): OneText | undefined {
  const standing = standingOn(path);
  return standing?.kind === "twelve" ? undefined : standing;
}

function requestDue(standing: OneText, look: WhySources): ReadingRequest | undefined {
  const { configuration, now } = look;
  switch (standing.kind) {
    case "text":
      return standing.request;
    case "current": {
      const { due } = rowOf(standing.operation);
      const today = localDate(zoneOf(configuration, standing.language), now);
      return isPeriodKind(due) ? standing.at(periodOf(due, today)) : undefined;
    }
    case "pair":
      return pairDue(standing, look);
  }
}

/** The request for the season's text that a night asks for now. */
function pairDue({ at }: Extract<OneText, { kind: "pair" }>, { configuration, now }: WhySources) {
  const usual = at(seasonOf(localDate("UTC", now)));
  if (usual === undefined) return undefined;
  const only = { languages: [usual.language], operations: [usual.operation] };
  const wanted = catalogue(configuration, now, only).flatMap(({ requests }) => requests);
  return wanted.find((one) => requestKey(one) === requestKey(at(one.period) ?? usual)) ?? usual;
}
