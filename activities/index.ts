// The activities, closing over what they were handed. Workflows see this type alone.
import { Context } from "@temporalio/activity";
import { capture } from "./capture.ts";
import type { CaptureInput, PublishInput, PublishResult, RunProgress } from "../readings/run-messages.ts";
import type { Dependencies } from "./dependencies.ts";
import { toTemporal } from "./temporal-failures.ts";
import { beating } from "./heartbeat.ts";
import type { RunPlanInput } from "../foresight/plan.ts";
import { plan } from "./plan.ts";
import { publish, publishTurn } from "../publish/publish.ts";
import { StateRefused } from "../publish/step/refusal.ts";
import { asOnlyPublisher } from "./only-publisher.ts";
import { readPlanPage } from "../vault/plan-pages.ts";
import { report } from "./report.ts";
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
    turn: () => publishing("turn", () => publishTurn(dependencies), dependencies),
    report: (progress: RunProgress) => guarded(() => report(progress, dependencies)),
    watchGate: (input: WatchInput) => guarded((signal) => watchGate(input, signal, dependencies)),
    openGate: ({ run }: { run: string }) => guarded(() => openGate(run, dependencies)),
  };
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
      return await act();
    } catch (error) {
      if (error instanceof StateRefused) await sayRefused(error, dependencies);
      throw error;
    } finally {
      dependencies.metrics.published(kind, performance.now() - beganMs);
    }
  };
  return guarded(() => asOnlyPublisher(timed, dependencies));
}

/** Somebody may have forged the site: that is said at once, and once for each state. */
async function sayRefused({ message }: StateRefused, { alert }: Dependencies) {
  await alert({ kind: "state-refused", text: `Nothing is published: ${message}`, once: message });
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
