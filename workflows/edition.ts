// One language's part of a run: gathers what is due by the plan (readings/plan.ts), has each set judged when its readings are
// in, and reports to the run what is ready. activities/batch.ts has each request next; workflows/run.ts has languages published.
import { CancellationScope, continueAsNew, isCancellation, sleep, workflowInfo } from "@temporalio/workflow";
import type { Batch, EditionResult } from "../readings/run-messages.ts";
import { unpackKeys } from "../readings/plan-order.ts";
import { requestOf } from "../readings/request.ts";
import { mostBatchesOut, openWindow, windowTickMs } from "../readings/gather-rules.ts";
import { planActivities } from "./activities.ts";
import { type GatherContext, gatherTogether, type Settle, type Together } from "./gather.ts";
import { type EditionInput, EditionState } from "./edition-state.ts";
import { endSet, judgeWhatIsIn } from "./judging.ts";
import { mostEvents } from "./limits.ts";

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
