// An operator's commands, and publish, each as one task: a command whose machine dies is typed once more, or not.
import { textOn, NoSingleText, withdraw, bringBack } from "../../../publish/withdraw.ts";
import { cleanUpSite, planCleanUp } from "../../../publish/history/clean-up.ts";
import { chooseState, NoSuchState, StateNotWhole } from "../../../publish/history/rollback-target.ts";
import { rollback } from "../../../publish/history/rollback.ts";
import { renderArchive } from "../../../publish/archive.ts";
import { repair } from "../../../publish/repair/repair.ts";
import { readState } from "../../../publish/state/state.ts";
import { PointerMoved } from "../../../publish/step/commit.ts";
import { RecordMoved } from "../../../publish/step/record.ts";
import { UnfinishedPublish } from "../../../publish/step/site-owner.ts";
import { StateRefused } from "../../../publish/step/site-state.ts";
import { type RequestKey, requestKey } from "../../../readings/request.ts";
import { dataPathOf } from "../../../site/paths.ts";
import { StoreFailure, LeaseLost } from "../../../store/store.ts";
import { UnreadableFile } from "../../../vault/files.ts";
import { requestAt } from "../../publish/support/published-site.ts";
import { asActivity } from "./activity.ts";
import { Machine } from "./stage.ts";
import type { Ended, Hands, World } from "./world.ts";

export type Deed =
  | { readonly kind: "publish" | "render" | "render --clock-is-right" | "repair" | "gc" }
  | { readonly kind: "rollback"; readonly back: number }
  | { readonly kind: "withdraw" | "bring back"; readonly key: RequestKey };

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
    error instanceof NoSingleText
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
  const broughtBack = "key" in deed ? (reference.broughtBack.get(deed.key) ?? 0) : 0;
  const comingBack = "key" in deed ? (reference.comingBack.get(deed.key) ?? 0) : 0;
  if (deed.kind === "bring back") {
    reference.broughtBack.set(deed.key, broughtBack + 1);
    reference.comingBack.set(deed.key, comingBack + 1);
    reference.withdrawn.delete(deed.key);
  }
  const ended: Ended<unknown> = await world.task({ name: machine.name, machine, strike }, (hands) =>
    doing(deed, hands, world),
  );
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
  if (isAlone && comingBack === 0) reference.withdrawn.add(deed.key);
  if (deed.kind === "bring back")
    reference.comingBack.set(deed.key, (reference.comingBack.get(deed.key) ?? 1) - 1);
  if (deed.kind === "rollback") marks.reach("a rollback");
  return undefined;
}

async function doing(deed: Deed, { place, activities }: Hands, world: World): Promise<unknown> {
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
      return renderArchive({ languages, evenMany: true }, { ...place, clockIsRight: deed.kind !== "render" });
    }
    case "repair": {
      const { repairs } = await repair(place, true);
      if (repairs.some(({ reason }) => reason.includes("continues from")))
        world.marks.reach("a repair that went on above all versions");
      return repairs;
    }
    case "gc":
      return cleanUpSite(place, await planCleanUp(place, { keepDays, graceMs }));
    case "rollback": {
      const current = await readState(place.site);
      if (current === undefined) return undefined;
      const version = String(Math.max(1, current.pointer.version - deed.back));
      const to = await chooseState(version, { site: place.site, now: place.now(), keepDays });
      return rollback({ to, evenMany: true, by: { by: "editor" } }, place);
    }
    case "withdraw": {
      const path = dataPathOf(requestAt(deed.key));
      if (path === undefined) throw new Error(`${deed.key} has no file of its own`);
      const request = await textOn(path, place);
      if (requestKey(request) !== deed.key) throw new Error(`${deed.key} is not what its path shows`);
      const at = place.now().toISOString();
      const record = { key: deed.key, path: "its path", reason: "a complaint", by: "an editor", at };
      return withdraw(record, request, place);
    }
    case "bring back":
      return bringBack(requestAt(deed.key), { by: "editor" }, place);
  }
}
