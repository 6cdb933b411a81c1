// The alerts after a run: that something is missing, or that the quarantine grows; and the ping that a night went well.
import { z } from "zod";
import { requestOf } from "../readings/request.ts";
import type { DamagedAnswer, RunProgress } from "../readings/run-messages.ts";
import { totalOf } from "../readings/tally.ts";
import type { Dependencies } from "./dependencies.ts";
import { layout } from "../vault/layout.ts";
import { changeNote } from "../vault/note.ts";
import type { Vault } from "../vault/vault.ts";

/** The quarantine's growth since the last alert that is worth another one: a sheet's worth. */
const grownBy = 12;
export const quarantineSizeNote = {
  key: layout.quarantineSize,
  schema: z.object({ entries: z.int().min(0) }),
  empty: { entries: 0 },
};

export async function alertAboutRun(
  progress: RunProgress,
  { inQuarantine, once }: { readonly inQuarantine: number; readonly once: string },
  { alert, wentWell, configuration, vault }: Dependencies,
): Promise<void> {
  const lacking = lackingIn(progress);
  if (lacking.length > 0) {
    const next =
      "`almanac status` shows the run, `almanac quarantine list` the answers that were refused and why, and the next run asks for them again";
    const text = `${progress.run}: ${lacking.join("; ")}. What is whole is published, the rest stays as it was. Next: ${next}.`;
    await alert({ kind: "edition-incomplete", text, once });
  }
  if (await isGrown(inQuarantine, vault)) {
    const next = "`almanac quarantine list` shows them and names one remedy for those that are refused alike";
    const text = `${inQuarantine} answers are in quarantine after ${progress.run}, more than before. Next: ${next}.`;
    await alert({ kind: "quarantine-grown", text, once });
  }
  const isNight = progress.run.startsWith(`${configuration.site.id}-nightly-`);
  if (isNight && progress.state === "done" && Object.keys(progress.broken).length === 0) {
    await wentWell(progress.run);
  }
}

/** What the run lacks, in words. A cancelled run counts as lacking nothing: a person wanted it to end. */
function lackingIn({ state, failure, setAside, languages, broken, refused, damaged = [] }: RunProgress) {
  if (state === "cancelled") return [];
  const count = totalOf(Object.values(languages)).setAside;
  const where = [...new Set(setAside.map(({ key }) => requestOf(key)?.language))]
    .filter((one) => one !== undefined)
    .sort();
  return [
    ...(state === "failed" ? [`it failed${failure === undefined ? "" : ` (${failure})`}`] : []),
    ...(count === 0 ? [] : [`${count} set aside${where.length === 0 ? "" : ` in ${where.join(", ")}`}`]),
    ...(damaged.length === 0 ? [] : [damagedWords(damaged)]),
    ...Object.entries(broken).map(([language, reason]) => `${language} broke off (${reason})`),
    ...refused.map(({ operation }) => `${operation} is refused, as if it were not in your subscription`),
  ];
}

/** The captures that were found damaged, in words. */
export function damagedWords(damaged: readonly DamagedAnswer[]): string {
  const [first] = damaged;
  const others = damaged.length === 1 ? "" : ` and of ${damaged.length - 1} more`;
  return `the capture of ${first?.key}${others} can't be read (${first?.reason})`;
}

/** Tells, once for the same captures, that some were found damaged. */
export async function sayDamaged(damaged: readonly DamagedAnswer[], { alert }: Dependencies): Promise<void> {
  const next =
    "the next night asks again for what the service still gives; `almanac verify --vault` reads all of the vault, to be mended from a copy of it";
  const text = `${damagedWords(damaged)}. Its sheet stays as it was. Next: ${next}.`;
  await alert({ kind: "damage-found", text, once: damaged.map(({ key }) => key).join(" ") });
}

/** Reports damaged responses that a run requested again: nothing is missing, but the disk may be failing. */
export async function sayReplaced(damaged: readonly DamagedAnswer[], { alert }: Dependencies): Promise<void> {
  const [first] = damaged;
  const others = damaged.length === 1 ? "" : ` and ${damaged.length - 1} more`;
  const text = `Damaged stored responses were requested again and replaced: ${first?.key}${others}. Nothing is missing. Next: check the vault's disk; the vault keeps the damaged bytes under damaged/.`;
  await alert({ kind: "damage-found", text, once: `replaced ${damaged.map(({ key }) => key).join(" ")}` });
}

/** Whether the quarantine has grown by a step; while it shrinks or stays, there is no alert. */
async function isGrown(entries: number, { store }: Vault) {
  let grown = false;
  await changeNote(store, quarantineSizeNote, (told) => {
    grown = entries >= told.entries + grownBy;
    return grown || entries < told.entries ? { entries } : undefined;
  });
  return grown;
}
