// Which text a person means who names a path to take it away, in every state in which a page can be read.
import { signedByUs } from "./step/pointer.ts";
import { operations } from "../readings/tables.ts";
import type { ReadingRequest } from "../readings/request.ts";
import { dataPathOf, pathOf, type ShownText, textOnPath } from "../site/paths.ts";
import { documents } from "../site/data.schema.ts";
import { isPublished, requestShownBy } from "./state/published-files.ts";
import { createPartReader } from "./state/parts.ts";
import type { Publishing } from "./state/publish-context.ts";
import { readJson, UnreadableFile, unlessDamaged } from "../vault/files.ts";
import { acceptOwned } from "./repair/current-state.ts";
import { repairOwned } from "./repair/repair.ts";
import type { StateRecord } from "./step/record.ts";
import { withSite } from "./step/site-owner.ts";
import { type BaseState, baseIn, type FoundSite, lookAtSite, type Owned } from "./step/site-state.ts";

/** Thrown for a path that shows no single text; the message says which paths do. */
export class NoSingleText extends Error {
  override readonly name = "NoOneText";
}

/** A text can be withdrawn whatever is lost or damaged: that is repaired first, if it prevents the work. */
export async function withRepair<Result>(
  owned: Owned<Publishing>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { found } = owned.owner;
  if (isToAccept(found, owned)) await acceptOwned(owned, found.pointer?.manifest ?? "");
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    await repairOwned(owned, false);
    return work();
  }
}

/** Where the vault has no word of any state, one that a key of ours has signed will do to take a text away from. */
function isToAccept({ refusal, pointer, record }: FoundSite, publishing: Publishing): boolean {
  if (refusal === undefined || record.value.current !== null || pointer === undefined) return false;
  return signedByUs(publishing, pointer) === true;
}

/** The text that a published path shows. The site's lease is taken only if something has to be repaired first. */
export async function textOn(path: string, publishing: Publishing): Promise<ReadingRequest> {
  if (!isToAccept(await lookAtSite(publishing), publishing)) {
    try {
      return await textOnState(path, publishing);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      // What is repaired first may be stepped past, so that the path would mean an older text than readers see.
      const shown = textOnPath(path);
      const seen = shown && (await seenOn(shown, publishing));
      if (seen !== undefined) return seen;
    }
  }
  return withSite(publishing, "find a text", (owned) => withRepair(owned, () => textOnState(path, owned)));
}

async function textOnState(path: string, publishing: Publishing): Promise<ReadingRequest> {
  const { site } = publishing;
  const look = await lookToContinue(publishing);
  const published = { site, manifest: look.base?.manifest, reader: createPartReader(site) };
  const shown = textOnPath(path);
  const isUnsure = mayShowMore(look);
  const seen = isUnsure && shown !== undefined ? await seenOn(shown, publishing) : undefined;
  if (seen === undefined && !(await isPublished(published, path)))
    throw new NoSingleText(`nothing is published at ${path}`);
  const request = seen ?? (shown && (await requestShownBy(shown, published)));
  if (shown === undefined || (request !== undefined && shown.isAll)) {
    const example = request === undefined ? "" : `, such as ${exampleOf(request, shown?.kind === "current")}`;
    throw new NoSingleText(
      `${path} shows no text, or more than one. Name the page or the JSON file of one text${example}`,
    );
  }
  if (request !== undefined) return request;
  throw new NoSingleText(
    shown.kind === "pair"
      ? `${path} has no data file that names its season. Name its dated page`
      : `${path} shows a text that is older than the known ones. Name its dated page`,
  );
}

interface LookToContinue {
  readonly base: BaseState | undefined;
  readonly record: StateRecord;
}

export async function lookToContinue(publishing: Publishing): Promise<LookToContinue> {
  const found = await lookAtSite(publishing);
  const record = found.record.value;
  return { record, base: await baseIn(publishing, found, record, { continues: true }) };
}

/**
 * Whether the public paths may show a newer state than the base: the pointer's is refused, nothing says what was written, or a newer
 * state is pending.
 */
export function mayShowMore({ base, record }: LookToContinue): boolean {
  if (base === undefined) return false;
  return base.isReplacement || record.written === null || record.pending !== null;
}

/**
 * The text that readers see there while the pointer's state can't be built on: what they see may be newer than the state that
 * is gone on from. It only says which text is meant.
 */
async function seenOn(shown: ShownText, { site }: Publishing): Promise<ReadingRequest | undefined> {
  if (shown.kind === "text") return shown.request;
  if (shown.kind === "pair") return undefined;
  const path = pathOf({ row: "languageIndex", language: shown.language });
  const summary = await unlessDamaged(() => readJson(site, path, documents.language));
  return summary && shown.at(summary.newest[shown.operation] ?? "");
}

function exampleOf(request: ReadingRequest, isCurrent: boolean) {
  if (!isCurrent || !("sign" in request)) return dataPathOf(request);
  const { language, operation, sign } = request;
  return pathOf({ row: "signPage", language, kind: operations[operation].due, sign });
}
