// The units of deploy/systemd with what is otherwise on a machine: whatever else they say, above all what they may not do, is the same.
import { readFileSync } from "node:fs";

const deployed = {
  worker: new URL("../../deploy/systemd/almanac-worker.service", import.meta.url),
  temporal: new URL("../../deploy/systemd/almanac-temporal.service", import.meta.url),
};

export type UnitChange = readonly [from: string, to: string];

/** Throws where the unit has not what is to be changed. */
export function changedUnit(name: keyof typeof deployed, changes: readonly UnitChange[]): string {
  return changedText(readFileSync(deployed[name], "utf8"), changes);
}

/** Throws where the unit has not what is to be changed. */
export function changedText(unit: string, changes: readonly UnitChange[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the unit of deploy/ has no ${JSON.stringify(from)}`);
    return text.replaceAll(from, () => to);
  }, unit);
}
