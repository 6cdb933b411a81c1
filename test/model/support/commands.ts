// An operator's commands, and publish, each as one task: a command whose machine dies is typed once more, or not.
import { textOn, NoSingleText, withdraw, bringBack } from "../../../publish/withdraw.ts";
import { cleanUpSite, planCleanUp } from "../../../publish/history/clean-up.ts";
import { chooseState, NoSuchState, StateNotWhole } from "../../../publish/history/rollback-target.ts";
import { rollback } from "../../../publish/history/rollback.ts";
import { acceptAgain, revalidate } from "../../../insight/revalidate.ts";
import { setToReview } from "../../../insight/review-list.ts";
import { textsToReview } from "../../../insight/set-states.ts";
import { renderArchive } from "../../../publish/archive.ts";
import { backUp } from "../../../publish/backup/back-up.ts";
import { restore } from "../../../publish/backup/restore.ts";
import { claimBackup, readSnapshot, snapshotsIn } from "../../../publish/backup/snapshots.ts";
import {
  changeTo,
  correctableText,
  NotCorrectable,
  publishCorrection,
  recordCorrection,
  undo,
} from "../../../publish/correct.ts";
import { publishApproved, recordReview } from "../../../publish/review.ts";
import { repair } from "../../../publish/repair/repair.ts";
import { readState } from "../../../publish/state/state.ts";
import { PointerMoved } from "../../../publish/step/commit.ts";
import { RecordMoved } from "../../../publish/step/record.ts";
import { UnfinishedPublish } from "../../../publish/step/site-owner.ts";
import { StateRefused } from "../../../publish/step/site-state.ts";
import { type RequestKey, requestKey, setName } from "../../../readings/request.ts";
import { dataPathOf } from "../../../site/paths.ts";
import { StoreFailure, LeaseLost } from "../../../store/store.ts";
import { UnreadableFile } from "../../../vault/files.ts";
import { requestAt } from "../../publish/support/published-site.ts";
import type { Store } from "../../../store/store.ts";
import { asActivity } from "./activity.ts";
import type { Act } from "./decisions.ts";
import { Machine } from "./stage.ts";
import { wordsIn } from "./texts.ts";
import type { Ended, Hands, World } from "./world.ts";

export type Deed =
  | { readonly kind: "publish" | "render" | "render --clock-is-right" | "repair" | "gc" }
  | { readonly kind: "rollback"; readonly back: number }
  | { readonly kind: "revalidate" }
  | { readonly kind: "back up" | "restore"; readonly backup: Store }
  | {
      readonly kind: "withdraw" | "bring back" | "correct" | "undo" | "approve" | "reject";
      readonly key: RequestKey;
    };

/** The acts that are not recorded, or only if they override something. */
const unrecorded = new Set<string>(["publish", "repair", "gc", "back up", "restore"]);

/** Expected failures of a command if the site or a store was disturbed. */
function isForeseen(error: unknown): boolean {
  return (
    error instanceof StateRefused ||
    error instanceof PointerMoved ||
    error instanceof RecordMoved ||
    error instanceof UnfinishedPublish ||
    error instanceof LeaseLost ||
    error instanceof StoreFailure ||
    error instanceof UnreadableFile ||
    error instanceof NoSuchState ||
    error instanceof StateNotWhole ||
    error instanceof NoSingleText ||
    error instanceof NotCorrectable
  );
}

const graceMs = 60 * 60_000;
/** Few enough that a clean-up has files to remove. */
const keepDays = 1;

/** Reason for a failure; undefined after a success. */
export async function command(world: World, deed: Deed, isStruck: boolean): Promise<unknown> {
  const { stage, reference, marks } = world;
  const machine = new Machine(`${deed.kind} ${(world.commands += 1)}`);
  if (isStruck) machine.aheadMs = (stage.random() - 0.5) * 10 * 60_000;
  const strike = isStruck && stage.chance(0.25) ? stage.strike() : undefined;
  const act = reference.decisions.begin(deed.kind, "key" in deed ? deed.key : undefined);
  act.isIdle = unrecorded.has(deed.kind);
  if (deed.kind === "withdraw") reference.mayGo.add(dataPathOf(requestAt(deed.key)) ?? "");
  const broughtBack = "key" in deed ? (reference.broughtBack.get(deed.key) ?? 0) : 0;
  const comingBack = "key" in deed ? (reference.comingBack.get(deed.key) ?? 0) : 0;
  if (deed.kind === "bring back") {
    reference.broughtBack.set(deed.key, broughtBack + 1);
    reference.comingBack.set(deed.key, comingBack + 1);
    reference.withdrawn.delete(deed.key);
  }
  const ended: Ended<unknown> = await world.task({ name: machine.name, machine, strike }, (hands) =>
    doing(deed, act, hands, world),
  );
  const isOver = ended.kind !== "dead" || ended.how === "killed";
  if (deed.kind === "bring back" && isOver)
    reference.comingBack.set(deed.key, (reference.comingBack.get(deed.key) ?? 1) - 1);
  if (ended.kind === "failed") {
    const { error } = ended;
    if (error instanceof StateRefused) marks.reach("a refused state");
    if (!isForeseen(error) && !(error instanceof Error && error.name === "ApplicationFailure")) throw error;
    return error;
  }
  if (ended.kind === "dead") return new Error(`${machine.name} was ${ended.how}`);
  // A concurrent undo may have come later, and so may a command that began earlier.
  const isAlone =
    deed.kind === "withdraw" && reference.broughtBack.get(deed.key) === (broughtBack || undefined);
  act.endedAt = reference.decisions.next();
  if (isAlone && comingBack === 0) {
    reference.withdrawn.add(deed.key);
    if (!reference.kept.get(deed.key)?.some((word) => reference.seen.has(word)))
      marks.reach("a text stopped before it was published");
  }
  if (deed.kind === "rollback") marks.reach("a rollback");
  return undefined;
}

async function doing(deed: Deed, act: Act, { place, activities }: Hands, world: World): Promise<unknown> {
  const said = { by: "an editor", reason: act.reason };
  switch (deed.kind) {
    case "publish":
      return asActivity(
        {
          activity: "publish",
          attempt: 1,
          run: "publish",
          start: "publish",
          atMs: world.stage.atMs,
          startToCloseMs: 900_000,
          beat: { details: undefined },
        },
        () => activities.publishDue(),
      );
    case "render":
    case "render --clock-is-right": {
      const { languages } = place.configuration;
      const publishing = { ...place, clockIsRight: deed.kind !== "render" };
      return renderArchive({ languages, evenMany: true, by: said }, publishing);
    }
    case "revalidate": {
      const { languages } = place.configuration;
      const { readable, first } = await revalidate({}, place);
      await acceptAgain(readable, place.vault);
      const dates = first === undefined ? undefined : { from: first };
      return renderArchive({ languages, evenMany: true, by: said, ...(dates && { dates }) }, place);
    }
    case "repair": {
      const { repairs } = await repair(place, true, () => said);
      if (repairs.some(({ reason }) => reason.includes("continues from")))
        world.marks.reach("a repair that went on above all versions");
      return repairs;
    }
    case "gc":
      return cleanUpSite(place, await planCleanUp(place, { keepDays, graceMs }));
    case "rollback": {
      const current = await readState(place.site);
      act.isIdle = true; // until it pins something
      if (current === undefined) return undefined;
      const version = String(Math.max(1, current.pointer.version - deed.back));
      const to = await chooseState(version, { site: place.site, now: place.now(), keepDays });
      const { pins } = await rollback({ to, evenMany: true, by: said }, place);
      act.isIdle = pins.length === 0;
      return pins;
    }
    case "withdraw": {
      const path = dataPathOf(requestAt(deed.key));
      if (path === undefined) throw new Error(`${deed.key} has no file of its own`);
      const request = await textOn(path, place);
      if (requestKey(request) !== deed.key) throw new Error(`${deed.key} is not what its path shows`);
      const at = place.now().toISOString();
      const record = { ...said, key: deed.key, path: "its path", at };
      return withdraw(record, request, place);
    }
    case "bring back":
      return bringBack(requestAt(deed.key), said, place);
    case "correct":
    case "undo": {
      const request = requestAt(deed.key);
      const text = await correctableText(request, "sign" in request ? "personal" : "career", place);
      const words = text.paragraphs.join("\n");
      const [word = ""] = wordsIn(Buffer.from(words));
      const { decisions } = world.reference;
      const shown = deed.kind === "correct" ? world.newWord(deed.key) : "";
      const change =
        deed.kind === "undo"
          ? undo(text)
          : await changeTo(words.replace(word, shown), undefined, text, place.configuration.quality.rules);
      // The undo of a stale correction is about an earlier text.
      const own = decisions.isEdited(word)
        ? word
        : (wordsIn(Buffer.from(change.original.join("\n")))[0] ?? "");
      const received = decisions.receivedAs(deed.kind === "correct" ? word : own);
      act.change = { received, shown: deed.kind === "correct" ? shown : received };
      await recordCorrection(change, text, said, place);
      return publishCorrection(change, request, place);
    }
    case "approve":
    case "reject": {
      const input = { ...place, now: place.now() };
      const set = await setToReview(setName(requestAt(deed.key)), input);
      const texts = set === undefined || set.missing.length > 0 ? [] : textsToReview(set);
      if (texts.length === 0) throw new NotCorrectable("there is no whole set to review");
      act.seen = texts.flatMap(({ reading }) => wordsIn(Buffer.from(JSON.stringify(reading))));
      await recordReview(deed.kind, texts, said, place);
      return deed.kind === "reject" ? undefined : publishApproved(texts, place);
    }
    case "back up":
      await claimBackup(deed.backup, place.vault.siteId);
      return backUp(place, deed.backup, keepDays);
    case "restore": {
      const newest = (await snapshotsIn(deed.backup)).at(-1);
      if (newest === undefined) throw new Error("the backup has no snapshot");
      return restore(place, deed.backup, await readSnapshot(deed.backup, newest));
    }
  }
}
