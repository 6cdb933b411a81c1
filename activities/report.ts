// Keeps what a run asked, kept, retried, set aside and published, for the operator.
import { always } from "../store/store.ts";
import { type RunProgress } from "./contracts.ts";
import { type Dependencies } from "./dependencies.ts";
import { writeJson } from "./vault.ts";

export async function report(progress: RunProgress, { vault, log, now }: Dependencies): Promise<void> {
  const day = progress.asOf.slice(0, 10);
  const facts = { format: 1, endedAt: now().toISOString(), ...progress };
  await writeJson(vault.store, `runs/${day}/${progress.run}.json`, facts, always);
  log.info({ run: progress.run, state: progress.state, planned: progress.planned }, "run reported");
}
