// Today's readers and gates over every answer that the vault has. It goes through the sheets in the order of their keys with
// some hundred answers in memory at a time, and reads only. Where readers see them is in showing-paths.ts, which pages change in page-changes.ts.
import pLimit from "p-limit";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { type RequestKey, requestOf } from "../../readings/request.ts";
import { type Damaged, UnreadableFile } from "../../vault/json.ts";
import type { AnswerPlace, Vault } from "../../vault/vault.ts";
import { type RejudgeProgress, type Rejudged, mergedRejudged } from "./answer.ts";
import { Judge } from "./judge.ts";
import { type SheetKeys, sheetsUnder } from "./stored-sheets.ts";
import { answerAt } from "./verdict.ts";
import { choiceOf, firstDateOf, type AnswerFilter } from "./selection.ts";

/** Answers that are read at once, because a bucket takes its time for each. */
const readsAtOnce = 32;
/** Answers that are in memory at once, beside each language's newest sheets. */
const answersAtOnce = 256;

export interface RejudgeInput {
  readonly configuration: Pick<Configuration, "quality">;
  readonly vault: Vault;
  readonly onProgress?: (progress: RejudgeProgress) => void;
}

export async function rejudge(wish: AnswerFilter, rejudging: RejudgeInput): Promise<Rejudged> {
  const { vault, onProgress, configuration } = rejudging;
  const limit = pLimit(readsAtOnce);
  const choice = choiceOf(wish);
  const judge = new Judge(configuration.quality.rules);
  const counts: Record<AnswerPlace, number> = { captures: 0, "stand-ins": 0, quarantine: 0 };
  const damaged: Damaged[] = [];
  let first: string | undefined;

  const read = async ({ place, key }: { place: AnswerPlace; key: RequestKey }) => {
    const file = `${place}/${key}.json`;
    const request = requestOf(key);
    if (request === undefined && choice.strangers)
      damaged.push({ file, reason: "its name is no key of a request that this version knows" });
    const role = request === undefined ? "no" : choice.of(request);
    if (request === undefined || role === "no") return undefined;
    try {
      const capture = await answerAt(place, key, vault);
      if (capture === undefined) return undefined;
      if (role === "judged") {
        counts[place] += 1;
        const date = "sign1" in request ? undefined : firstDateOf(request); // a pair's page is a current one
        if (date !== undefined && (first === undefined || date < first)) first = date;
      }
      return { place, request, capture, isBefore: role === "before" };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      damaged.push({ file, reason: error.message });
      return undefined;
    }
  };

  for await (const batch of batchesOf(sheetsUnder(choice.prefixes, vault))) {
    const sheets = await Promise.all(batch.map(({ keys }) => limit.map(keys, read)));
    for (const found of sheets) judge.sheet(found.filter((one) => one !== undefined));
    const judged = counts.captures + counts["stand-ins"] + counts.quarantine;
    onProgress?.({ judged, sheet: batch.at(-1)?.sheet ?? "" });
  }
  const { captures, "stand-ins": standIns, quarantine: setAside } = counts;
  const { refused, readable } = judge;
  return mergedRejudged([{ captures, standIns, setAside, first, refused, readable, damaged }]);
}

async function* batchesOf(sheets: AsyncIterable<SheetKeys>) {
  let batch: SheetKeys[] = [];
  let answers = 0;
  for await (const sheet of sheets) {
    batch.push(sheet);
    answers += sheet.keys.length;
    if (answers < answersAtOnce) continue;
    yield batch;
    [batch, answers] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
