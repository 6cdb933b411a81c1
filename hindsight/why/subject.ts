// The text that a path is about: the one that it shows or, where the path is not published, the one that it would show now.
import { catalogue, zoneOf } from "../../readings/catalogue.ts";
import { rowOf } from "../../readings/operations.ts";
import { isPeriodKind, periodOf, seasonOf } from "../../readings/periods.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { localDate } from "../../readings/zones.ts";
import { type ShownText, textAt } from "../../site/shown-texts.ts";
import type { TreePath } from "../../site/tree.ts";
import { requestShownBy } from "../../publish/state/shown-text.ts";
import type { WhySources } from "./sources.ts";

export interface Subject {
  readonly request: ReadingRequest;
  /** Whether the path shows all signs of the sheet. */
  readonly isAll: boolean;
}

/** Undefined where the path is that of no text that there can be. */
export async function subjectOn(
  at: TreePath,
  isThere: boolean,
  look: WhySources,
): Promise<Subject | undefined> {
  const shown = textAt(at);
  if (shown === undefined) return undefined;
  const request = isThere ? await requestShownBy(shown, look.published) : requestDue(shown, look);
  return request && { request, isAll: shown.isAll };
}

function requestDue(shown: ShownText, look: WhySources) {
  const { configuration, now } = look;
  switch (shown.kind) {
    case "text":
      return shown.request;
    case "current": {
      const { due } = rowOf(shown.operation);
      const today = localDate(zoneOf(configuration, shown.language), now);
      return isPeriodKind(due) ? shown.at(periodOf(due, today)) : undefined;
    }
    case "pair":
      return pairDue(shown, look);
  }
}

/** Of the season that is asked for now. */
function pairDue({ at }: Extract<ShownText, { kind: "pair" }>, { configuration, now }: WhySources) {
  const usual = at(seasonOf(localDate("UTC", now)));
  if (usual === undefined) return undefined;
  const only = { languages: [usual.language], operations: [usual.operation] };
  const wanted = catalogue(configuration, now, only).flatMap(({ requests }) => requests);
  return wanted.find((one) => requestKey(one) === requestKey(at(one.period) ?? usual)) ?? usual;
}
