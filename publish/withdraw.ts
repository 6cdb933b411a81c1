// Takes one published text away, or brings it back. The record is written first, so that the text stays away whatever becomes
// of the publish that follows: every later publish looks at the record (withdrawn-texts.ts).
import { publishedSummary } from "./state/published-files.ts";
import type { Language } from "../readings/languages.ts";
import { operations, rowOf } from "../readings/operations.ts";
import { type ReadingRequest, requestKey } from "../readings/request.ts";
import { pathOf } from "../site/paths.ts";
import { dataPathOf, textOnPath } from "../site/shown-texts.ts";
import type { PassedOver } from "../vault/editions.ts";
import { advance } from "./step/advance.ts";
import type { PathChange } from "./press/merged-state.ts";
import { isPublished } from "./state/published-paths.ts";
import { createPartReader } from "./state/parts.ts";
import type { Publishing } from "./state/publishing-place.ts";
import { pressAll } from "./press/pressed-languages.ts";
import { dateIn } from "./press/press-jobs.ts";
import type { DatedSheet } from "./press/neighbour-pages.ts";
import { nextState } from "./press/next-state.ts";
import { UnreadableFile } from "../vault/json.ts";
import { repair } from "./mend/repair.ts";
import { requestShownBy } from "./state/shown-text.ts";
import { stateToGoOn } from "./step/going-on.ts";
import { changeWithheld, type NoteChange, readWithheld, type Withdrawal } from "../vault/withheld.ts";

const run = "withdraw";

export interface Republished {
  readonly version: number;
  readonly changes: readonly PathChange[];
  readonly passedOver: readonly PassedOver[];
}

/** Thrown for a path that shows no single text; the message says which paths do. */
export class NoSingleText extends Error {
  override readonly name = "NoOneText";
}

/** A text can be taken away whatever is lost or damaged: what stands in the way of that is mended first. */
async function mending<Result>(publishing: Publishing, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    await repair(publishing, false);
    return work();
  }
}

/** The text that a published path shows. */
export function textOn(path: string, publishing: Publishing): Promise<ReadingRequest> {
  return mending(publishing, () => textOnState(path, publishing));
}

async function textOnState(path: string, publishing: Publishing): Promise<ReadingRequest> {
  const { site } = publishing;
  const manifest = (await stateToGoOn(publishing))?.manifest;
  const published = { site, manifest, reader: createPartReader(site) };
  const shown = textOnPath(path);
  if (!(await isPublished(published, path))) throw new NoSingleText(`nothing is published on ${path}`);
  const request = shown && (await requestShownBy(shown, published));
  if (shown === undefined || (request !== undefined && shown.isAll)) {
    const example = request === undefined ? "" : `, such as ${exampleOf(request, shown?.kind === "current")}`;
    throw new NoSingleText(
      `${path} shows no text, or more than one: name the page or the JSON file of one text${example}`,
    );
  }
  if (request !== undefined) return request;
  throw new NoSingleText(
    shown.kind === "pair"
      ? `${path} has no data beside it that says which season's text it shows`
      : `${path} shows a text that is older than what is known: name its dated page`,
  );
}

function exampleOf(request: ReadingRequest, isCurrent: boolean) {
  if (!isCurrent || !("sign" in request)) return dataPathOf(request);
  const { language, operation, sign } = request;
  return pathOf({ row: "signPage", language, kind: operations[operation].due, sign });
}

/** Records the withdrawal and publishes the site without the text. */
export async function withdraw(withdrawal: Withdrawal, request: ReadingRequest, publishing: Publishing) {
  const add: NoteChange = (note) => ({
    ...note,
    withdrawn: [...note.withdrawn.filter(({ key }) => key !== withdrawal.key), withdrawal],
  });
  await changeWithheld(publishing.vault.store, add);
  return mending(publishing, () => republish(request.language, [], add, publishing));
}

/** Takes the text off the record and publishes it again, if the vault still has it. */
export async function bringBack(request: ReadingRequest, publishing: Publishing): Promise<Republished> {
  const key = requestKey(request);
  const remove: NoteChange = (note) => ({
    ...note,
    withdrawn: note.withdrawn.filter((one) => one.key !== key),
  });
  await changeWithheld(publishing.vault.store, remove);
  const { operation, period } = request;
  const isDated = !("sign1" in request) && rowOf(operation).due !== "once";
  const sheets = isDated ? [{ operation, period }] : [];
  return mending(publishing, () => republish(request.language, sheets, remove, publishing));
}

/** `change` is in the record already, except in a trial run, which writes no record. */
async function republish(
  language: Language,
  sheets: readonly DatedSheet[],
  change: NoteChange,
  publishing: Publishing,
): Promise<Republished> {
  const { site, vault, now } = publishing;
  const by = { run, asOf: now().toISOString() };
  const { version, changes, proposed } = await advance(
    publishing,
    by,
    async (base, reader, puts) => {
      const published = { site, manifest: base?.manifest, reader };
      const withheld = await readWithheld(vault.store, change);
      const date = await dateIn(language, published, publishing);
      // A language that was rolled back stays at its date; its held sheets stay by themselves.
      const shown = withheld.holdsEdition(language, date)
        ? (await publishedSummary(published, language))?.date
        : undefined;
      const job = { language, date: shown ?? date, current: true, sheets, withheld };
      const step = { languages: [language], jobs: [job], last: true };
      const presses = await pressAll(step, published, publishing, puts);
      const own = presses.find((one) => one.language === language);
      return { ...(await nextState(presses, published, publishing)), passedOver: own?.passedOver ?? [] };
    },
    { goesOn: true },
  );
  return { version, changes, passedOver: proposed.passedOver };
}
