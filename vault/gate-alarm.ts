// Credentials that are refused are one matter for a person, however many addresses refuse them: a small file in the vault
// says which closed gate the alarm was raised for. While that one stands, the others say nothing.
import { z } from "zod";
import { absent, type Stored } from "../store/store.ts";
import { type ClosedGate, gateSchema } from "./capture.schema.ts";
import { parseJson, readJson, UnreadableFile, writeJson } from "./json.ts";
import { layout } from "./layout.ts";
import type { Vault } from "./vault.ts";

const alarmKey = "gate/alarm.json";
const alarmSchema = gateSchema
  .pick({ format: true, address: true, closedAt: true })
  .extend({ over: z.boolean() });
type Alarm = z.infer<typeof alarmSchema>;

/** Answers whether it is ours to raise. */
export async function raiseAlarm({ store }: Vault, { address, closedAt }: ClosedGate): Promise<boolean> {
  const ours: Alarm = { format: 1, address, closedAt, over: false };
  for (;;) {
    const found = await store.read(alarmKey);
    const other = found === undefined ? undefined : alarmIn(found);
    if (other?.over === false) {
      const gate = await readJson(store, layout.gate(other.address), gateSchema);
      if (gate?.closedAt === other.closedAt) return false;
    }
    const when = found === undefined ? absent : ({ kind: "version", version: found.version } as const);
    if (await writeJson(store, alarmKey, ours, when)) return true;
  }
}

/** Answers whether it is ours to say so. */
export async function endAlarm({ store }: Vault): Promise<boolean> {
  const found = await store.read(alarmKey);
  if (found === undefined) return true; // a gate from before there was this file
  const alarm = alarmIn(found);
  if (alarm === undefined || alarm.over) return false;
  return writeJson(store, alarmKey, { ...alarm, over: true }, { kind: "version", version: found.version });
}

/** A damaged one keeps nobody from raising the alarm. */
function alarmIn({ body }: Stored): Alarm | undefined {
  try {
    return parseJson(alarmKey, body, alarmSchema);
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}
