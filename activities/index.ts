// The activities, closing over what they were handed. Workflows see this type alone.
import { Context } from "@temporalio/activity";
import { capture } from "./capture.ts";
import type {
  CaptureInput,
  PatrolInput,
  PublishInput,
  PublishResult,
  RunProgress,
} from "../readings/run-messages.ts";
import type { Dependencies } from "./dependencies.ts";
import { toTemporal } from "./temporal-failures.ts";
import { beating } from "./heartbeat.ts";
import type { RunPlanInput } from "../foresight/plan.ts";
import { patrolOn } from "./patrol.ts";
import { plan } from "./plan.ts";
import { publish, publishTurn } from "../publish/publish.ts";
import { TemplateFault } from "../site/theme/template.ts";
import { StateRefused } from "../publish/step/refusal.ts";
import { asOnlyPublisher } from "./only-publisher.ts";
import { readPlanPage } from "../vault/plan-pages.ts";
import { report } from "./report.ts";
import { sayDamaged } from "./run-alerts.ts";
import { judgeSheet, type SheetInput } from "./sheet-judgement.ts";
import { openGate, watchGate, type WatchInput } from "./gate-watch.ts";

interface PageInput {
  readonly plan: string;
  readonly page: number;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- workflows take their types from what is returned
export function createActivities(dependencies: Dependencies) {
  return {
    capture: (input: CaptureInput) => capture(input, dependencies),
    plan: (input: RunPlanInput) => guarded(() => plan(input, dependencies, Context.current().info.attempt)),
    planPage: ({ plan: name, page }: PageInput) =>
      guarded(() => readPlanPage(name, page, dependencies.vault)),
    judgeSheet: (input: SheetInput) =>
      guarded(() => judgeSheet(input, dependencies, Context.current().info.attempt > 1)),
    publish: (input: PublishInput) => publishing("publish", () => publish(input, dependencies), dependencies),
    turn: () => publishing("turn", () => turn(dependencies), dependencies),
    patrol: (input: PatrolInput) => guarded((signal) => patrolOn(input, signal, dependencies)),
    report: (progress: RunProgress) => guarded(() => report(progress, dependencies)),
    watchGate: (input: WatchInput) => guarded((signal) => watchGate(input, signal, dependencies)),
    openGate: ({ run }: { run: string }) => guarded(() => openGate(run, dependencies)),
  };
}

/** No run tells of what a turn finds damaged, so that it does so itself. */
async function turn(dependencies: Dependencies): Promise<PublishResult> {
  const result = await publishTurn(dependencies);
  if (result.damaged !== undefined) await sayDamaged(result.damaged, dependencies);
  return result;
}

/** Measures a publish that fails as well, and a turn with nothing due: that shows how soon a page could have turned. */
function publishing(
  kind: "publish" | "turn",
  act: () => Promise<PublishResult>,
  dependencies: Dependencies,
): Promise<PublishResult> {
  const timed = async () => {
    const beganMs = performance.now();
    try {
      const { temporalUrl, witness, vault } = dependencies;
      const scheduledMs = Context.current().info.currentAttemptScheduledTimestampMs;
      if (temporalUrl !== undefined) witness?.saw(temporalUrl, new Date(scheduledMs).toISOString());
      const result = await act();
      await witness?.keep(vault.store);
      await sayStaying(result, dependencies);
      return result;
    } catch (error) {
      if (error instanceof StateRefused) await sayRefused(error, dependencies);
      if (error instanceof TemplateFault) await sayFault(error, dependencies);
      throw error;
    } finally {
      dependencies.metrics.published(kind, performance.now() - beganMs);
    }
  };
  return guarded(async () => {
    const result = await asOnlyPublisher(timed, dependencies);
    await dependencies.tellChanges?.(); // the turn also tells what an earlier one could not
    return result;
  });
}

/** Somebody may have forged the site: that is said at once, and once for each state. */
async function sayRefused({ message }: StateRefused, { alert }: Dependencies) {
  await alert({ kind: "state-refused", text: `Nothing is published: ${message}`, once: message });
}

/** The theme was changed, and a person has to mend it: said once for each fault. */
async function sayFault({ message }: TemplateFault, { alert }: Dependencies) {
  await alert({ kind: "template-fault", text: `Nothing is published: ${message}`, once: message });
}

/** Readers keep old texts as long as that lasts: it is said once a day. */
async function sayStaying({ staying = [] }: PublishResult, { alert, now }: Dependencies) {
  if (staying.length === 0) return;
  const text = [...new Set(staying.map(({ reason }) => reason))].join(". ");
  const languages = staying.map(({ language }) => language).sort();
  const once = `${now().toISOString().slice(0, 10)} ${languages.join()}`;
  await alert({ kind: "date-ahead", text: `Readers see no new day: ${text}.`, once });
}

async function guarded<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  return beating(async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      signal.throwIfAborted();
      throw toTemporal(error, Context.current().info.attempt);
    }
  });
}
