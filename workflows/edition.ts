// One language's part of a run: gathers what is due by the plan (readings/plan.ts), has each sheet judged when its readings are
// in, and tells the run what is ready. activities/capture.ts has each request next; workflows/run.ts has languages published.
import {
  ActivityFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  sleep,
  workflowInfo,
} from "@temporalio/workflow";
import type { EditionResult, LostTexts } from "../readings/run-messages.ts";
import { packKeys, unpackKeys } from "../readings/key-list.ts";
import { bandsLeft, prioritiesOf } from "../readings/priorities.ts";
import { type ReadingRequest, requestKey, requestOf, sheetKey } from "../readings/request.ts";
import { attemptPauseMs } from "../readings/retry-rules.ts";
import { gateActivities, mainActivities } from "./activities.ts";
import { createGates } from "./gate.ts";
import { gather, type GatherContext } from "./gather.ts";
import { type EditionInput, EditionState, sheetsInKeys } from "./edition-state.ts";
import { mostEvents, mostJudgements } from "./limits.ts";
import { mostPending } from "../readings/retry-rules.ts";
import { failureReason } from "./failure-reason.ts";
import { openWindow } from "./window.ts";

export async function edition(input: EditionInput): Promise<EditionResult> {
  const state = new EditionState(input);
  const requests = unpackKeys(input.keys)
    .map(requestOf)
    .filter((request) => request !== undefined);
  const remainingMs = Math.max(1, input.untilMs - Date.now());
  let rest: ReadingRequest[] = [];
  try {
    await CancellationScope.withTimeout(remainingMs, async () => {
      rest = await gatherAll(requests, input, state);
    });
  } catch (error) {
    if (!isCancellation(error) || Date.now() < input.untilMs) throw error;
    state.stopAt(requests); // the deadline: what is whole is published, the rest is reported
    rest = [];
  }
  if (rest.length > 0) {
    const keys = packKeys(rest.map(requestKey));
    const bands = bandsLeft(input.bands, rest.length);
    await continueAsNew<typeof edition>({ ...input, keys, bands, soFar: state.carried() });
  }
  await state.report(true);
  return state.result();
}

/** Returns the requests that were not begun because the history has grown long. */
async function gatherAll(
  requests: readonly ReadingRequest[],
  input: EditionInput,
  state: EditionState,
): Promise<ReadingRequest[]> {
  const gates = createGates((address, key) =>
    gateActivities(remaining(input)).watchGate({ address, run: input.run, key }),
  );
  const priorityOf = prioritiesOf(requests.map(requestKey), input.bands);
  const context: GatherContext = {
    site: input.site,
    run: input.run,
    limits: input.limits,
    gates,
    refusedOnce: state.refusedOnce,
    priorityOf,
  };
  const sheets = sheetsInKeys(requests);
  const bounds = { width: input.window, most: mostPending };
  const { ended, tick } = openWindow(requests, bounds, mayGoOn, async (request) => {
    const inVain = state.isInVain(request);
    if (inVain) await state.leaveOut(request);
    else await state.settle(request, await gather(request, context, true));
    const sheet = sheets.get(sheetKey(request));
    if (sheet === undefined || (sheet.waiting -= 1) > 0) return;
    if (sheet.horoscope && !inVain) await judgeOrSay(sheet.key, context, state);
    await state.sheetDone(sheet.daily);
  });
  // A request that is out for longer than one attempt may take waits for its next try, and holds up no other meanwhile.
  const attemptMs = Math.max(...Object.values(input.limits).map((limits) => limits.startToCloseMs));
  return ticking(attemptMs, tick, ended);
}

async function ticking<Result>(everyMs: number, tick: () => void, work: Promise<Result>): Promise<Result> {
  const clock = new CancellationScope();
  const ticks = clock.run(async () => {
    for (;;) {
      await sleep(everyMs);
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

/** A sheet that can't be judged holds up no other; it is not published, because vault/editions.ts judges sheets again. */
async function judgeOrSay(sheet: string, context: GatherContext, state: EditionState): Promise<void> {
  try {
    await judge(sheet, context, state);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    state.broke(`${sheet} could not be judged: ${failureReason(error)}`.slice(0, 300));
  }
}

/** Judges a sheet and asks for the readings that the gates name, until the sheet is good or given up. */
async function judge(sheet: string, context: GatherContext, state: EditionState): Promise<void> {
  const { run } = context;
  let lost: LostTexts | undefined;
  for (let judgement = 1; ; judgement += 1) {
    const last = judgement === mostJudgements;
    const judged = await mainActivities(`judge ${sheet}`).judgeSheet({ sheet, run, last, lost });
    state.giveUp(judged.setAside);
    if (judged.again.length === 0) return;
    lost = judged.lost ?? lost;
    await sleep(attemptPauseMs(judgement), { summary: `before asking again: ${sheet}` });
    const again = judged.again.map(requestOf).filter((request) => request !== undefined);
    // These are at most the sheet's twelve readings and the twelve of the period before.
    await Promise.all(
      again.map(async (request) => state.settleAgain(request, await gather(request, context, false))),
    );
  }
}

function mayGoOn(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength < mostEvents && !continueAsNewSuggested;
}

function remaining(input: EditionInput): number {
  return Math.max(1_000, input.untilMs - Date.now());
}
