// What nightly and backfill have in common: one child edition a language, side by side; whatever they say is ready is
// published, one batch at a time; a language that breaks costs no other its night.
import {
  CancellationScope,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  condition,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import {
  type EditionPlan,
  type EditionResult,
  type RunPlan,
  type RunProgress,
  type SetAside,
} from "../activities/contracts.ts";
import { type Language } from "../readings/languages.ts";
import { mainActivities } from "./activities.ts";
import { type edition } from "./edition.ts";
import { editionProgress } from "./edition-state.ts";
import { mostSetAsideListed } from "./limits.ts";
import { editionId, workflowTypes } from "./names.ts";

export interface Run {
  readonly site: string;
  readonly kind: "nightly" | "backfill";
  readonly asOf: string;
  readonly plan: RunPlan;
  /** Changed in place: it is what the progress query answers. */
  readonly progress: { -readonly [Key in keyof RunProgress]: RunProgress[Key] };
}

export async function runEditions(run: Run): Promise<void> {
  const ready = new Set<Language>();
  let gathering = true;
  setHandler(editionProgress, ({ language, tally, ready: whole }) => {
    run.progress.languages = { ...run.progress.languages, [language]: tally };
    if (whole) ready.add(language);
    setCurrentDetails(describe(run.progress));
  });
  const editions = Promise.all(run.plan.editions.map((plan) => oneEdition(run, plan, ready)));
  // Waited for together: a cancellation ends both, and a rejection that nobody awaits would block the workflow.
  await Promise.all([
    editions.finally(() => {
      gathering = false;
    }),
    publishBatches(run, ready, () => gathering),
  ]);
}

/** Publishes what is ready until nothing more can come; two publishes of one run never overlap. */
async function publishBatches(run: Run, ready: Set<Language>, gathering: () => boolean): Promise<void> {
  for (;;) {
    await condition(() => ready.size > 0 || !gathering());
    const languages = [...ready].sort();
    ready.clear();
    if (languages.length > 0) {
      const { publish } = mainActivities(`publish ${languages.join(" ")}`);
      const { version } = await publish({ run: run.progress.run, asOf: run.asOf, languages });
      run.progress.published = [...run.progress.published, { version, languages }];
    } else if (!gathering()) {
      return;
    }
  }
}

async function oneEdition(run: Run, plan: EditionPlan, ready: Set<Language>): Promise<void> {
  const { language, date, keys } = plan;
  try {
    const untilMs = workflowInfo().startTime.getTime() + run.plan.deadlineMs;
    const result = await executeChild<typeof edition>(workflowTypes.edition, {
      workflowId: editionId(run.site, run.kind, language, date),
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      workflowIdReusePolicy: "ALLOW_DUPLICATE",
      args: [
        { site: run.site, run: run.progress.run, language, date, keys, limits: run.plan.limits, untilMs },
      ],
      staticSummary: `${language} ${date}: ${keys.length} requests`,
    });
    settle(run, result);
    ready.add(language);
  } catch (error) {
    if (isCancellation(error)) throw error;
    const cause = error instanceof ChildWorkflowFailure ? (error.cause ?? error) : error;
    const words = cause instanceof Error ? cause.message : String(cause);
    run.progress.broken = { ...run.progress.broken, [language]: words.slice(0, 300) };
    ready.add(language); // what it gathered before it broke may make whole sheets
  }
}

function settle(run: Run, result: EditionResult): void {
  run.progress.languages = { ...run.progress.languages, [result.language]: result.tally };
  const listed: readonly SetAside[] = [...run.progress.setAside, ...result.setAside];
  run.progress.setAside = listed.slice(0, mostSetAsideListed);
}

function describe(progress: RunProgress): string {
  const lines = Object.entries(progress.languages).map(([language, tally]) => {
    const counts = Object.values(tally);
    const total = counts.reduce((sum, one) => sum + one.planned, 0);
    const done = counts.reduce((sum, one) => sum + one.kept + one.held + one.setAside, 0);
    return `- ${language}: ${done} of ${total}`;
  });
  return [`as of ${progress.asOf}`, "", ...lines].join("\n");
}

/** Runs even when the run was cancelled: what is whole is kept, and the report says how it ended. */
export async function afterAll(act: () => Promise<void>): Promise<void> {
  await CancellationScope.nonCancellable(act);
}
