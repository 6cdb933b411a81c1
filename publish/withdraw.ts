// Takes one published text away, or brings it back. The record is written first, so that the text stays away whatever becomes
// of the publish that follows: every later publish looks at the record (withdrawn-texts.ts).
import { publishedSummary } from "./state/published-files.ts";
import { createPartReader, changesOf, type PathChange } from "./state/parts.ts";
import { zoneOf } from "../readings/catalogue.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import { type ReadingRequest, requestKey, requestOf } from "../readings/request.ts";
import { localDate } from "../readings/calendar.ts";
import type { PassedOver } from "../vault/editions.ts";
import { commit } from "./step/commit.ts";
import { findBase, type Owned } from "./step/site-state.ts";
import type { Publishing } from "./state/publish-context.ts";
import { renderAll, nextState } from "./render/rendered-languages.ts";
import { currentJobs, dateIn } from "./render/render-jobs.ts";
import type { DatedSet } from "./render/neighbour-pages.ts";
import { isVisible } from "./render/withdrawn-texts.ts";
import { repairOwned } from "./repair/repair.ts";
import { lookToContinue, mayShowMore, withRepair } from "./text-on-path.ts";
import { withSite } from "./step/site-owner.ts";
import { noteShown } from "../vault/site-notes.ts";
import { changeWithheld, type NoteChange, readWithheld, type Withdrawal } from "../vault/withheld.ts";

const run = "withdraw";

export interface Republished {
  readonly version: number;
  readonly changes: readonly PathChange[];
  readonly passedOver: readonly PassedOver[];
}

export interface BroughtBack extends Republished {
  /** Whether the site shows the text now. */
  readonly isShown: boolean;
  /** Whether a rollback holds it. */
  readonly isPinned: boolean;
}

/** Records the withdrawal and publishes the site without the text. */
export async function withdraw(withdrawal: Withdrawal, request: ReadingRequest, publishing: Publishing) {
  const add: NoteChange = (note) => ({
    ...note,
    withdrawn: [...note.withdrawn.filter(({ key }) => key !== withdrawal.key), withdrawal],
    returned: note.returned.filter(({ key }) => key !== withdrawal.key),
  });
  await changeWithheld(publishing.vault.own, add);
  return withSite(publishing, "withdraw a text", (owned) =>
    withRepair(owned, async () => {
      const isUnsure = mayShowMore(await lookToContinue(owned));
      const result = await republish(request.language, [], owned);
      // The public paths may show what the state that it continued from does not have.
      if (isUnsure) await repairOwned(owned, false);
      return result;
    }),
  );
}

/** Records who undoes the withdrawal, and publishes the text again, if the vault still has it. */
export async function bringBack(
  request: ReadingRequest,
  by: string,
  publishing: Publishing,
): Promise<BroughtBack> {
  const key = requestKey(request);
  const returned = { by, at: publishing.now().toISOString() };
  const move: NoteChange = (note) => ({
    ...note,
    withdrawn: note.withdrawn.filter((one) => one.key !== key),
    returned: [
      ...note.returned.filter((one) => one.key !== key),
      ...note.withdrawn.flatMap(({ path, reason, at, ...one }) =>
        one.key === key ? [{ key, path, reason, at, by: one.by, returned }] : [],
      ),
    ],
  });
  await changeWithheld(publishing.vault.own, move);
  const { operation, period } = request;
  const isDated = !("sign1" in request) && rowOf(operation).due !== "once";
  const sets = isDated ? [{ operation, period }] : [];
  const result = await withSite(publishing, "undo a withdrawal", (owned) =>
    withRepair(owned, () => republish(request.language, sets, owned)),
  );
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

/** Whether a rollback holds the text's set, or its language. */
async function isPinned(
  request: ReadingRequest,
  { vault, configuration, now }: Publishing,
): Promise<boolean> {
  const withheld = await readWithheld(vault.own);
  const today = localDate(zoneOf(configuration, request.language), now());
  return withheld.isSetPinned(request) || withheld.isEditionPinned(request.language, today);
}

/** The decisions have the change already. */
async function republish(
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
      const date = await dateIn(language, publishing);
      // A language that was rolled back stays at its date, and all its sets as they are.
      const keepsShown = withheld.isEditionPinned(language, date);
      const shown = keepsShown ? (await publishedSummary(publishing, language))?.date : undefined;
      const job = { language, date: shown ?? date, current: true, sets, withheld, keepsShown };
      const others = new Set(
        base?.isReplacement === true
          ? withheld.note.withdrawn.flatMap(({ key }) => requestOf(key)?.language ?? [])
          : [],
      );
      others.delete(language);
      const jobs = [job, ...(await currentJobs([...others], publishing))];
      const step = { languages: [language], jobs, last: true };
      const rendered = await renderAll(step, publishing);
      return { ...(await nextState(rendered, publishing)), rendered };
    },
    { continues: true },
  );
  const { rendered } = committed.proposed;
  await noteShown(vault.own, rendered);
  const own = rendered.find((one) => one.language === language);
  const changes = await changesOf(committed);
  return { version: committed.version, changes, passedOver: own?.passedOver ?? [] };
}
