// Ends a horoscope set when its readings are in: has it judged, and requests readings that lose their place again.
import { ActivityFailure, isCancellation, sleep } from "@temporalio/workflow";
import { requestOf } from "../readings/request.ts";
import { attemptPauseMs } from "../readings/gather-rules.ts";
import type { JudgedSet, LostTexts } from "../readings/run-messages.ts";
import { mainActivities } from "./activities.ts";
import type { EditionState, EndedSet } from "./edition-state.ts";
import { failureReason } from "./failure-reason.ts";
import { gatherAgain, type GatherContext } from "./gather.ts";
import { mostJudgements } from "./limits.ts";

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
