// One language's part of a run: gathers what is due, judges each sheet when its readings are in, tells the run what is
// ready. activities/capture.ts has each request next; workflows/run.ts publishes.
import { CancellationScope, continueAsNew, isCancellation, workflowInfo } from "@temporalio/workflow";
import { type EditionResult } from "../activities/contracts.ts";
import { type ReadingRequest, requestKey, requestOf, sheetKey } from "../readings/request.ts";
import { gateActivities, mainActivities } from "./activities.ts";
import { createGates } from "./gate.ts";
import { gather, type GatherContext } from "./gather.ts";
import { type EditionInput, EditionState, sheetsOf } from "./edition-state.ts";
import { mostEvents, mostJudgements } from "./limits.ts";
import { inWindow } from "./window.ts";

export async function edition(input: EditionInput): Promise<EditionResult> {
  const state = new EditionState(input);
  const requests = input.keys.map(requestOf).filter((request) => request !== undefined);
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
    const keys = rest.map(requestKey);
    await continueAsNew<typeof edition>({ ...input, keys, soFar: state.carried() });
  }
  await state.report(true);
  return state.result();
}

/** Returns what was not begun because the history has grown long. */
async function gatherAll(
  requests: readonly ReadingRequest[],
  input: EditionInput,
  state: EditionState,
): Promise<ReadingRequest[]> {
  const gates = createGates((address) =>
    gateActivities(remaining(input)).watchGate({ address, run: input.run }),
  );
  const context: GatherContext = { site: input.site, run: input.run, limits: input.limits, gates };
  const sheets = sheetsOf(requests);
  const window = Math.max(...Object.values(input.limits).map((limits) => limits.window));
  return inWindow(requests, window, mayGoOn, async (request) => {
    await state.settle(request, await gather(request, context));
    const sheet = sheets.get(sheetKey(request));
    if (sheet === undefined || (sheet.waiting -= 1) > 0) return;
    if (sheet.horoscope) await judge(sheet.key, context, state);
    await state.sheetDone(sheet.daily);
  });
}

/** The sheet gates, and again what they name, until the sheet is good or given up. */
async function judge(sheet: string, context: GatherContext, state: EditionState): Promise<void> {
  for (let judgement = 1; ; judgement += 1) {
    const last = judgement === mostJudgements;
    const { again, setAside } = await mainActivities(`judge ${sheet}`).judgeSheet({
      sheet,
      run: context.run,
      last,
    });
    state.add(setAside);
    if (again.length === 0) return;
    for (const request of again.map(requestOf).filter((one) => one !== undefined)) {
      await state.settleAgain(request, await gather(request, context));
    }
  }
}

function mayGoOn(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength < mostEvents && !continueAsNewSuggested;
}

function remaining(input: EditionInput): number {
  return Math.max(1_000, input.untilMs - Date.now());
}
