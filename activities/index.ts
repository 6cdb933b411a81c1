// The activities, closing over what they were handed. Workflows see this type alone.
import { Context } from "@temporalio/activity";
import { type ServiceAddress } from "../readings/fields.ts";
import { isFailure } from "../readings/failures.ts";
import { requestOf } from "../readings/request.ts";
import { ask, capture } from "./capture.ts";
import { type CaptureInput, type PublishResult, type RunProgress } from "./contracts.ts";
import { type Dependencies } from "./dependencies.ts";
import { toTemporal } from "./faults.ts";
import { beating } from "./heartbeat.ts";
import { plan, type PlanInput } from "./plan.ts";
import { publish, type PublishInput, turn } from "./publish.ts";
import { report } from "./report.ts";
import { judgeSheet, type SheetInput } from "./sheet.ts";

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- workflows take their types from what is returned
export function createActivities(dependencies: Dependencies) {
  const { gate, alert } = dependencies;
  return {
    capture: (input: CaptureInput) => capture(input, dependencies),
    plan: (input: PlanInput) => guarded(() => plan(input, dependencies)),
    judgeSheet: (input: SheetInput) => guarded(() => judgeSheet(input, dependencies)),
    publish: (input: PublishInput): Promise<PublishResult> => guarded(() => publish(input, dependencies)),
    turn: (): Promise<PublishResult> => guarded(() => turn(dependencies)),
    report: (progress: RunProgress): Promise<void> => guarded(() => report(progress, dependencies)),

    async watchGate({ address, run }: { address: ServiceAddress; run: string }): Promise<void> {
      await guarded((signal) => gate.watch(address, (key) => probe(key, run, signal, dependencies), signal));
    },

    async openGate({ run }: { run: string }): Promise<void> {
      for (const address of ["english", "translator", "legacy"] as const) {
        if (!(await gate.isClosed(address))) continue;
        await gate.open(address);
        await alert({
          kind: "gate-opened",
          text: `${run}: the gate of the ${address} address was opened by hand`,
        });
      }
    },
  };
}

/** Asks the refused request itself: true when the service took the credentials, whatever it thinks of the request. */
async function probe(
  key: string,
  run: string,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<boolean> {
  const request = requestOf(key);
  if (request === undefined) return true;
  try {
    await ask(request, { key, run, tries: 1 }, signal, dependencies);
  } catch (error) {
    signal.throwIfAborted();
    // Refused again, or no answer at all: neither says that the credentials work.
    if (!isFailure(error) || error.type === "CredentialsRefused" || error.type === "Unavailable")
      return false;
  }
  await dependencies.alert({
    kind: "gate-opened",
    text: `${run}: the credentials work again; the run goes on`,
  });
  return true;
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
