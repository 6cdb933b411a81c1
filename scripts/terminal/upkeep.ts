// Notes that an upkeep command succeeded, for the worker's metrics.
import { noteUpkeep, type UpkeepTask } from "../../vault/upkeep-note.ts";
import type { Opening } from "../../worker/opened-site.ts";
import { say } from "./output.ts";

export async function noteSuccess(
  { vault }: Pick<Opening, "vault">,
  task: UpkeepTask,
  at: Date,
): Promise<void> {
  if (await noteUpkeep(vault.store, task, at)) return;
  say("the vault could not be written, so the worker's metrics do not show this success");
}
