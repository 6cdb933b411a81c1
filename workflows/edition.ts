// One language's part of a run: gathers what is due by the plan (readings/plan.ts), has each set judged when its readings are
// in, and reports to the run what is ready. activities/batch.ts has each request next; workflows/run.ts has languages published.
import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  sleep,
  workflowInfo,
  ActivityFailure,
} from "@temporalio/workflow";
import type { Batch, EditionResult, JudgedSet, LostTexts } from "../readings/run-messages.ts";
import { unpackKeys } from "../readings/plan-order.ts";
import { requestOf } from "../readings/request.ts";
import { mostBatchesOut, openWindow, windowTickMs, attemptPauseMs } from "../readings/gather-rules.ts";
import { planActivities, mostEvents, mainActivities, mostJudgements } from "./activities.ts";
import { type GatherContext, gatherTogether, type Settle, type Together, gatherAgain } from "./gather.ts";
import { type EditionInput, EditionState, type EndedSet } from "./edition-state.ts";
import { failureReason } from "./failure-reason.ts";

export async function edition(input: EditionInput): Promise<EditionResult> {
  const state = new EditionState(input);
  let isAll = true;
  try {
    isAll = await CancellationScope.cancellable(() => gatherAll(input, state));
  } catch (error) {
    if (!isCancellation(error) || Date.now() < input.untilMs) throw error;
    state.stopAtDeadline(); // complete sets are published, the rest is reported
    await judgeWhatIsIn(input.run, state);
  }
  if (!isAll) await continueAsNew<typeof edition>({ ...input, carried: state.toCarry() });
  return state.result();
}

/** Gathers what the plan has; false where the history has grown long before its end. */
async function gatherAll(input: EditionInput, state: EditionState): Promise<boolean> {
  const { vault, run, limits, window } = input;
  const { refusedOnce } = state;
  const context: GatherContext = { vault, run, limits, width: window.width, refusedOnce };
  const weightOf = ({ requests }: Together): number => requests.length;
  const bounds = { width: window.requests, weightOf, most: mostBatchesOut };
  const { ended, tick } = openWindow(planned(input, state), bounds, mayGoOn, async (together, giveUp) => {
    const [inVain, others] = partition(together.requests, (request) => state.isInVain(request));
    for (const request of inVain) {
      state.leaveOut(request);
      await state.tellNowAndThen();
      const set = state.setOf(request);
      if (set !== undefined) await endSet(set, undefined, { context, state });
    }
    const [first, ...more] = others;
    if (first === undefined) return;
    const batch = { ...together, requests: [first, ...more] } as const;
    const settle: Settle = async (all, judged) => {
      for (const { request, outcome } of all) state.settle(request, outcome);
      await state.tellNowAndThen();
      const sets = all.map(({ request }) => state.setOf(request)).filter((set) => set !== undefined);
      for (const set of sets) await endSet(set, judged, { context, state });
    };
    await gatherTogether(batch, context, settle, giveUp);
  });
  await untilDeadline(input.untilMs, { everyMs: windowTickMs, tick }, ended);
  return state.place.page >= input.pages;
}

/** The batches of the plan's pages one after the other, each page read when its first batch's turn comes. */
async function* planned(
  { plan, pages }: EditionInput,
  state: EditionState,
): AsyncGenerator<Together, void, undefined> {
  for (let { page, from } = state.place; page < pages; page += 1, from = 0) {
    const left = (await planActivities().planPage({ plan, page })).flatMap(togetherIn).slice(from);
    state.begin(left.flatMap(({ requests }) => requests));
    for (const [index, batch] of left.entries()) {
      const begun = index + 1;
      state.place = begun < left.length ? { page, from: from + begun } : { page: page + 1, from: 0 };
      yield batch;
    }
  }
}

function togetherIn({ keys, ...batch }: Batch): Together[] {
  const [first, ...others] = unpackKeys(keys)
    .map(requestOf)
    .filter((request) => request !== undefined);
  return first === undefined ? [] : [{ ...batch, requests: [first, ...others] }];
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const groups = Map.groupBy(items, isFirst);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}

/** Ticks while the work is under way; cancels it, with all else of its scope, at the run's deadline. */
async function untilDeadline<Result>(
  untilMs: number,
  { everyMs, tick }: { readonly everyMs: number; readonly tick: () => void },
  work: Promise<Result>,
): Promise<Result> {
  const gathering = CancellationScope.current();
  const clock = new CancellationScope();
  const ticks = clock.run(async () => {
    for (;;) {
      await sleep(Math.max(1, Math.min(everyMs, untilMs - Date.now())));
      if (Date.now() >= untilMs) return gathering.cancel();
      tick();
    }
  });
  ticks.catch(() => undefined); // it ends by being cancelled
  try {
    return await work;
  } finally {
    clock.cancel();
  }
}

function mayGoOn(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength < mostEvents && !continueAsNewSuggested;
}

// Ends a horoscope set when its readings are in: has it judged, and requests readings that lose their place again.

interface Around {
  readonly context: GatherContext;
  readonly state: EditionState;
}

/** `judged` is the first judgement, if the activity that requested the whole set has made it. */
export async function endSet(set: EndedSet, judged: JudgedSet | undefined, around: Around): Promise<void> {
  if (set.isToJudge) await orSay(set.key, around.state, () => judge(set.key, judged, around));
  await around.state.finishSet(set);
}

/** A set that can't be judged delays no other. It is not published, because vault/editions.ts judges sets again. */
async function orSay(set: string, state: EditionState, judging: () => Promise<void>): Promise<void> {
  try {
    await judging();
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    state.broke(`${set} could not be validated: ${failureReason(error)}`.slice(0, 300));
  }
}

/**
 * Judges the sets that the deadline found waiting for that alone. No later run would come to them, because nothing of them is
 * due. Readings that are named now are in quarantine, and the next run requests them.
 */
export async function judgeWhatIsIn(run: string, state: EditionState): Promise<void> {
  const judging = state.sets.unjudged().map(({ set, lost }) =>
    orSay(set, state, async () => {
      const { skipped } = await mainActivities(`judge ${set}`).judgeSet({
        set,
        run,
        last: true,
        lost,
      });
      state.giveUp(skipped);
    }),
  );
  await Promise.all(judging);
}

/** Judges a set and requests the readings that the rules name again, until the set is good or given up. */
async function judge(set: string, first: JudgedSet | undefined, { context, state }: Around): Promise<void> {
  const { run } = context;
  let lost: LostTexts | undefined;
  let judged = first;
  for (let judgement = 1; ; judgement += 1) {
    const last = judgement === mostJudgements;
    state.sets.judged(set, { lost, isOut: false });
    judged ??= await mainActivities(`judge ${set}`).judgeSet({ set, run, last, lost });
    state.giveUp(judged.skipped);
    if (judged.again.length === 0) return;
    lost = judged.lost ?? lost;
    state.sets.judged(set, { lost, isOut: true });
    const again = judged.again
      .map(requestOf)
      .filter((request) => request !== undefined)
      .filter((request) => "sign" in request);
    judged = undefined;
    await sleep(attemptPauseMs(judgement), { summary: `before retrying: ${set}` });
    // At most the set's twelve readings and the twelve of the previous period.
    await Promise.all(
      again.map(async (request) => {
        // A set that waits for a reading has the first priority.
        await state.settleAgain(request, await gatherAgain(request, { priority: 1 }, context));
      }),
    );
  }
}
