// Withdraws one published text, or brings it back, and finds the text that a published path shows. The decision is recorded first, so
// that the text stays away even if the publish that follows fails: every later publish reads the decisions (decided-texts.ts).
import { publishedSummary, isPublished, requestShownBy } from "./state/published-files.ts";
import { createPartReader, changesOf, partsOfLanguage, type PathChange } from "./state/parts.ts";
import { zoneOf } from "../readings/catalogue.ts";
import { type Language, rowOf, operations } from "../readings/tables.ts";
import { type ReadingRequest, requestKey } from "../readings/request.ts";
import { localDate } from "../readings/calendar.ts";
import type { PassedOver } from "../vault/editions.ts";
import { commit } from "./step/commit.ts";
import { findBase, type Owned, baseIn, type FoundSite, lookAtSite } from "./step/site-state.ts";
import type { Publishing } from "./state/publish-context.ts";
import { renderAll, nextState } from "./render/rendered-languages.ts";
import { currentJobs, dateIn } from "./render/render-jobs.ts";
import { noteDecided } from "./render/unchanged-languages.ts";
import type { DatedSet } from "./render/neighbour-pages.ts";
import { isVisible } from "./render/decided-texts.ts";
import { repairOwned } from "./repair/repair.ts";
import { withSite } from "./step/site-owner.ts";
import { noteShown } from "../vault/site-notes.ts";
import type { Attribution } from "../vault/journal.ts";
import { decidedLanguages } from "../vault/text-decisions.ts";
import { changeWithheld, type NoteChange, readWithheld, type Withdrawal } from "../vault/withheld.ts";
import { signedByUs } from "./step/pointer.ts";
import { dataPathOf, pathOf, type ShownText, textOnPath } from "../site/paths.ts";
import { documents } from "../site/data.schema.ts";
import { readJson, UnreadableFile, unlessDamaged } from "../vault/files.ts";
import { acceptOwned } from "./repair/current-state.ts";

/** Names of the two commands in the log of versions. */
const runs = { withdraw: "withdraw", undo: "withdraw --undo" } as const;

export interface Republished {
  readonly version: number;
  readonly changes: readonly PathChange[];
  readonly passedOver: readonly PassedOver[];
}

export interface BroughtBack extends Republished {
  /** Whether the site shows the text now. */
  readonly isShown: boolean;
  /** Whether a rollback pins it. */
  readonly isPinned: boolean;
}

/** Records the withdrawal, unless the text is withdrawn already, and publishes the site without the text. */
export async function withdraw(withdrawal: Withdrawal, request: ReadingRequest, publishing: Publishing) {
  const { key: own, path, ...said } = withdrawal;
  const add: NoteChange = (note) =>
    note.withdrawn.some(({ key }) => key === own)
      ? note
      : {
          ...note,
          withdrawn: [...note.withdrawn, withdrawal],
          returned: note.returned.filter((key) => key !== own),
        };
  const subject = { key: own, path };
  await changeWithheld(publishing.vault.own, add, { kind: "withdraw", ...said, subject });
  return publishDecided(runs.withdraw, "withdraw a text", request.language, [], publishing);
}

/** Publishes a language, with these sets of its past, as people have decided, in place of all that it may show. */
export function publishDecided(
  run: string,
  purpose: string,
  language: Language,
  sets: readonly DatedSet[],
  publishing: Publishing,
): Promise<Republished> {
  return withSite(publishing, purpose, (owned) =>
    withRepair(owned, async () => {
      const look = await lookToContinue(owned);
      // A language's first edition is published only by a run.
      if (partsOfLanguage(look.base?.manifest, language).length === 0)
        return { version: look.base?.manifest.version ?? 0, changes: [], passedOver: [] };
      const isUnsure = mayShowMore(look);
      const result = await republish(run, language, sets, owned);
      // The public paths may show what the state that it continued from does not have.
      if (isUnsure) await repairOwned(owned, false);
      return result;
    }),
  );
}

/** Records that the withdrawal is undone, and publishes the text again, if the vault still has it. */
export async function bringBack(
  request: ReadingRequest,
  by: Attribution,
  publishing: Publishing,
): Promise<BroughtBack> {
  const key = requestKey(request);
  const { withdrawn } = (await readWithheld(publishing.vault.own)).note;
  const { path } = withdrawn.find((one) => one.key === key) ?? {};
  const move: NoteChange = (note) => {
    const left = note.withdrawn.filter((one) => one.key !== key);
    if (left.length === note.withdrawn.length) return note;
    return { ...note, withdrawn: left, returned: [...note.returned, key] };
  };
  if (path !== undefined) {
    const said = { ...by, at: publishing.now().toISOString() };
    await changeWithheld(publishing.vault.own, move, { kind: "restore", ...said, subject: { key, path } });
  }
  const { operation, period } = request;
  const isDated = !("sign1" in request) && rowOf(operation).due !== "once";
  const sets = isDated ? [{ operation, period }] : [];
  const result = await publishDecided(runs.undo, "undo a withdrawal", request.language, sets, publishing);
  return {
    ...result,
    isShown: await isShown(request, publishing),
    isPinned: await isPinned(request, publishing),
  };
}

async function isShown(request: ReadingRequest, publishing: Publishing): Promise<boolean> {
  const { site, vault } = publishing;
  const manifest = (await findBase(publishing, { continues: true }))?.manifest;
  return isVisible(request, { site, manifest, reader: createPartReader(site) }, vault);
}

/** Whether a rollback pins the text's set, or its language. */
async function isPinned(
  request: ReadingRequest,
  { vault, configuration, now }: Publishing,
): Promise<boolean> {
  const withheld = await readWithheld(vault.own);
  const today = localDate(zoneOf(configuration, request.language), now());
  return withheld.isSetPinned(request) || withheld.isEditionPinned(request.language, today);
}

/** The decisions already include the change. */
async function republish(
  run: string,
  language: Language,
  sets: readonly DatedSet[],
  context: Owned<Publishing>,
): Promise<Republished> {
  const { vault, now } = context;
  const by = { run, asOf: now().toISOString() };
  const committed = await commit(
    context,
    by,
    async (base, reader, puts) => {
      const publishing = { ...context, manifest: base?.manifest, reader, puts };
      const withheld = await readWithheld(vault.own);
      const decided = await withheld.markOf(language);
      const date = await dateIn(language, publishing);
      // A language that was rolled back stays at its date, and all its sets as they are.
      const keepsShown = withheld.isEditionPinned(language, date);
      const shown = keepsShown ? (await publishedSummary(publishing, language))?.date : undefined;
      const job = { language, date: shown ?? date, current: true, sets, withheld, keepsShown, decided };
      const others = base?.isReplacement === true ? await decidedLanguages(withheld) : new Set<Language>();
      others.delete(language);
      const jobs = [job, ...(await currentJobs([...others], publishing))];
      const step = { languages: [language], jobs, last: true };
      const rendered = await renderAll(step, publishing);
      return { ...(await nextState(rendered, publishing)), rendered, jobs };
    },
    { continues: true },
  );
  const { rendered } = committed.proposed;
  await noteShown(vault.own, rendered);
  await noteDecided(committed.proposed.jobs, context);
  const own = rendered.find((one) => one.language === language);
  const changes = await changesOf(committed);
  return { version: committed.version, changes, passedOver: own?.passedOver ?? [] };
}

/** Thrown for a path that shows no single text; the message says which paths do. */
export class NoSingleText extends Error {
  override readonly name = "NoSingleText";
}

/** A text can be withdrawn whatever is lost or damaged: that is repaired first, if it prevents the work. */
async function withRepair<Result>(owned: Owned<Publishing>, work: () => Promise<Result>): Promise<Result> {
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

/** Whether the vault has no record of any state, and the published one is signed by our key: a text may be withdrawn from it. */
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
      // A repair may have to skip a state, and then the path would mean an older text than readers see.
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
  if (seen === undefined && !(await isPublished(published, path))) {
    const ahead = shown?.kind === "text" && !shown.isAll ? shown.request : undefined;
    // A stored text can be withdrawn before it is published.
    if (ahead !== undefined && (await publishing.vault.held(requestKey(ahead))).length > 0) return ahead;
    throw new NoSingleText(`nothing is published at ${path}. \`almanac why ${path}\` gives the reason`);
  }
  const request = seen ?? (shown && (await requestShownBy(shown, published)));
  if (shown === undefined || (request !== undefined && shown.isAll)) {
    const example = request === undefined ? "" : `, such as ${exampleOf(request, shown?.kind === "current")}`;
    throw new NoSingleText(
      `${path} shows no text, or more than one. Name the page or the JSON file of one text${example}. \`almanac why ${path}\` lists its texts`,
    );
  }
  if (request !== undefined) return request;
  throw new NoSingleText(
    shown.kind === "pair"
      ? `${path} has no data file that names its season. Name its dated page`
      : `${path} shows a text that is older than the known ones. Name its dated page`,
  );
}

type LookToContinue = Awaited<ReturnType<typeof lookToContinue>>;

async function lookToContinue(publishing: Publishing) {
  const found = await lookAtSite(publishing);
  const record = found.record.value;
  return { record, base: await baseIn(publishing, found, record, { continues: true }) };
}

/**
 * Whether the public paths may show a newer state than the base: the pointer's is refused, nothing says what was written, or a newer
 * state is pending.
 */
function mayShowMore({ base, record }: LookToContinue): boolean {
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
