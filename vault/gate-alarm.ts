// Credentials that are refused are one matter for a person, however many addresses refuse them: a small file in the vault
// says which closed gate the alarm was raised for. While that one stands, the others say nothing.
import { z } from "zod";
import { type GateNote, gateNote, gateSchema } from "./gate-note.ts";
import { layout } from "./layout.ts";
import { changeNote, lookAt, readNote, swapNote } from "./note.ts";
import type { Vault } from "./vault.ts";

/** The note of the alarm. A damaged one counts as absent, so that it keeps nobody from raising the alarm. */
export const gateAlarmNote = {
  key: layout.gateAlarm,
  schema: gateSchema.pick({ address: true, closedAt: true }).extend({ over: z.boolean() }),
  empty: undefined,
};

/** Whether the alarm is ours to raise. */
export async function raiseAlarm({ store }: Vault, { address, closedAt }: GateNote): Promise<boolean> {
  return changeNote(store, gateAlarmNote, async (other) => {
    const gate = other?.over === false ? await readNote(store, gateNote(other.address)) : undefined;
    const stands = gate !== undefined && gate.closedAt === other?.closedAt;
    return stands ? undefined : { address, closedAt, over: false };
  });
}

/** Whether the end of the alarm is ours to tell: not where it was raised anew meanwhile. */
export async function endAlarm({ store }: Vault): Promise<boolean> {
  const { value: alarm, version } = await lookAt(store, gateAlarmNote);
  if (alarm?.over !== false) return false;
  return (await swapNote(store, gateAlarmNote, { ...alarm, over: true }, version)).kind === "written";
}
