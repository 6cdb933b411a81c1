// One sheet: which readings the vault has of it, and whether the sheet could be pressed now.
import { type ReadingRequest, requestKey, sheetKey } from "../../readings/request.ts";
import { requestsOf } from "../../readings/sheet-requests.ts";
import { loadSheets } from "../../vault/editions.ts";
import type { SheetFacts } from "./answer.ts";
import type { WhySources } from "./sources.ts";

/** The requests of the sheet that is published, or held back, with this text. */
export function requestsOfSheet(request: ReadingRequest): readonly ReadingRequest[] {
  const { operation, language, period } = request;
  const all = requestsOf(operation, language, period);
  return all.length === 0 ? [request] : all; // a pair, or a person's
}

export async function sheetFacts(requests: readonly ReadingRequest[], look: WhySources): Promise<SheetFacts> {
  const { sheets, passedOver, damaged } = await loadSheets([requests], look.source, false);
  look.note(damaged);
  const [first] = requests;
  return {
    sheet: first === undefined ? "" : sheetKey(first),
    readings: (await heldOf(requests, look)).size,
    of: requests.length,
    ...(sheets.length > 0 ? {} : { hindrance: passedOver[0]?.reason ?? "it could not be read" }),
  };
}

/** The keys of the readings that the vault has and that can be read. */
export async function heldOf(
  requests: readonly ReadingRequest[],
  { read }: WhySources,
): Promise<Set<string>> {
  return new Set((await read(requests)).map(({ reading }) => requestKey(reading)));
}
