// The workflow bundle, made once before the processes of a test run need it: on changed sources each of them would make its own.
import { z } from "zod";
import { bundleWorkflows } from "../../worker/bundle.ts";
import { runProcess, startedOnce } from "./run-server.ts";

let bundled: Promise<unknown> | undefined;

export async function workflowsBundled(): Promise<void> {
  if (runProcess() === undefined) return;
  await (bundled ??= startedOnce("bundle", z.unknown(), () => bundleWorkflows()));
}
