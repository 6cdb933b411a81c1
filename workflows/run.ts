// Common part of nightly and backfill: one child edition per language, in parallel. Editions that report that they are ready
// are published, one group at a time. A language that breaks does not affect the others.
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import {
  ActivityFailure,
  CancellationScope,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  condition,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import { firstDamaged, sumOfTallies, totalOf, othersThan, refusedOperationsOf } from "../readings/tally.ts";
import type {
  DamagedAnswer,
  EditionPlan,
  EditionResult,
  PublishResult,
  RejectedSet,
  RunPlan,
  RunProgress,
  Tally,
} from "../readings/run-messages.ts";
import { requestOf } from "../readings/request.ts";
import type { Language } from "../readings/tables.ts";
import { mainActivities, beforeFirstPublishMs, betweenPublishesMs, mostSkippedListed } from "./activities.ts";
import { type PublishGroup, PublishGroups } from "./publish-groups.ts";
import type { edition } from "./edition.ts";
import { editionProgress } from "./edition-state.ts";
import { editionId, workflowTypes } from "./names.ts";
import { failureReason } from "./failure-reason.ts";

export interface Run {
  readonly site: string;
  readonly kind: "nightly" | "backfill";
  readonly asOf: string;
  readonly plan: RunPlan;
  /** The results of the editions that have ended, with those of an earlier round. */
  readonly results: EditionResult[];
  /** Languages whose last publish failed. */
  readonly unpublished: Set<Language>;
  /** Changed in place, because the progress query answers with it. */
  readonly progress: RunProgress;
}

export async function runEditions(run: Run): Promise<void> {
  // A language without requests may have something to publish: what a person accepted, or what a broken-off run had gathered.
  const gathering = run.plan.editions.map(({ language }) => language);
  const groups = new PublishGroups(new Set(run.plan.languages).difference(new Set(gathering)), gathering);
  setHandler(editionProgress, ({ language, tally, ready: whole }) => {
    count(run, language, tally);
    if (whole) groups.hasSets(language);
    setCurrentDetails(describe(run.progress));
  });
  // Both are awaited together: a cancellation ends both, and a rejection that nobody awaits would block the workflow.
  await Promise.all([
    ...run.plan.editions.map((plan) => oneEdition(run, plan, groups)),
    publishGroups(run, groups),
  ]);
}

/** Publishes what is ready until nothing more can come; two publishes of one run never overlap. */
async function publishGroups(run: Run, groups: PublishGroups): Promise<void> {
  await condition(() => groups.isLast(), beforeFirstPublishMs);
  const early = groups.takeEnded();
  if (early !== undefined) await publishOrSay(run, early);
  for (;;) {
    await condition(() => groups.isLast(), betweenPublishesMs);
    await condition(() => groups.isDue());
    const group = groups.take();
    if (group === undefined) return;
    await publishOrSay(run, group);
  }
}

async function publishOrSay(run: Run, group: PublishGroup): Promise<void> {
  const { languages, last } = group;
  const input = { run: run.progress.run, asOf: run.asOf, languages, last };
  try {
    const summary = `publish ${languages.join(" ")}`;
    published(run, languages, await mainActivities(summary).publish(input));
  } catch (error) {
    await publishEach(error, run, group);
  }
}

function published(run: Run, languages: readonly Language[], result: PublishResult): void {
  const { version, damaged, rejectedSets, staying = [] } = result;
  foundDamaged(run.progress, damaged);
  foundRejected(run.progress, languages, rejectedSets);
  const before = run.progress.published;
  const same = before.find((one) => one.version === version);
  // A group that changed nothing has the version of the one before it: that is no publish of its own.
  const all = { version, languages: [...new Set([...(same?.languages ?? []), ...languages])] };
  run.progress.published = [...before.filter((one) => one !== same), all];
  for (const language of languages) run.unpublished.delete(language);
  for (const { language, reason } of staying) broke(run, language, reason);
}

export function foundDamaged(progress: RunProgress, found: readonly DamagedAnswer[] = []): void {
  if (found.length > 0) progress.damaged = firstDamaged([...(progress.damaged ?? []), ...found]);
}

/** The last publish of a language decides: until its sets are judged, an earlier one may find more. */
export function foundRejected(
  progress: RunProgress,
  languages: readonly Language[],
  found: readonly RejectedSet[] = [],
): void {
  const others = (progress.rejectedSets ?? []).filter(
    ({ key }) => !languages.some((language) => language === requestOf(key)?.language),
  );
  const all = new Map([...others, ...found].map((one) => [one.key, one]));
  progress.rejectedSets = all.size === 0 ? undefined : [...all.values()].slice(0, mostSkippedListed);
}

/** After a failure, each language is published by itself, so that one that can't be published holds back no other. */
async function publishEach(error: unknown, run: Run, { languages, last }: PublishGroup): Promise<void> {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  const [only, ...others] = languages;
  if (only === undefined) return;
  if (others.length > 0) {
    for (const language of languages) await publishOrSay(run, { languages: [language], last });
  } else {
    run.unpublished.add(only);
    broke(run, only, failureReason(error));
  }
}

async function oneEdition(run: Run, plan: EditionPlan, groups: PublishGroups): Promise<void> {
  try {
    settle(run, await editionOf(run, plan));
  } catch (error) {
    // An edition that is cancelled with the run ends the run; one that a person cancels alone is a language that broke off.
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
    broke(run, plan.language, isCancellation(error) ? "its edition was canceled" : failureReason(error));
  }
  groups.hasEnded(plan.language); // readings gathered before the failure may complete sets
}

/**
 * A night begun late in the evening, UTC, and the one after midnight gather for the same local date: the second gives its
 * edition a name of its own, as a backfill does, and finds what the other one stored.
 */
async function editionOf(run: Run, plan: EditionPlan): Promise<EditionResult> {
  try {
    return await editionAs(run.kind, run, plan);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError) || run.kind === "backfill") throw error;
    return await editionAs("backfill", run, plan);
  }
}

async function editionAs(kind: Run["kind"], run: Run, plan: EditionPlan): Promise<EditionResult> {
  const { language, date, tally } = plan;
  const { site, progress } = run;
  const { limits } = run.plan;
  return executeChild<typeof edition>(workflowTypes.edition, {
    workflowId: editionId(site, { kind, id: progress.run }, language, date),
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    workflowIdReusePolicy: "ALLOW_DUPLICATE",
    args: [{ ...plan, site, vault: run.plan.vault, run: progress.run, limits, untilMs: untilMsOf(run.plan) }],
    staticSummary: `${language} ${date}: ${totalOf([tally]).planned} requests`,
  });
}

/** The run's deadline, by the workflow's own clock. */
export function untilMsOf({ deadlineMs }: RunPlan): number {
  return workflowInfo().startTime.getTime() + deadlineMs;
}

function broke(run: Run, language: Language, reason: string): void {
  run.progress.broken = { ...run.progress.broken, [language]: reason.slice(0, 300) };
}

function settle(run: Run, result: EditionResult): void {
  const { results, progress } = run;
  count(run, result.language, result.tally);
  results.push(result);
  if (result.broken !== undefined) broke(run, result.language, result.broken);
  progress.refused = refusedOperationsOf(run.plan.refused, results);
  const listed = results.flatMap(({ skipped }) => skipped);
  progress.skipped = othersThan(progress.refused, listed).slice(0, mostSkippedListed);
}

function count({ results, progress }: Run, language: Language, tally: Tally): void {
  const before = results.filter((one) => one.language === language).map((one) => one.tally);
  progress.languages = { ...progress.languages, [language]: sumOfTallies([...before, tally]) };
}

function describe(progress: RunProgress): string {
  const lines = Object.entries(progress.languages).map(([language, tally]) => {
    const counts = Object.values(tally);
    const total = counts.reduce((sum, one) => sum + one.planned, 0);
    const done = counts.reduce((sum, one) => sum + one.stored + one.held + one.skipped, 0);
    return `- ${language}: ${done} of ${total}`;
  });
  return [`as of ${progress.asOf}`, "", ...lines].join("\n");
}

/** Runs the end of a run even when the run was cancelled, so that its whole sets are published and its report is stored. */
export async function afterAll(act: () => Promise<void>): Promise<void> {
  await CancellationScope.nonCancellable(act);
}
